import { IF_MATCH_OPTION_VALUES } from '../../declarations/field-options'
import type { ConfigurationIssue } from '../../errors/configuration-error'
import type { RegisteredResourceClass } from '../model/registered-resource-class'
import { classNameForMessages } from '../model/superclasses'
import type { ResolvedApiOptions } from '../options/options'
import {
  BOOLEAN_CONFIGURATION_VALUES,
  createSingleConfigurationIssueList,
  findUnknownOptionValueIssues,
  formatOptionValue,
} from './option-checks'

/** Checks the options of `createJsonApi` for concurrent writes and statements. */
export function findApiConcurrencyOptionIssues({
  ifMatch,
  maxRetries,
  etags,
  preparedStatements,
}: ResolvedApiOptions): ConfigurationIssue[] {
  const context = { location: 'createJsonApi', messageStart: 'its preparedStatements is' }
  return [
    ...findIfMatchIssues('createJsonApi', ifMatch, etags),
    ...findRetriesIssues(maxRetries),
    ...findUnknownOptionValueIssues(context, preparedStatements, BOOLEAN_CONFIGURATION_VALUES),
  ]
}

export function findResourceIfMatchOptionIssues(
  { resourceClass, resource }: RegisteredResourceClass,
  { etags }: ResolvedApiOptions,
): ConfigurationIssue[] {
  return findIfMatchIssues(classNameForMessages(resourceClass), resource?.options.ifMatch, etags)
}

function findIfMatchIssues(
  location: string,
  ifMatch: unknown,
  etags: ResolvedApiOptions['etags'],
): ConfigurationIssue[] {
  if (ifMatch !== undefined && !IF_MATCH_OPTION_VALUES.some((each) => each === ifMatch)) {
    return createSingleConfigurationIssueList(
      location,
      `its ifMatch is ${formatOptionValue(ifMatch)}.`,
      "Give 'optional' or 'required'.",
    )
  }
  if (ifMatch !== 'required' || etags !== false) return []
  const message = "its ifMatch is 'required', but its etags are false: clients get no version to send."
  return createSingleConfigurationIssueList(location, message, 'Leave one of them out.')
}

function findRetriesIssues(maxRetries: unknown): ConfigurationIssue[] {
  if (maxRetries === undefined) return []
  if (Number.isSafeInteger(maxRetries) && Number(maxRetries) >= 0) return []
  const message = `its maxRetries are ${formatOptionValue(maxRetries)}.`
  return createSingleConfigurationIssueList('createJsonApi', message, 'Give a whole number; 0 for none.')
}
