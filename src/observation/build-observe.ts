import type { Options } from '../graph/options/options'
import { findDebugLog } from './debug-log'
import { findTelemetry } from './find-telemetry'
import { Observation, type Observe } from './observation'
import type { ObservedHead, Observer } from './observer'
import { buildTelemetry } from './telemetry'

type CreateObserver = (head: ObservedHead) => Observer

/** At start-up. `undefined`: no logger or tracer is configured, so requests skip observation. `system`: what OpenTelemetry calls the database. */
export function buildObserve(
  { serverTiming, telemetry }: Pick<Options, 'serverTiming' | 'telemetry'>,
  system: string,
): Observe | undefined {
  const installed = telemetry === true ? findTelemetry() : undefined
  const observers: readonly CreateObserver[] = [
    findDebugLog() ?? [],
    installed === undefined ? [] : buildTelemetry(installed, system),
  ].flat()
  if (observers.length === 0 && serverTiming === false) return undefined
  return (head) => new Observation(observers.map((begin) => begin(head)))
}
