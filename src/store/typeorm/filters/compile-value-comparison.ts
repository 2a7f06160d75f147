import { assertNever } from '../../../errors/invariant'
import type { AttributeType, ValueConstraints } from '../../../graph/model/value-type'
import type { ComparisonOperator } from '../../../query/tree/ast'
import type { Dialect } from '../dialects/dialect'
import { FALSE } from '../joins/scope'
import { join, joinInGroups, rawSql, type Sql, sqlTag } from '../sql/sql'
import { compareByEnumOrder, compileEnumIndex, type OrderOperator } from './enum-order'

/** Two values that are compared, or two parts of keys. */
export interface ComparedPair {
  readonly one: Sql
  readonly other: Sql
  readonly range: ValueConstraints
  /** What the other is, where it is no column. */
  readonly literalValue?: unknown
  /** All that is equal to what is given, where that is more than itself: from the first of these on, and before the second. */
  readonly span?: HalfOpenRange
}

/** The values from the first bound on and before the second. */
export type HalfOpenRange = readonly [from: Sql, to: Sql | undefined]

/** Keys of several columns are equal in all of them, and come before each other by the first in which they differ. */
export function compileValueComparison(
  operator: ComparisonOperator,
  parts: readonly ComparedPair[],
  dialect: Dialect,
): Sql {
  const comparable = parts.map((part) => (part.literalValue === undefined ? compareColumns(part, dialect) : part))
  switch (operator) {
    case 'equals':
      return allOf(comparable.map((part) => compareEqual(part, dialect)))
    case 'lessThan':
      return compileOrder('<', '<', comparable)
    case 'lessOrEqual':
      return compileOrder('<', '<=', comparable)
    case 'greaterThan':
      return compileOrder('>', '>', comparable)
    case 'greaterOrEqual':
      return compileOrder('>', '>=', comparable)
    default:
      return assertNever(operator)
  }
}

/**
 * Whether a value is one of those that it is compared with. A list is looked up once, where as many comparisons joined with `or` are made one
 * by one for each row: of 500 values and 100,000 rows that takes a second. Moments are not compared in lists: each can be a span, and MySQL
 * compares them as text there.
 */
export function compareWithAny(comparisons: readonly (readonly ComparedPair[])[], dialect: Dialect): Sql {
  const [first] = comparisons
  const [part, ...further] = first ?? []
  if (part === undefined || further.length > 0 || comparisons.length === 1 || !isListed(part)) {
    return sqlTag`(${joinInGroups(
      comparisons.map((parts) => compileValueComparison('equals', parts, dialect)),
      ' or ',
    )})`
  }
  const others = comparisons.flatMap((parts) => parts.map(({ other }) => other))
  if (TEXTUAL.has(part.range.valueType)) return dialect.textInList(part.one, others)
  return sqlTag`(${part.one} in (${join(others, ', ')}))`
}

function isListed({ range: { valueType } }: ComparedPair): boolean {
  return TEXTUAL.has(valueType) || NUMERIC.has(valueType)
}

const NUMERIC: ReadonlySet<AttributeType> = new Set<AttributeType>(['integer', 'bigint', 'decimal', 'float'])

/** What databases do with the values of two columns is not always what clients see of them; of two collations they refuse to choose one. */
function compareColumns(part: ComparedPair, dialect: Dialect): ComparedPair {
  const { one, other, range } = part
  if (range.valueType === 'enum') return byEnumOrder(part)
  if (isCollatedText(range))
    return { one: dialect.withBinaryCollation(one), other: dialect.withBinaryCollation(other), range: BYTES }
  if (range.valueType !== 'datetime') return part
  return { one: dialect.truncateToMillisecond(one), other: dialect.truncateToMillisecond(other), range }
}

/** They need no further care to be equal. */
const BYTES: ValueConstraints = { valueType: 'binary' }

function compareEqual(part: ComparedPair, dialect: Dialect): Sql {
  const { one, other, range, span } = part
  if (span !== undefined) return allOf([compare(one, '>=', span[0]), ...before(one, span)])
  return TEXTUAL.has(range.valueType) ? dialect.textEquals(one, other) : areEqual(part)
}

const TEXTUAL: ReadonlySet<AttributeType> = new Set<AttributeType>(['string', 'enum', 'uuid'])

function compileOrder(strictly: OrderOperator, atLast: OrderOperator, parts: readonly ComparedPair[]): Sql {
  const [first, ...others] = parts
  if (first === undefined) return FALSE
  if (others.length === 0) return compareLast(atLast, first)
  const part = byEnumOrder(first)
  const further = sqlTag`(${areEqual(part)} and ${compileOrder(strictly, atLast, others)})`
  return sqlTag`(${compare(part.one, strictly, part.other)} or ${further})`
}

function compareLast(operator: OrderOperator, part: ComparedPair): Sql {
  const { one, range, literalValue, span } = part
  if (span !== undefined) return compareSpan(one, operator, span)
  if (range.valueType !== 'enum' || literalValue === undefined) return compare(one, operator, part.other)
  return compareByEnumOrder(one, operator, String(literalValue), range)
}

function compareSpan(one: Sql, operator: OrderOperator, span: HalfOpenRange): Sql {
  const [from, to] = span
  switch (operator) {
    case '<':
    case '>=':
      return compare(one, operator, from)
    case '<=':
      return allOf([sqlTag`(${one} is not null)`, ...before(one, span)])
    case '>':
      return to === undefined ? FALSE : compare(one, '>=', to)
    default:
      return assertNever(operator)
  }
}

function before(one: Sql, [, to]: HalfOpenRange): readonly Sql[] {
  return to === undefined ? [] : [compare(one, '<', to)]
}

/** By the declaration; two enums may have the same values in another order. */
function byEnumOrder(part: ComparedPair): ComparedPair {
  const { one, other, range } = part
  if (range.valueType !== 'enum') return part
  return { one: compileEnumIndex(one, range), other: compileEnumIndex(other, range), range: { valueType: 'integer' } }
}

function compare(one: Sql, operator: OrderOperator, other: Sql): Sql {
  return sqlTag`(${one} ${rawSql(operator)} ${other})`
}

function areEqual({ one, other }: ComparedPair): Sql {
  return sqlTag`(${one} = ${other})`
}

function allOf(conditions: readonly Sql[]): Sql {
  const all = join(conditions, ' and ')
  return conditions.length === 1 ? all : sqlTag`(${all})`
}

/** Whether its values are text for the database too, which has collations for it. */
export function isCollatedText({ valueType, databaseType, codec }: ValueConstraints): boolean {
  return valueType === 'string' && databaseType === undefined && codec === undefined
}
