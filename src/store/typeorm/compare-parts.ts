import { assertNever } from '../../errors/invariant'
import type { ValueRange, ValueType } from '../../graph/value-type'
import type { ComparisonOperator } from '../../query/ast'
import type { Dialect } from './dialect'
import { enumPlace, isOnEnumSide, type OrderOperator } from './enum-order'
import { isText } from './is-text'
import { FALSE } from './scope'
import { identifier, join, joinMany, type Sql, toSql } from './sql'

/** Two values that are compared, or two parts of keys. */
export interface ComparedPart {
  readonly one: Sql
  readonly other: Sql
  readonly range: ValueRange
  /** What the other is, where it is no column. */
  readonly given?: unknown
  /** All that is equal to what is given, where that is more than itself: from the first of these on, and before the second. */
  readonly span?: Span
}

export type Span = readonly [from: Sql, to: Sql | undefined]

/** Keys of several columns are equal in all of them, and come before each other by the first in which they differ. */
export function compareParts(operator: ComparisonOperator, parts: readonly ComparedPart[], dialect: Dialect): Sql {
  const comparable = parts.map((part) => (part.given === undefined ? betweenColumns(part, dialect) : part))
  switch (operator) {
    case 'equals':
      return together(comparable.map((part) => compareEqual(part, dialect)))
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
export function compareWithEach(comparisons: readonly (readonly ComparedPart[])[], dialect: Dialect): Sql {
  const [first] = comparisons
  const [part, ...further] = first ?? []
  if (part === undefined || further.length > 0 || comparisons.length === 1 || !isListed(part)) {
    return toSql`(${joinMany(
      comparisons.map((parts) => compareParts('equals', parts, dialect)),
      ' or ',
    )})`
  }
  const others = comparisons.flatMap((parts) => parts.map(({ other }) => other))
  if (TEXTUAL.has(part.range.valueType)) return dialect.textIsOneOf(part.one, others)
  return toSql`(${part.one} in (${join(others, ', ')}))`
}

function isListed({ range: { valueType } }: ComparedPart): boolean {
  return TEXTUAL.has(valueType) || NUMERIC.has(valueType)
}

const NUMERIC: ReadonlySet<ValueType> = new Set<ValueType>(['integer', 'bigint', 'decimal', 'float'])

/** What databases do with the values of two columns is not always what clients see of them; of two collations they refuse to choose one. */
function betweenColumns(part: ComparedPart, dialect: Dialect): ComparedPart {
  const { one, other, range } = part
  if (range.valueType === 'enum') return inPlace(part)
  if (isText(range)) return { one: dialect.byCodePoints(one), other: dialect.byCodePoints(other), range: BYTES }
  if (range.valueType !== 'datetime') return part
  return { one: dialect.toMillisecond(one), other: dialect.toMillisecond(other), range }
}

/** They need no further care to be equal. */
const BYTES: ValueRange = { valueType: 'binary' }

function compareEqual(part: ComparedPart, dialect: Dialect): Sql {
  const { one, other, range, span } = part
  if (span !== undefined) return together([compare(one, '>=', span[0]), ...before(one, span)])
  return TEXTUAL.has(range.valueType) ? dialect.textEquals(one, other) : same(part)
}

const TEXTUAL: ReadonlySet<ValueType> = new Set<ValueType>(['string', 'enum', 'uuid'])

function compileOrder(strictly: OrderOperator, atLast: OrderOperator, parts: readonly ComparedPart[]): Sql {
  const [first, ...others] = parts
  if (first === undefined) return FALSE
  if (others.length === 0) return compileLast(atLast, first)
  const part = inPlace(first)
  const further = toSql`(${same(part)} and ${compileOrder(strictly, atLast, others)})`
  return toSql`(${compare(part.one, strictly, part.other)} or ${further})`
}

function compileLast(operator: OrderOperator, part: ComparedPart): Sql {
  const { one, range, given, span } = part
  if (span !== undefined) return compareSpan(one, operator, span)
  if (range.valueType !== 'enum' || given === undefined) return compare(one, operator, part.other)
  return isOnEnumSide(one, operator, String(given), range)
}

function compareSpan(one: Sql, operator: OrderOperator, span: Span): Sql {
  const [from, to] = span
  switch (operator) {
    case '<':
    case '>=':
      return compare(one, operator, from)
    case '<=':
      return together([toSql`(${one} is not null)`, ...before(one, span)])
    case '>':
      return to === undefined ? FALSE : compare(one, '>=', to)
    default:
      return assertNever(operator)
  }
}

function before(one: Sql, [, to]: Span): readonly Sql[] {
  return to === undefined ? [] : [compare(one, '<', to)]
}

/** By the declaration; two enums may have the same values in another order. */
function inPlace(part: ComparedPart): ComparedPart {
  const { one, other, range } = part
  if (range.valueType !== 'enum') return part
  return { one: enumPlace(one, range), other: enumPlace(other, range), range: { valueType: 'integer' } }
}

function compare(one: Sql, operator: OrderOperator, other: Sql): Sql {
  return toSql`(${one} ${identifier(operator)} ${other})`
}

function same({ one, other }: ComparedPart): Sql {
  return toSql`(${one} = ${other})`
}

function together(conditions: readonly Sql[]): Sql {
  const all = join(conditions, ' and ')
  return conditions.length === 1 ? all : toSql`(${all})`
}
