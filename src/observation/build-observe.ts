import type * as OpenTelemetry from '@opentelemetry/api'
import type { ConfigurationIssue } from '../errors/configuration-error'
import { isModuleNotFound } from '../errors/is-module-not-found'
import { formatOptionValue } from '../graph/checks/option-checks'
import type { ResolvedApiOptions } from '../graph/options/options'
import { createDebugLogObserverFactory } from './debug-log'
import { RequestObservation, type StartRequestObservation } from './observation'
import type { ObservedRequestStart, RequestObserver } from './request-observer'
import { createTelemetryObserverFactory } from './telemetry'

type CreateObserver = (head: ObservedRequestStart) => RequestObserver

/**
 * Builds the observation of requests at startup. Returns `undefined` if no logger or tracer is configured, so that requests skip it. `system`: the
 * database name in OpenTelemetry.
 */
export function buildStartRequestObservation(
  { serverTiming, telemetry }: Pick<ResolvedApiOptions, 'serverTiming' | 'telemetry'>,
  system: string,
): StartRequestObservation | undefined {
  const installed = telemetry === true ? findTelemetry() : undefined
  const observers: readonly CreateObserver[] = [
    createDebugLogObserverFactory() ?? [],
    installed === undefined ? [] : createTelemetryObserverFactory(installed, system),
  ].flat()
  if (observers.length === 0 && serverTiming === false) return undefined
  return (head) => new RequestObservation(observers.map((begin) => begin(head)))
}

/** Loads OpenTelemetry at startup. Returns `undefined` if it is not installed. */
function findTelemetry(): typeof OpenTelemetry | undefined {
  try {
    return require('@opentelemetry/api')
  } catch (error) {
    if (isModuleNotFound(error)) return undefined
    throw error
  }
}

export function findTelemetryOptionIssues({
  telemetry,
}: Pick<ResolvedApiOptions, 'telemetry'>): readonly ConfigurationIssue[] {
  if (telemetry === false || (telemetry === true && findTelemetry() !== undefined)) return []
  if (telemetry !== true) {
    return [
      {
        location: 'createJsonApi',
        message: `its telemetry is ${formatOptionValue(telemetry)}.`,
        remedy: 'Give true or false.',
      },
    ]
  }
  return [
    {
      location: 'createJsonApi',
      message: "its telemetry is true, but the package '@opentelemetry/api' is not installed.",
      remedy: 'Install it and an OpenTelemetry SDK, or remove the option.',
    },
  ]
}
