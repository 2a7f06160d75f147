import type { Options } from '../graph/options/options'
import { findDebugLog } from './debug-log'
import { findTelemetry } from './find-telemetry'
import { Observation, type Observe } from './observation'
import type { ObservedHead, Observer } from './observer'
import { buildTelemetry } from './telemetry'

type CreateObserver = (head: ObservedHead) => Observer

/**
 * Builds the observation at startup. Returns `undefined` if no logger or tracer is configured, so that requests skip it. `system`: the
 * database name in OpenTelemetry.
 */
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
