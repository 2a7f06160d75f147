import type * as OpenTelemetry from '@opentelemetry/api'
import type { ConfigurationProblem } from '../errors/configuration-error'
import type { Options } from '../graph/options'

/** At start-up. `undefined`: it is not installed. */
export function findTelemetry(): typeof OpenTelemetry | undefined {
  try {
    return require('@opentelemetry/api')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

export function checkTelemetry({ telemetry }: Pick<Options, 'telemetry'>): readonly ConfigurationProblem[] {
  if (telemetry === 'off' || (telemetry === 'on' && findTelemetry() !== undefined)) return []
  if (telemetry !== 'on') {
    return [{ at: 'createJsonApi', problem: `its telemetry is '${String(telemetry)}'.`, remedy: "Give 'on' or 'off'." }]
  }
  return [
    {
      at: 'createJsonApi',
      problem: "its telemetry is 'on', and there is no '@opentelemetry/api'.",
      remedy: 'Install it beside an SDK of OpenTelemetry, or leave the option out.',
    },
  ]
}
