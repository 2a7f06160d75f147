import type { Options } from '../graph/options'
import { findDebugLog } from './debug-log'
import { findTelemetry } from './find-telemetry'
import { Observation, type Observe } from './observation'
import type { ObservedHead, Observer } from './observer'
import { buildTelemetry } from './telemetry'

type Begin = (head: ObservedHead) => Observer

/** At start-up. `undefined`: nobody wants to know anything, and nothing is to be spent on it. `system`: what OpenTelemetry calls the database. */
export function buildObserve(
  { serverTiming, telemetry }: Pick<Options, 'serverTiming' | 'telemetry'>,
  system: string,
): Observe | undefined {
  const installed = telemetry === 'on' ? findTelemetry() : undefined
  const observers: readonly Begin[] = [
    findDebugLog() ?? [],
    installed === undefined ? [] : buildTelemetry(installed, system),
  ].flat()
  if (observers.length === 0 && serverTiming === 'off') return undefined
  return (head) => new Observation(observers.map((begin) => begin(head)))
}
