import { assertNever } from '../../../errors/invariant'
import type { AttributeType, ValueConstraints } from '../../../graph/model/value-type'
import type { ComparisonOperator } from '../../../query/tree/ast'
import type { Dialect } from '../dialects/dialect'
import { SQL_FALSE } from '../joins/scope'
import { joinConditionsInGroups, joinSql, rawSql, type Sql, sqlTag } from '../sql/sql'
import { compileEnumOrderComparison, compileEnumPosition, type SqlOrderComparisonOperator } from './enum-order'

/** Two values, or two parts of keys, that are compared. */
export interface ComparedPair {
  readonly one: Sql
  readonly other: Sql
  readonly constraints: ValueConstraints
  /** The value of `other` if it is a literal; `undefined` if it is a column. */
  readonly literalValue?: unknown
  /** The values that count as equal to a literal, if there are several: at least `from` and less than `to`. */
  readonly span?: HalfOpenSqlRange
}

/** The values from the first bound on and before the second. */
export type HalfOpenSqlRange = readonly [from: Sql, to: Sql | undefined]

/** Compiles a comparison. Composite keys are equal if all parts are equal; the first part that differs determines their order. */
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
 * Compiles a comparison with any of several values. A list `in (…)` is much faster than comparisons joined with `or`, which the database evaluates
 * one by one for each row: 500 values and 100,000 rows take a second. Moments are not compared in lists, because each can be a span and MySQL would
 * compare them as text.
 */
export function compileEqualsAnyComparison(comparisons: readonly (readonly ComparedPair[])[], dialect: Dialect): Sql {
  const [first] = comparisons
  const [part, ...otherParts] = first ?? []
  if (part === undefined || otherParts.length > 0 || comparisons.length === 1 || !supportsList(part)) {
    return sqlTag`(${joinConditionsInGroups(
      comparisons.map((parts) => compileValueComparison('equals', parts, dialect)),
      ' or ',
    )})`
  }
  const list = comparisons.flatMap((parts) => parts.map(({ other }) => other))
  if (isExactText(part.constraints)) return dialect.textInList(part.one, list)
  return sqlTag`(${part.one} in (${joinSql(list, ', ')}))`
}

function supportsList({ constraints: { valueType } }: ComparedPair): boolean {
  return TEXTUAL.has(valueType) || NUMERIC.has(valueType)
}

const NUMERIC: ReadonlySet<AttributeType> = new Set<AttributeType>(['integer', 'bigint', 'decimal', 'float'])

/** Converts two columns to what clients see of them, and gives text one collation: databases reject a comparison of two collations. */
function compareColumns(part: ComparedPair, dialect: Dialect): ComparedPair {
  const { one, other, constraints } = part
  if (constraints.valueType === 'enum') return byEnumOrder(part)
  if (isCollatedText(constraints))
    return {
      one: dialect.withBinaryCollation(one),
      other: dialect.withBinaryCollation(other),
      constraints: BINARY_TEXT,
    }
  if (constraints.valueType !== 'datetime') return part
  return { one: dialect.truncateToMillisecond(one), other: dialect.truncateToMillisecond(other), constraints }
}

/** Text with a binary collation compares with `=` alone. */
const BINARY_TEXT: ValueConstraints = { valueType: 'binary' }

function compareEqual(part: ComparedPair, dialect: Dialect): Sql {
  const { one, other, constraints, span } = part
  if (span !== undefined) return allOf([compare(one, '>=', span[0]), ...before(one, span)])
  return isExactText(constraints) ? dialect.textEquals(one, other) : areEqual(part)
}

/** Returns true for text that is equal only to itself. Values of types that the library does not know have several spellings. */
function isExactText({ valueType, databaseType }: ValueConstraints): boolean {
  return TEXTUAL.has(valueType) && databaseType === undefined
}

const TEXTUAL: ReadonlySet<AttributeType> = new Set<AttributeType>(['string', 'enum', 'uuid'])

function compileOrder(
  operator: SqlOrderComparisonOperator,
  lastOperator: SqlOrderComparisonOperator,
  parts: readonly ComparedPair[],
): Sql {
  const [first, ...rest] = parts
  if (first === undefined) return SQL_FALSE
  if (rest.length === 0) return compareLast(lastOperator, first)
  const part = byEnumOrder(first)
  const equalFirst = sqlTag`(${areEqual(part)} and ${compileOrder(operator, lastOperator, rest)})`
  return sqlTag`(${compare(part.one, operator, part.other)} or ${equalFirst})`
}

function compareLast(operator: SqlOrderComparisonOperator, part: ComparedPair): Sql {
  const { one, constraints, literalValue, span } = part
  if (span !== undefined) return compareSpan(one, operator, span)
  if (constraints.valueType !== 'enum' || literalValue === undefined) return compare(one, operator, part.other)
  return compileEnumOrderComparison(one, operator, String(literalValue), constraints)
}

function compareSpan(one: Sql, operator: SqlOrderComparisonOperator, span: HalfOpenSqlRange): Sql {
  const [from, to] = span
  switch (operator) {
    case '<':
    case '>=':
      return compare(one, operator, from)
    case '<=':
      return allOf([sqlTag`(${one} is not null)`, ...before(one, span)])
    case '>':
      return to === undefined ? SQL_FALSE : compare(one, '>=', to)
    default:
      return assertNever(operator)
  }
}

function before(one: Sql, [, to]: HalfOpenSqlRange): readonly Sql[] {
  return to === undefined ? [] : [compare(one, '<', to)]
}

/** Compares enum values by their indexes in the declaration. Two enums can declare the same values in different orders. */
function byEnumOrder(part: ComparedPair): ComparedPair {
  const { one, other, constraints } = part
  if (constraints.valueType !== 'enum') return part
  return {
    one: compileEnumPosition(one, constraints),
    other: compileEnumPosition(other, constraints),
    constraints: { valueType: 'integer' },
  }
}

function compare(one: Sql, operator: SqlOrderComparisonOperator, other: Sql): Sql {
  return sqlTag`(${one} ${rawSql(operator)} ${other})`
}

function areEqual({ one, other }: ComparedPair): Sql {
  return sqlTag`(${one} = ${other})`
}

function allOf(conditions: readonly Sql[]): Sql {
  const all = joinSql(conditions, ' and ')
  return conditions.length === 1 ? all : sqlTag`(${all})`
}

/** Returns true if the values are text in the database too, so that collations apply to them. */
export function isCollatedText({ valueType, databaseType, codec }: ValueConstraints): boolean {
  return valueType === 'string' && databaseType === undefined && codec === undefined
}
