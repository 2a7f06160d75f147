import { IF_MATCH_OPTIONS } from '../declarations/field-options'
import type { ConfigurationProblem } from '../errors/configuration-error'
import { nameOf } from './class-chain'
import type { DeclaredType } from './declared-type'
import type { Options } from './options'

/** Whether the options of `createJsonApi` that are about concurrent writes make sense. */
export function checkWritingOptions({ ifMatch, maximumRetries, etags }: Options): ConfigurationProblem[] {
  return [...checkIfMatch('createJsonApi', ifMatch, etags), ...checkRetries(maximumRetries)]
}

/** The same of a type. */
export function checkDeclaredIfMatch(
  { resourceClass, resource }: DeclaredType,
  { etags }: Options,
): ConfigurationProblem[] {
  return checkIfMatch(nameOf(resourceClass), resource?.options.ifMatch, etags)
}

function checkIfMatch(at: string, ifMatch: unknown, etags: Options['etags']): ConfigurationProblem[] {
  if (ifMatch !== undefined && !IF_MATCH_OPTIONS.some((each) => each === ifMatch)) {
    return [{ at, problem: `its ifMatch is '${String(ifMatch)}'.`, remedy: "Give 'optional' or 'required'." }]
  }
  if (ifMatch !== 'required' || etags !== 'off') return []
  const problem = "its ifMatch is 'required', but its etags are 'off': clients could not know what to send."
  return [{ at, problem, remedy: 'Leave one of them out.' }]
}

function checkRetries(maximumRetries: unknown): ConfigurationProblem[] {
  if (Number.isSafeInteger(maximumRetries) && Number(maximumRetries) >= 0) return []
  const problem = `its maximumRetries are ${String(maximumRetries)}.`
  return [{ at: 'createJsonApi', problem, remedy: 'Give a whole number; 0 for none.' }]
}
