import { assertNever } from '../../errors/invariant'
import type { ComparisonOperator } from '../../query/ast'
import type { Dialect } from './dialect'
import { identifier, join, type Sql, toSql } from './sql'

/** Two values that are compared, or two parts of keys. */
export interface ComparedPart {
  readonly one: Sql
  readonly other: Sql
  readonly isText: boolean
}

/** Keys of several columns are equal in all of them, and come before each other by the first in which they differ. */
export function compareParts(operator: ComparisonOperator, parts: readonly ComparedPart[], dialect: Dialect): Sql {
  switch (operator) {
    case 'equals':
      return together(
        parts.map(({ one, other, isText }) => (isText ? dialect.textEquals(one, other) : same(one, other))),
      )
    case 'lessThan':
      return compileOrder(LESS, LESS, parts)
    case 'lessOrEqual':
      return compileOrder(LESS, identifier('<='), parts)
    case 'greaterThan':
      return compileOrder(GREATER, GREATER, parts)
    case 'greaterOrEqual':
      return compileOrder(GREATER, identifier('>='), parts)
    default:
      return assertNever(operator)
  }
}

const LESS = identifier('<')
const GREATER = identifier('>')

function compileOrder(strictly: Sql, atLast: Sql, [part, ...others]: readonly ComparedPart[]): Sql {
  if (part === undefined) return together([])
  const { one, other } = part
  if (others.length === 0) return toSql`(${one} ${atLast} ${other})`
  return toSql`(${one} ${strictly} ${other} or (${same(one, other)} and ${compileOrder(strictly, atLast, others)}))`
}

function same(one: Sql, other: Sql): Sql {
  return toSql`(${one} = ${other})`
}

function together(conditions: readonly Sql[]): Sql {
  const all = join(conditions, ' and ')
  return conditions.length === 1 ? all : toSql`(${all})`
}
