import { IF_MATCH_REQUIREMENTS } from '../../declarations/field-options'
import type { ConfigurationIssue } from '../../errors/configuration-error'
import type { RegisteredResourceClass } from '../model/registered-resource-class'
import { classNameOf } from '../model/superclasses'
import type { ResolvedApiOptions } from '../options/options'
import { BOOLEAN_OPTION_VALUES, checkOptionIsOneOf, oneConfigurationIssue } from './option-checks'

/** Checks the options of `createJsonApi` for concurrent writes and statements. */
export function checkWritingOptions({
  ifMatch,
  maxRetries,
  etags,
  preparedStatements,
}: ResolvedApiOptions): ConfigurationIssue[] {
  const context = { location: 'createJsonApi', subject: 'its preparedStatements is' }
  return [
    ...checkIfMatch('createJsonApi', ifMatch, etags),
    ...checkRetries(maxRetries),
    ...checkOptionIsOneOf(context, preparedStatements, BOOLEAN_OPTION_VALUES),
  ]
}

export function checkResourceIfMatchOption(
  { resourceClass, resource }: RegisteredResourceClass,
  { etags }: ResolvedApiOptions,
): ConfigurationIssue[] {
  return checkIfMatch(classNameOf(resourceClass), resource?.options.ifMatch, etags)
}

function checkIfMatch(location: string, ifMatch: unknown, etags: ResolvedApiOptions['etags']): ConfigurationIssue[] {
  if (ifMatch !== undefined && !IF_MATCH_REQUIREMENTS.some((each) => each === ifMatch)) {
    return oneConfigurationIssue(location, `its ifMatch is '${String(ifMatch)}'.`, "Give 'optional' or 'required'.")
  }
  if (ifMatch !== 'required' || etags !== false) return []
  const message = "its ifMatch is 'required', but its etags are false: clients get no version to send."
  return oneConfigurationIssue(location, message, 'Leave one of them out.')
}

function checkRetries(maxRetries: unknown): ConfigurationIssue[] {
  if (maxRetries === undefined) return []
  if (Number.isSafeInteger(maxRetries) && Number(maxRetries) >= 0) return []
  const message = `its maxRetries are ${String(maxRetries)}.`
  return oneConfigurationIssue('createJsonApi', message, 'Give a whole number; 0 for none.')
}
