import type * as OpenTelemetry from '@opentelemetry/api'
import type { ConfigurationIssue } from '../errors/configuration-error'
import { formatOption } from '../graph/checks/check-value'
import type { Options } from '../graph/options/options'

/** Loads OpenTelemetry at startup. Returns `undefined` if it is not installed. */
export function findTelemetry(): typeof OpenTelemetry | undefined {
  try {
    return require('@opentelemetry/api')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

export function checkTelemetry({ telemetry }: Pick<Options, 'telemetry'>): readonly ConfigurationIssue[] {
  if (telemetry === false || (telemetry === true && findTelemetry() !== undefined)) return []
  if (telemetry !== true) {
    return [
      {
        location: 'createJsonApi',
        message: `its telemetry is ${formatOption(telemetry)}.`,
        remedy: 'Give true or false.',
      },
    ]
  }
  return [
    {
      location: 'createJsonApi',
      message: "its telemetry is true, and there is no '@opentelemetry/api'.",
      remedy: 'Install it beside an SDK of OpenTelemetry, or leave the option out.',
    },
  ]
}
