import { InvariantError } from '../../errors/invariant'
import { printQuotedLiteral } from './print'

declare const filterText: unique symbol
/** Marks the results of `count`, so that an object of a client, such as a claim of a token, is never taken for one. */
const OPERAND: unique symbol = Symbol('operand')

/** A filter expression. Only the functions of this file create one, so that no value can become syntax. */
export type FilterExpression = string & { readonly [filterText]: true }

/** A function with a value: `count('children')`. */
export interface OperandExpression {
  readonly operand: string
  readonly [OPERAND]: true
}

/** A value to compare with. Dates are printed in ISO 8601. */
export type FilterValue = string | number | bigint | boolean | Date

/**
 * Builds a filter for equal values; `null` means no value, or no related resource.
 *
 * `equals('name', "O'Hara")` -> `equals(name,'O''Hara')`; `equals('bestFriend', null)` -> `equals(bestFriend,null)`
 */
export function equals(
  left: string | OperandExpression,
  right: FilterValue | OperandExpression | null,
): FilterExpression {
  return call('equals', left, right === null ? 'null' : printRight(right, left))
}

/** Builds a comparison: `lessThan('age', 18)` -> `lessThan(age,'18')` */
export function lessThan(left: string | OperandExpression, right: FilterValue | OperandExpression): FilterExpression {
  return call('lessThan', left, printRight(right, left))
}

/** Builds a comparison: `lessOrEqual('age', 18)` -> `lessOrEqual(age,'18')` */
export function lessOrEqual(
  left: string | OperandExpression,
  right: FilterValue | OperandExpression,
): FilterExpression {
  return call('lessOrEqual', left, printRight(right, left))
}

/** Builds a comparison: `greaterThan(count('children'), 2)` -> `greaterThan(count(children),'2')` */
export function greaterThan(
  left: string | OperandExpression,
  right: FilterValue | OperandExpression,
): FilterExpression {
  return call('greaterThan', left, printRight(right, left))
}

/** Builds a comparison: `greaterOrEqual('age', 18)` -> `greaterOrEqual(age,'18')` */
export function greaterOrEqual(
  left: string | OperandExpression,
  right: FilterValue | OperandExpression,
): FilterExpression {
  return call('greaterOrEqual', left, printRight(right, left))
}

/** Builds a case-sensitive search for a part of a text: `contains('name', 'da')` -> `contains(name,'da')` */
export function contains(attribute: string, text: string): FilterExpression {
  return call('contains', attribute, printValue(text, attribute))
}

/** Builds a case-sensitive search for the start of a text: `startsWith('father.name', 'A')` -> `startsWith(father.name,'A')` */
export function startsWith(attribute: string, text: string): FilterExpression {
  return call('startsWith', attribute, printValue(text, attribute))
}

/** Builds a case-sensitive search for the end of a text: `endsWith('name', 'a')` -> `endsWith(name,'a')` */
export function endsWith(attribute: string, text: string): FilterExpression {
  return call('endsWith', attribute, printValue(text, attribute))
}

/**
 * Builds a filter for values in a list.
 *
 * `any('name', ['Ada', 'Grace'])` -> `any(name,'Ada','Grace')`. Without values the result is never true.
 */
export function any(left: string | OperandExpression, values: readonly FilterValue[]): FilterExpression {
  if (!Array.isArray(values)) {
    throw new InvariantError(`The filter any('${printLeft(left)}', …) got no list of values. Give it a list.`)
  }
  if (values.length > 0) return call('any', left, ...values.map((value) => printValue(value, left)))
  const isItself = call('equals', left, printLeft(left))
  return and(isItself, not(isItself))
}

/**
 * Builds a filter that matches if all terms match.
 *
 * `and(equals('name', 'Ada'), has('children'))` -> `and(equals(name,'Ada'),has(children))`. A single term is returned as it is.
 */
export function and(first: FilterExpression, ...others: readonly FilterExpression[]): FilterExpression {
  return joinTerms('and', [first, ...others])
}

/**
 * Builds a filter that matches if at least one term matches.
 *
 * `or(equals('name', 'Ada'), has('children'))` -> `or(equals(name,'Ada'),has(children))`. A single term is returned as it is.
 */
export function or(first: FilterExpression, ...others: readonly FilterExpression[]): FilterExpression {
  return joinTerms('or', [first, ...others])
}

/** Negates a filter: `not(equals('hasBeard', true))` -> `not(equals(hasBeard,'true'))` */
export function not(term: FilterExpression): FilterExpression {
  return call('not', term)
}

/** Builds a filter for resources with related resources: `has('children', equals('name', 'Ada'))` -> `has(children,equals(name,'Ada'))` */
export function has(path: string, filter?: FilterExpression): FilterExpression {
  return filter === undefined ? call('has', path) : call('has', path, filter)
}

/**
 * Builds a filter for a derived type.
 *
 * `isType('', 'men', equals('hasBeard', true))` -> `isType(,men,equals(hasBeard,'true'))`. An empty path means the resource itself.
 */
export function isType(path: string, type: string, filter?: FilterExpression): FilterExpression {
  return filter === undefined ? call('isType', path, type) : call('isType', path, type, filter)
}

/** Returns the number of related resources, to compare with: `equals(count('children'), 0)` -> `equals(count(children),'0')` */
export function count(path: string): OperandExpression {
  return { operand: `count(${path})`, [OPERAND]: true }
}

function call(name: string, first: string | OperandExpression, ...others: readonly string[]): FilterExpression {
  return `${name}(${[printLeft(first), ...others].join(',')})` as FilterExpression
}

function joinTerms(name: 'and' | 'or', terms: readonly FilterExpression[]): FilterExpression {
  const [first, ...others] = terms
  // A missing filter would show all rows.
  if (first === undefined || terms.includes(undefined as never)) {
    throw new InvariantError(`'${name}' got no filter in place of a term. Give it a filter for each term.`)
  }
  return others.length === 0 ? first : call(name, first, ...others)
}

function printLeft(left: string | OperandExpression): string {
  if (typeof left === 'string') return left
  if (isOperand(left)) return left.operand
  throw new InvariantError(`A filter got a value in place of a path. Give it the path of a field, as text.`)
}

function printRight(right: FilterValue | OperandExpression, left: string | OperandExpression): string {
  return isOperand(right) ? right.operand : printValue(right, left)
}

function isOperand(value: unknown): value is OperandExpression {
  return typeof value === 'object' && value !== null && OPERAND in value
}

function printValue(value: FilterValue, left: string | OperandExpression): string {
  const problem = describeInvalidFilterValue(value)
  if (problem === undefined) return printQuotedLiteral(value)
  throw new InvariantError(
    `The filter for '${printLeft(left)}' got ${problem}. Give it a string, a finite number, a boolean or a valid Date, or test with equals(path, null).`,
  )
}

/** Describes a value that a literal can't contain, without its content. Returns `undefined` for a valid one. */
function describeInvalidFilterValue(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
    case 'bigint':
    case 'boolean':
      return undefined
    case 'number':
      return Number.isFinite(value) ? undefined : `the number ${value}`
    case 'object':
      if (value === null) return 'null'
      if (!(value instanceof Date)) return Array.isArray(value) ? 'a list' : 'an object'
      return Number.isNaN(value.getTime()) ? 'an invalid Date' : undefined
    default:
      return value === undefined ? 'undefined' : `a ${typeof value}`
  }
}
