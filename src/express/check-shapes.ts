import type { ConfigurationProblem } from '../errors/configuration-error'
import { OPEN_API_REMEDY } from '../graph/check-open-api'
import { OPERATIONS_REMEDY } from '../graph/check-operations'
import { OVERLOAD_REMEDY } from '../graph/overload'

/** Options that have members of their own. Of `false` there are none to be joined with the defaults, which would stay in silence. */
export function checkShapes(given: Readonly<Record<string, unknown>>): readonly ConfigurationProblem[] {
  return Object.entries(REMEDIES).flatMap(([name, remedy]) => {
    const value = given[name]
    // What texts there are is known where their members are checked.
    if (value === undefined || typeof value === 'string' || isObject(value)) return []
    const shown = Array.isArray(value) ? 'a list' : String(value)
    return [{ at: 'createJsonApi', problem: `its ${name} is ${shown}.`, remedy }]
  })
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const ANY = 'Give an object, or leave it out.'

const REMEDIES = {
  overload: OVERLOAD_REMEDY,
  operations: OPERATIONS_REMEDY,
  openApi: OPEN_API_REMEDY,
  page: ANY,
  capabilities: ANY,
  links: ANY,
  limits: ANY,
}
