import { isUrlSafeMemberName } from '../../document/member-names'
import type { ConfigurationIssue } from '../../errors/configuration-error'
import { RESERVED_FUNCTION_NAMES } from '../model/filter-or-sort-function'
import type { RegisteredResourceClass } from '../model/registered-resource-class'
import { ATTRIBUTE_TYPES, type AttributeType } from '../model/value-type'
import {
  createSingleConfigurationIssueList,
  findDuplicates,
  findUnknownOptionNameIssues,
  formatOptionValue,
  isListOfObjects,
} from './option-checks'

/** Checks the functions of the application. */
export function findFilterOrSortFunctionIssues(
  functions: unknown,
  registered: readonly RegisteredResourceClass[],
): ConfigurationIssue[] {
  if (!isListOfObjects(functions))
    return createSingleConfigurationIssueList(
      'createJsonApi',
      'its functions are not a list of functions.',
      FUNCTIONS_REMEDY,
    )
  return [
    ...functions.flatMap((each) => findFunctionIssues(each, registered)),
    ...findDuplicates(functions.map(({ name }) => name)).flatMap((name) =>
      createSingleConfigurationIssueList(
        locationOf(name),
        'its name is that of another function too.',
        'Give one of them another name.',
      ),
    ),
  ]
}

const FUNCTIONS_REMEDY = 'Give a list: functions: [defineFunction({ … })].'

function findFunctionIssues(
  definition: Readonly<Record<string, unknown>>,
  registered: readonly RegisteredResourceClass[],
): ConfigurationIssue[] {
  const { name, argumentTypes, returnType, toSql } = definition
  const location = locationOf(name)
  return [
    ...findUnknownOptionNameIssues({ location, messageStart: 'it has' }, definition, [
      'name',
      'argumentTypes',
      'returnType',
      'toSql',
    ]),
    ...findNameIssues(location, name),
    ...findArgumentTypeIssues(location, argumentTypes, registered),
    ...findReturnTypeIssues(location, returnType),
    ...findToSqlIssues(location, toSql),
  ]
}

function findNameIssues(location: string, name: unknown): ConfigurationIssue[] {
  if (typeof name !== 'string' || !isUrlSafeMemberName(name)) {
    const remedy = "Use letters and digits, with '-' and '_' only in between."
    return createSingleConfigurationIssueList(location, 'its name is invalid.', remedy)
  }
  if (!RESERVED_FUNCTION_NAMES.includes(name)) return []
  return createSingleConfigurationIssueList(location, 'its name is reserved in filters.', 'Give it another name.')
}

function findArgumentTypeIssues(
  location: string,
  argumentTypes: unknown,
  registered: readonly RegisteredResourceClass[],
): ConfigurationIssue[] {
  const remedy = `Give at least one of ${ATTRIBUTE_TYPES.join(', ')}, or the id of a class: { idOf: Book }.`
  if (!Array.isArray(argumentTypes) || argumentTypes.length === 0)
    return createSingleConfigurationIssueList(location, 'it has no argumentTypes.', remedy)
  return argumentTypes.flatMap((each: unknown) => {
    if (isValueType(each)) return []
    if (typeof each === 'object' && each !== null && 'idOf' in each)
      return findIdArgumentIssues(location, each.idOf, registered)
    const problem = `its argumentTypes contain ${formatOptionValue(each)}, which is not a value type.`
    return createSingleConfigurationIssueList(location, problem, remedy)
  })
}

function findIdArgumentIssues(
  location: string,
  idOf: unknown,
  registered: readonly RegisteredResourceClass[],
): ConfigurationIssue[] {
  const type = registered.find(({ resourceClass }) => resourceClass === idOf)
  if (type === undefined) {
    const name = typeof idOf === 'function' ? `'${idOf.name}'` : formatOptionValue(idOf)
    const problem = `its idOf contains ${name}, which is not a resource class of this API.`
    return createSingleConfigurationIssueList(location, problem, 'Give a class from the resources of createJsonApi.')
  }
  if ((type.description?.primaryKey.length ?? 1) <= 1) return []
  const remedy = 'Use a type with a key of one column.'
  return createSingleConfigurationIssueList(
    location,
    `its idOf contains '${type.resourceClass.name}', whose key has several columns.`,
    remedy,
  )
}

function findReturnTypeIssues(location: string, returnType: unknown): ConfigurationIssue[] {
  const known = ATTRIBUTE_TYPES.filter((each) => each !== 'enum')
  if (known.some((each) => each === returnType)) return []
  const remedy = `Give one of ${known.join(', ')}.`
  if (returnType === 'enum') {
    return createSingleConfigurationIssueList(
      location,
      "its returnType is 'enum', whose values are unknown.",
      "Give 'string'.",
    )
  }
  return createSingleConfigurationIssueList(
    location,
    `its returnType is ${formatOptionValue(returnType)}, which is not a value type.`,
    remedy,
  )
}

function findToSqlIssues(location: string, toSql: unknown): ConfigurationIssue[] {
  if (typeof toSql === 'function') return []
  return createSingleConfigurationIssueList(
    location,
    'it has no toSql.',
    'Make it with defineFunction, whose toSql returns the expression.',
  )
}

function isValueType(value: unknown): value is AttributeType {
  return ATTRIBUTE_TYPES.some((each) => each === value)
}

function locationOf(name: unknown): string {
  return `The function ${formatOptionValue(name)}`
}
