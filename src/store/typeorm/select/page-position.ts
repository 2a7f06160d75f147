import { decodeId } from '../../../graph/model/record-id'
import { createOffsetRange, type OffsetRange, type RowRange } from '../../../plan/read-plan'
import type { Dialect } from '../dialects/dialect'
import { compareByEnumOrder, type OrderOperator } from '../filters/enum-order'
import { FALSE } from '../joins/scope'
import { bindConstant, join, rawSql, type Sql, sqlTag, value } from '../sql/sql'
import { mapParam, type SqlParam, valueOfFirstExecution } from '../sql/sql-param'
import type { SortTerm } from './compile-sort'

/**
 * Rows before a cursor are read from it backwards, and turned round afterwards; between two cursors it goes forwards. So are rows that
 * are counted from the end.
 */
export function isBackwards(range: RowRange | KeysetRange | undefined): boolean {
  if (range?.kind === 'cursors') return range.before !== undefined && range.after === undefined
  return range?.from === 'end'
}

/** The order in which the rows of a range are read. */
export function termsInReadOrder(
  range: RowRange | KeysetRange | undefined,
  terms: readonly SortTerm[],
): readonly SortTerm[] {
  return isBackwards(range) ? reversed(terms) : terms
}

function reversed(terms: readonly SortTerm[]): readonly SortTerm[] {
  return terms.map((term) => ({
    ...term,
    direction: term.direction === 'ascending' ? 'descending' : 'ascending',
    nulls: REVERSED[term.nulls],
  }))
}

const REVERSED = { nullable: 'nullsFirst', nullsFirst: 'nullable', notNullable: 'notNullable' } as const

/** One row beyond the page tells whether there is another page. */
export function compileLimitPlusOne({ size, offset }: OffsetRange): Sql {
  return sqlTag` limit ${value(mapParam(size, (rows) => rows + 1))} offset ${value(offset)}`
}

/** The conditions on rows between the cursors of a range. */
export function compileCursorBounds(
  { after, before }: CursorBounds,
  terms: readonly SortTerm[],
  dialect: Dialect,
): readonly Sql[] {
  return [
    ...(after === 'end' ? [FALSE] : compileBound(after, terms, dialect)),
    ...(before === 'end' ? [] : compileBound(before, reversed(terms), dialect)),
  ]
}

/** The position at which a list is cut: a text for each sort term. */
export type KeysetPosition = readonly (SqlParam<string> | null)[] | 'end'

export interface CursorBounds {
  readonly after: KeysetPosition | undefined
  readonly before: KeysetPosition | undefined
}

/** A `CursorRange` by the terms of its order. */
export interface KeysetRange extends CursorBounds {
  readonly kind: 'cursors'
}

interface PositionTerm extends SortTerm {
  /** The value of the position; `undefined`: null. */
  readonly text: SqlParam<string> | undefined
}

function compileBound(
  position: readonly (SqlParam<string> | null)[] | undefined,
  terms: readonly SortTerm[],
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

/** Rows behind a position: behind it by the first key, or equal by that one and behind it by the others. */
function compileAfter([first, ...others]: readonly PositionTerm[], dialect: Dialect): Sql {
  if (first === undefined) return FALSE
  const terms = [...compileFurther(first, dialect)]
  if (others.length > 0) terms.push(sqlTag`(${compileSame(first, dialect)} and ${compileAfter(others, dialect)})`)
  return terms.length === 0 ? FALSE : sqlTag`(${join(terms, ' or ')})`
}

function compileFurther({ text, ...key }: PositionTerm, dialect: Dialect): readonly Sql[] {
  if (text === undefined) return key.nulls === 'nullsFirst' ? [sqlTag`${key.expression} is not null`] : []
  const further = compare(key, FURTHER[key.direction], text, dialect)
  return key.nulls === 'nullable' ? [further, sqlTag`${key.expression} is null`] : [further]
}

function compileSame({ text, ...key }: PositionTerm, dialect: Dialect): Sql {
  const { expression } = key
  return text === undefined ? sqlTag`${expression} is null` : sqlTag`${expression} = ${bindText(text, key, dialect)}`
}

function bindText(text: SqlParam<string>, { range, transformedId }: SortTerm, dialect: Dialect): Sql {
  if (transformedId === undefined) return dialect.bindSortValue(text, range)
  return value(mapParam(text, (id) => transformedId.toDatabase(decodeId(id, range))))
}

/** Says again by the first key alone where the rows start: that is what an index can look up. */
function compileStart([first]: readonly PositionTerm[], dialect: Dialect): readonly Sql[] {
  if (first?.text === undefined || first.nulls === 'nullable') return []
  return [compare(first, FROM[first.direction], first.text, dialect)]
}

function compileRowValues(keys: readonly PositionTerm[], dialect: Dialect): Sql {
  const expressions = keys.map(({ expression }) => expression)
  const bounds = keys.map(({ text, ...key }) =>
    text === undefined ? bindConstant(null) : bindText(text, key, dialect),
  )
  const operator = rawSql(FURTHER[keys[0]?.direction ?? 'ascending'])
  return sqlTag`(${join(expressions, ', ')}) ${operator} (${join(bounds, ', ')})`
}

function compare(key: SortTerm, operator: OrderOperator, text: SqlParam<string>, dialect: Dialect): Sql {
  const { expression, range } = key
  if (range.valueType !== 'enum' || dialect.sortsEnumsByDeclaration === 'everywhere') {
    return sqlTag`${expression} ${rawSql(operator)} ${bindText(text, key, dialect)}`
  }
  return compareByEnumOrder(expression, operator, valueOfFirstExecution(text), range)
}

const FURTHER = { ascending: '>', descending: '<' } as const
const FROM = { ascending: '>=', descending: '<=' } as const

/** Returns true if a page is deep enough to be found without reading every row before it. Its statement has another text. */
export function isDeepPage(range: RowRange | undefined): range is OffsetRange {
  return range?.kind === 'numbers' && range.offset.value >= DEEP_OFFSET
}

/** Looking for keys first costs 6 µs on SQLite and 50 on PostgreSQL; on all databases that is won back before here (decision 028). */
const DEEP_OFFSET = 2000

/** Returns the range of the same rows from the end of the list, if that is nearer. `total`: the number of all rows, above the offset. */
export function toReverseOffset(range: OffsetRange, total: number): OffsetRange {
  const [offset, size] = [range.offset.value, range.size.value]
  const behind = Math.max(total - offset - size, 0)
  if (behind >= offset) return range
  return { ...createOffsetRange(behind, Math.min(size, total - offset)), from: 'end' }
}
