import { printQuotedLiteral } from './print'

declare const filterText: unique symbol

/** A filter expression. Only the functions of this file create one, so that no value can become syntax. */
export type FilterExpression = string & { readonly [filterText]: true }

/** A function with a value: `count('children')`. */
export interface OperandExpression {
  readonly operand: string
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
  return call('equals', left, right === null ? 'null' : printRight(right))
}

/** Builds a comparison: `lessThan('age', 18)` -> `lessThan(age,'18')` */
export function lessThan(left: string | OperandExpression, right: FilterValue | OperandExpression): FilterExpression {
  return call('lessThan', left, printRight(right))
}

/** Builds a comparison: `lessOrEqual('age', 18)` -> `lessOrEqual(age,'18')` */
export function lessOrEqual(
  left: string | OperandExpression,
  right: FilterValue | OperandExpression,
): FilterExpression {
  return call('lessOrEqual', left, printRight(right))
}

/** Builds a comparison: `greaterThan(count('children'), 2)` -> `greaterThan(count(children),'2')` */
export function greaterThan(
  left: string | OperandExpression,
  right: FilterValue | OperandExpression,
): FilterExpression {
  return call('greaterThan', left, printRight(right))
}

/** Builds a comparison: `greaterOrEqual('age', 18)` -> `greaterOrEqual(age,'18')` */
export function greaterOrEqual(
  left: string | OperandExpression,
  right: FilterValue | OperandExpression,
): FilterExpression {
  return call('greaterOrEqual', left, printRight(right))
}

/** Builds a case-sensitive search for a part of a text: `contains('name', 'da')` -> `contains(name,'da')` */
export function contains(attribute: string, text: string): FilterExpression {
  return call('contains', attribute, printQuotedLiteral(text))
}

/** Builds a case-sensitive search for the start of a text: `startsWith('father.name', 'A')` -> `startsWith(father.name,'A')` */
export function startsWith(attribute: string, text: string): FilterExpression {
  return call('startsWith', attribute, printQuotedLiteral(text))
}

/** Builds a case-sensitive search for the end of a text: `endsWith('name', 'a')` -> `endsWith(name,'a')` */
export function endsWith(attribute: string, text: string): FilterExpression {
  return call('endsWith', attribute, printQuotedLiteral(text))
}

/**
 * Builds a filter for values in a list.
 *
 * `any('name', ['Ada', 'Grace'])` -> `any(name,'Ada','Grace')`. Without values the result is never true.
 */
export function any(left: string | OperandExpression, values: readonly FilterValue[]): FilterExpression {
  if (values.length > 0) return call('any', left, ...values.map(printQuotedLiteral))
  const isItself = call('equals', left, printLeft(left))
  return and(isItself, not(isItself))
}

/**
 * Builds a filter that matches if all terms match.
 *
 * `and(equals('name', 'Ada'), has('children'))` -> `and(equals(name,'Ada'),has(children))`. A single term is returned as it is.
 */
export function and(first: FilterExpression, ...others: readonly FilterExpression[]): FilterExpression {
  return others.length === 0 ? first : call('and', first, ...others)
}

/**
 * Builds a filter that matches if at least one term matches.
 *
 * `or(equals('name', 'Ada'), has('children'))` -> `or(equals(name,'Ada'),has(children))`. A single term is returned as it is.
 */
export function or(first: FilterExpression, ...others: readonly FilterExpression[]): FilterExpression {
  return others.length === 0 ? first : call('or', first, ...others)
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
  return { operand: `count(${path})` }
}

function call(name: string, first: string | OperandExpression, ...others: readonly string[]): FilterExpression {
  return `${name}(${[printLeft(first), ...others].join(',')})` as FilterExpression
}

function printLeft(left: string | OperandExpression): string {
  return typeof left === 'string' ? left : left.operand
}

function printRight(right: FilterValue | OperandExpression): string {
  return typeof right === 'object' && 'operand' in right ? right.operand : printQuotedLiteral(right)
}
