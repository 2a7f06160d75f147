import { printLiteral } from './literal'

declare const filterText: unique symbol

/** A filter in the filter language, with its literals quoted. Made by the functions here, so that no value can become syntax. */
export type FilterText = string & { readonly [filterText]: true }

/** A function that has a value of its own: `count('children')`. */
export interface OperandText {
  readonly operand: string
}

/** What an attribute is compared with. Dates are written in ISO 8601. */
export type FilterValue = string | number | bigint | boolean | Date

/** `equals('name', "O'Hara")` -> `equals(name,'O''Hara')`; `equals('bestFriend', null)` -> `equals(bestFriend,null)` */
export function equals(left: string | OperandText, right: FilterValue | OperandText | null): FilterText {
  return call('equals', left, right === null ? 'null' : printRight(right))
}

/** `lessThan('age', 18)` -> `lessThan(age,'18')` */
export function lessThan(left: string | OperandText, right: FilterValue | OperandText): FilterText {
  return call('lessThan', left, printRight(right))
}

/** `lessOrEqual('age', 18)` -> `lessOrEqual(age,'18')` */
export function lessOrEqual(left: string | OperandText, right: FilterValue | OperandText): FilterText {
  return call('lessOrEqual', left, printRight(right))
}

/** `greaterThan(count('children'), 2)` -> `greaterThan(count(children),'2')` */
export function greaterThan(left: string | OperandText, right: FilterValue | OperandText): FilterText {
  return call('greaterThan', left, printRight(right))
}

/** `greaterOrEqual('age', 18)` -> `greaterOrEqual(age,'18')` */
export function greaterOrEqual(left: string | OperandText, right: FilterValue | OperandText): FilterText {
  return call('greaterOrEqual', left, printRight(right))
}

/** `contains('name', 'da')` -> `contains(name,'da')` */
export function contains(attribute: string, text: string): FilterText {
  return call('contains', attribute, printLiteral(text))
}

/** `startsWith('father.name', 'A')` -> `startsWith(father.name,'A')` */
export function startsWith(attribute: string, text: string): FilterText {
  return call('startsWith', attribute, printLiteral(text))
}

/** `endsWith('name', 'a')` -> `endsWith(name,'a')` */
export function endsWith(attribute: string, text: string): FilterText {
  return call('endsWith', attribute, printLiteral(text))
}

/** `anyOf('name', ['Ada', 'Grace'])` -> `any(name,'Ada','Grace')`. Of no values it is never true: nothing is both itself and not itself. */
export function anyOf(left: string | OperandText, values: readonly FilterValue[]): FilterText {
  if (values.length > 0) return call('any', left, ...values.map(printLiteral))
  const isItself = call('equals', left, printLeft(left))
  return and(isItself, not(isItself))
}

/** `and(equals('name', 'Ada'), has('children'))` -> `and(equals(name,'Ada'),has(children))`; of one term it is that term. */
export function and(first: FilterText, ...others: readonly FilterText[]): FilterText {
  return others.length === 0 ? first : call('and', first, ...others)
}

/** `or(equals('name', 'Ada'), has('children'))` -> `or(equals(name,'Ada'),has(children))`; of one term it is that term. */
export function or(first: FilterText, ...others: readonly FilterText[]): FilterText {
  return others.length === 0 ? first : call('or', first, ...others)
}

/** `not(equals('hasBeard', true))` -> `not(equals(hasBeard,'true'))` */
export function not(term: FilterText): FilterText {
  return call('not', term)
}

/** `has('children', equals('name', 'Ada'))` -> `has(children,equals(name,'Ada'))` */
export function has(path: string, filter?: FilterText): FilterText {
  return filter === undefined ? call('has', path) : call('has', path, filter)
}

/** `isType('', 'men', equals('hasBeard', true))` -> `isType(,men,equals(hasBeard,'true'))`; an empty path is the resource itself. */
export function isType(path: string, type: string, filter?: FilterText): FilterText {
  return filter === undefined ? call('isType', path, type) : call('isType', path, type, filter)
}

/** `equals(count('children'), 0)` -> `equals(count(children),'0')` */
export function count(path: string): OperandText {
  return { operand: `count(${path})` }
}

function call(name: string, first: string | OperandText, ...others: readonly string[]): FilterText {
  return `${name}(${[printLeft(first), ...others].join(',')})` as FilterText
}

function printLeft(left: string | OperandText): string {
  return typeof left === 'string' ? left : left.operand
}

function printRight(right: FilterValue | OperandText): string {
  return typeof right === 'object' && 'operand' in right ? right.operand : printLiteral(right)
}
