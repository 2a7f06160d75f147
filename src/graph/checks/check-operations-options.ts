import { isUrlSafeMemberName } from '../../document/member-names'
import type { ConfigurationIssue } from '../../errors/configuration-error'
import type { RegisteredResourceClass } from '../model/registered-resource-class'
import { classNameForMessages } from '../model/superclasses'
import { DEFAULT_OPERATIONS_OPTIONS, type OperationsOptions, type ResolvedApiOptions } from '../options/options'
import {
  createSingleConfigurationIssueList,
  findUnknownOptionNameIssues,
  formatOptionValue,
  isPositiveInteger,
} from './option-checks'

/** Checks the path and the limit of the operations endpoint. */
export function findOperationsOptionIssues(
  operations: ResolvedApiOptions['operations'],
  registered: readonly RegisteredResourceClass[],
): ConfigurationIssue[] {
  if (operations === false) return []
  const context = { location: 'createJsonApi', messageStart: 'its operations have' }
  return [
    ...findUnknownOptionNameIssues(
      context,
      operations,
      Object.keys(DEFAULT_OPERATIONS_OPTIONS),
      OPERATIONS_OPTION_REMEDY,
    ),
    ...findPathIssues(operations.path),
    ...findMaximumIssues(operations.maxOperations),
    ...findPathClashIssues(operations.path, registered),
  ]
}

export const OPERATIONS_OPTION_REMEDY = 'Give path, maxOperations or both, or false.'

function findPathIssues(path: unknown): ConfigurationIssue[] {
  if (typeof path === 'string' && isUrlSafeMemberName(path)) return []
  const message = `its operations.path is ${formatOptionValue(path)}.`
  return createSingleConfigurationIssueList(
    'createJsonApi',
    message,
    "Give one name without slashes, like 'operations'.",
  )
}

function findMaximumIssues(maximum: OperationsOptions['maxOperations']): ConfigurationIssue[] {
  if (maximum === null || isPositiveInteger(maximum)) return []
  const message = `its operations.maxOperations is ${formatOptionValue(maximum)}.`
  return createSingleConfigurationIssueList(
    'createJsonApi',
    message,
    'Give a whole number from 1, or null for any number.',
  )
}

function findPathClashIssues(path: string, registered: readonly RegisteredResourceClass[]): ConfigurationIssue[] {
  const owners = registered.filter(({ resource }) => resource?.name === path)
  return owners.flatMap(({ resourceClass }) =>
    createSingleConfigurationIssueList(
      classNameForMessages(resourceClass),
      `its public name '${path}' is the path of operations.`,
      "Give it another name in @Resource, or set operations: false or operations: { path: '...' } in createJsonApi.",
    ),
  )
}
