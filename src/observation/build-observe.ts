import type { Options } from '../graph/options'
import { findDebugLog } from './debug-log'
import { Observation, type Observe } from './observation'

/** At start-up. `undefined`: nobody wants to know anything, and nothing is to be spent on it. */
export function buildObserve({ serverTiming }: Pick<Options, 'serverTiming'>): Observe | undefined {
  const beginLog = findDebugLog()
  if (beginLog === undefined && serverTiming === 'off') return undefined
  return (head) => new Observation(beginLog === undefined ? [] : [beginLog(head)])
}
