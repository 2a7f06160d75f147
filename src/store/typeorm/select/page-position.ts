import { decodeIdToRuntimeKey } from '../../../graph/model/record-id'
import { createRangeFromOffsetAndSize, type OffsetRange } from '../../../plan/read-plan'
import type { Dialect } from '../dialects/dialect'
import { compileEnumOrderComparison, type SqlOrderComparisonOperator } from '../filters/enum-order'
import { SQL_FALSE } from '../joins/scope'
import { boundConstantSql, joinSql, paramSql, rawSql, type Sql, sqlTag } from '../sql/sql'
import { evaluateParamWhileCompiling, mapParam, type ParamOrComputedParam } from '../sql/sql-param'
import type { SqlSortTerm } from './compile-sort'
import {
  compileLimitPlusOne,
  type OffsetRangeWithSizeOrParam,
  type RowRangeWithSizeOrParam,
} from './plan-layer-with-page-size-or-param'

/**
 * Returns true if rows are read backwards and reversed afterwards: the rows before a cursor, unless a second cursor is the start, and rows that are
 * counted from the end.
 */
export function isRangeReadBackwards(range: RowRangeWithSizeOrParam | KeysetRange | undefined): boolean {
  if (range?.kind === 'cursors') return range.before !== undefined && range.after === undefined
  return range?.from === 'end'
}

/** Returns the order in which the rows of a range are read. */
export function sortTermsInReadOrder(
  range: RowRangeWithSizeOrParam | KeysetRange | undefined,
  terms: readonly SqlSortTerm[],
): readonly SqlSortTerm[] {
  return isRangeReadBackwards(range) ? reversed(terms) : terms
}

function reversed(terms: readonly SqlSortTerm[]): readonly SqlSortTerm[] {
  return terms.map((term) => ({
    ...term,
    direction: term.direction === 'ascending' ? 'descending' : 'ascending',
    nulls: REVERSED[term.nulls],
  }))
}

const REVERSED = { nullable: 'nullsFirst', nullsFirst: 'nullable', notNullable: 'notNullable' } as const

/** Limits a select to the rows of a page and one more. */
export function compileOffsetLimitPlusOne({ size, offset }: OffsetRangeWithSizeOrParam): Sql {
  return sqlTag`${compileLimitPlusOne(size)} offset ${paramSql(offset)}`
}

/** Compiles the conditions on rows between the cursors of a range. */
export function compileCursorBounds(
  { after, before }: CursorBounds,
  terms: readonly SqlSortTerm[],
  dialect: Dialect,
): readonly Sql[] {
  return [
    ...(after === 'end' ? [SQL_FALSE] : compileBound(after, terms, dialect)),
    ...(before === 'end' ? [] : compileBound(before, reversed(terms), dialect)),
  ]
}

/** A position in a sorted list: a text for each sort term. */
export type KeysetPosition = readonly (ParamOrComputedParam<string> | null)[] | 'end'

export interface CursorBounds {
  readonly after: KeysetPosition | undefined
  readonly before: KeysetPosition | undefined
}

/** A `CursorRange` with values for the sort terms. */
export interface KeysetRange extends CursorBounds {
  readonly kind: 'cursors'
}

interface PositionTerm extends SqlSortTerm {
  /** The value of the position; `undefined`: null. */
  readonly text: ParamOrComputedParam<string> | undefined
}

function compileBound(
  position: readonly (ParamOrComputedParam<string> | null)[] | undefined,
  terms: readonly SqlSortTerm[],
  dialect: Dialect,
): readonly Sql[] {
  if (position === undefined) return []
  const keys = terms.map((term, index): PositionTerm => ({ ...term, text: position[index] ?? undefined }))
  return canCompareRowValues(keys, dialect)
    ? [compileRowValues(keys, dialect)]
    : [...compileStart(keys, dialect), compileAfter(keys, dialect)]
}

/** Returns true if all keys have one direction, none is nullable, and the database compares row values. */
function canCompareRowValues(keys: readonly PositionTerm[], { supportsRowValueComparison }: Dialect): boolean {
  return (
    supportsRowValueComparison &&
    keys.every(({ nulls, direction, sortExpression }) => {
      return nulls === 'notNullable' && direction === keys[0]?.direction && sortExpression === undefined
    })
  )
}

/** Compiles a condition on the rows after a position: after it by the first key, or equal in the first key and after it by the rest. */
function compileAfter([first, ...rest]: readonly PositionTerm[], dialect: Dialect): Sql {
  if (first === undefined) return SQL_FALSE
  const conditions = [...compileAfterByKey(first, dialect)]
  if (rest.length > 0) conditions.push(sqlTag`(${compileEqual(first, dialect)} and ${compileAfter(rest, dialect)})`)
  return conditions.length === 0 ? SQL_FALSE : sqlTag`(${joinSql(conditions, ' or ')})`
}

function compileAfterByKey({ text, ...key }: PositionTerm, dialect: Dialect): readonly Sql[] {
  if (text === undefined) return key.nulls === 'nullsFirst' ? [sqlTag`${key.expression} is not null`] : []
  const isAfter = compare(key, AFTER[key.direction], text, dialect)
  return key.nulls === 'nullable' ? [isAfter, sqlTag`${key.expression} is null`] : [isAfter]
}

function compileEqual({ text, ...key }: PositionTerm, dialect: Dialect): Sql {
  const { expression } = key
  return text === undefined ? sqlTag`${expression} is null` : sqlTag`${expression} = ${bindText(text, key, dialect)}`
}

function bindText(
  text: ParamOrComputedParam<string>,
  { constraints, transformedId }: SqlSortTerm,
  dialect: Dialect,
): Sql {
  if (transformedId === undefined) return dialect.bindSortValue(text, constraints)
  return paramSql(mapParam(text, (id) => transformedId.toDatabase(decodeIdToRuntimeKey(id, constraints))))
}

/** Repeats the start of the range for the first key alone, because an index can look that up. */
function compileStart([first]: readonly PositionTerm[], dialect: Dialect): readonly Sql[] {
  if (first?.text === undefined || first.nulls === 'nullable') return []
  return [compare(first, AT_OR_AFTER[first.direction], first.text, dialect)]
}

function compileRowValues(keys: readonly PositionTerm[], dialect: Dialect): Sql {
  const expressions = keys.map(({ expression }) => expression)
  const bounds = keys.map(({ text, ...key }) =>
    text === undefined ? boundConstantSql(null) : bindText(text, key, dialect),
  )
  const operator = rawSql(AFTER[keys[0]?.direction ?? 'ascending'])
  return sqlTag`(${joinSql(expressions, ', ')}) ${operator} (${joinSql(bounds, ', ')})`
}

function compare(
  key: SqlSortTerm,
  operator: SqlOrderComparisonOperator,
  text: ParamOrComputedParam<string>,
  dialect: Dialect,
): Sql {
  const { expression, constraints } = key
  if (constraints.valueType !== 'enum' || dialect.sortsEnumsByDeclaration === 'everywhere') {
    return sqlTag`${expression} ${rawSql(operator)} ${bindText(text, key, dialect)}`
  }
  return compileEnumOrderComparison(expression, operator, evaluateParamWhileCompiling(text), constraints)
}

const AFTER = { ascending: '>', descending: '<' } as const
const AT_OR_AFTER = { ascending: '>=', descending: '<=' } as const

/** How many rows come before a page. Pages of one depth share a statement. */
type PageDepthCategory = 'first' | 'middle' | 'deep'

export function classifyPageDepth(range: RowRangeWithSizeOrParam | undefined): PageDepthCategory {
  if (range?.kind !== 'numbers' || range.offset.value < MIDDLE_OFFSET) return 'first'
  return range.offset.value < DEEP_OFFSET ? 'middle' : 'deep'
}

/** Returns true if a page is so deep that a deferred join or a read from the end is faster. */
export function isDeepPage<Range extends RowRangeWithSizeOrParam>(
  range: Range | undefined,
): range is Extract<Range, { kind: 'numbers' }> {
  return classifyPageDepth(range) === 'deep'
}

/** A deferred join costs 6 µs on SQLite and 50 on PostgreSQL. From this offset it is faster on all databases (decision 009). */
const DEEP_OFFSET = 2000

/** From this offset it is faster if it saves joins of the rows before the page. */
const MIDDLE_OFFSET = 50

/** Returns the range of the same rows from the end of the list, if that is nearer. `total`: the number of all rows, above the offset. */
export function rangeFromNearerEnd(range: OffsetRange, total: number): OffsetRange {
  const [offset, size] = [range.offset.value, range.size]
  const offsetFromEnd = Math.max(total - offset - size, 0)
  if (offsetFromEnd >= offset) return range
  return { ...createRangeFromOffsetAndSize(offsetFromEnd, Math.min(size, total - offset)), from: 'end' }
}
