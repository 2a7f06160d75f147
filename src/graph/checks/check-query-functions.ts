import { isMemberName } from '../../document/member-names'
import type { ConfigurationIssue } from '../../errors/configuration-error'
import { type QueryFunction, RESERVED_FUNCTION_NAMES } from '../model/query-function'
import { type AttributeType, VALUE_TYPES } from '../model/value-type'
import { checkNames, issue, repeatedIn } from './check-value'

/** Checks the functions of the application. */
export function checkQueryFunctions(functions: readonly QueryFunction[]): ConfigurationIssue[] {
  return [
    ...functions.flatMap(checkFunction),
    ...repeatedIn(functions.map(({ name }) => name)).flatMap((name) =>
      issue(locationOf(name), 'its name is that of another function too.', 'Give one of them another name.'),
    ),
  ]
}

function checkFunction(given: QueryFunction): ConfigurationIssue[] {
  const { name, takes, gives, toSql } = given
  const at = locationOf(name)
  return [
    ...checkNames({ location: at, subject: 'it has' }, given, ['name', 'takes', 'gives', 'toSql']),
    ...checkName(at, name),
    ...checkTakes(at, takes),
    ...checkGives(at, gives),
    ...checkToSql(at, toSql),
  ]
}

function checkName(location: string, name: unknown): ConfigurationIssue[] {
  if (typeof name !== 'string' || !isMemberName(name)) {
    const remedy = "Use letters and digits, with '-' and '_' only in between."
    return issue(location, 'its name is invalid.', remedy)
  }
  if (!RESERVED_FUNCTION_NAMES.includes(name)) return []
  return issue(location, 'its name is reserved in filters.', 'Give it another name.')
}

function checkTakes(location: string, takes: unknown): ConfigurationIssue[] {
  const remedy = `Give at least one of ${VALUE_TYPES.join(', ')}.`
  if (!Array.isArray(takes) || takes.length === 0) return issue(location, 'it takes no value.', remedy)
  return takes
    .filter((each: unknown) => !isValueType(each))
    .flatMap((each: unknown) => issue(location, `it takes '${String(each)}', which is not a value type.`, remedy))
}

function checkGives(location: string, gives: unknown): ConfigurationIssue[] {
  const known = VALUE_TYPES.filter((each) => each !== 'enum')
  if (known.some((each) => each === gives)) return []
  const remedy = `Give one of ${known.join(', ')}.`
  if (gives === 'enum') {
    return issue(location, "it gives 'enum', and the values of the enum are unknown.", "Give 'string'.")
  }
  return issue(location, `it gives '${String(gives)}', which is not a value type.`, remedy)
}

function checkToSql(location: string, toSql: unknown): ConfigurationIssue[] {
  if (typeof toSql === 'function') return []
  return issue(location, 'it has no toSql.', 'Make it with defineFunction, whose toSql returns the expression.')
}

function isValueType(value: unknown): value is AttributeType {
  return VALUE_TYPES.some((each) => each === value)
}

function locationOf(name: unknown): string {
  return `The function '${String(name)}'`
}
