import type { ConfigurationProblem } from '../errors/configuration-error'
import { unknownNames } from '../errors/nearest-name'
import { isMemberName } from './member-names'
import { type QueryFunction, RESERVED_FUNCTION_NAMES } from './query-function'
import { VALUE_TYPES, type ValueType } from './value-type'

/** What is wrong with the functions of an application; JavaScript may have given anything. */
export function checkFunctions(functions: readonly QueryFunction[]): ConfigurationProblem[] {
  const names = functions.map(({ name }) => name)
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index))
  return [
    ...functions.flatMap(checkFunction),
    ...[...repeated].map((name) => ({
      at: placeOf(name),
      problem: 'there is more than one function of this name.',
      remedy: 'Give each a name of its own.',
    })),
  ]
}

function checkFunction(given: QueryFunction): ConfigurationProblem[] {
  const { name, takes, gives, toSql } = given
  const at = placeOf(name)
  return [
    ...unknownNames(given, ['name', 'takes', 'gives', 'toSql']).map((unknown) => ({
      at,
      problem: `it has no '${unknown.name}'.${unknown.hint}`,
      remedy: 'Correct the name, or leave it out.',
    })),
    ...checkName(at, name),
    ...checkTakes(at, takes),
    ...checkGives(at, gives),
    ...checkToSql(at, toSql),
  ]
}

function checkName(at: string, name: unknown): ConfigurationProblem[] {
  if (typeof name !== 'string' || !isMemberName(name)) {
    const remedy = "Use letters and digits, with '-' and '_' only in between."
    return [{ at, problem: 'its name is not a legal one.', remedy }]
  }
  if (!RESERVED_FUNCTION_NAMES.includes(name)) return []
  return [{ at, problem: 'its name has a meaning in filters already.', remedy: 'Give it another name.' }]
}

function checkTakes(at: string, takes: unknown): ConfigurationProblem[] {
  const remedy = `Give at least one of ${VALUE_TYPES.join(', ')}.`
  if (!Array.isArray(takes) || takes.length === 0) return [{ at, problem: 'it takes no value.', remedy }]
  return takes
    .filter((each: unknown) => !isValueType(each))
    .map((each: unknown) => ({ at, problem: `it takes '${String(each)}', which is no type of values.`, remedy }))
}

function checkGives(at: string, gives: unknown): ConfigurationProblem[] {
  const known = VALUE_TYPES.filter((each) => each !== 'enum')
  if (known.some((each) => each === gives)) return []
  const remedy = `Give one of ${known.join(', ')}.`
  if (gives === 'enum') {
    return [{ at, problem: "it gives 'enum', and nobody knows of which values.", remedy: "Give 'string'." }]
  }
  return [{ at, problem: `it gives '${String(gives)}', which is no type of values.`, remedy }]
}

function checkToSql(at: string, toSql: unknown): ConfigurationProblem[] {
  if (typeof toSql === 'function') return []
  return [{ at, problem: 'it has no toSql.', remedy: 'Make it with defineFunction, whose toSql gives the expression.' }]
}

function isValueType(value: unknown): value is ValueType {
  return VALUE_TYPES.some((each) => each === value)
}

function placeOf(name: unknown): string {
  return `The function '${String(name)}'`
}
