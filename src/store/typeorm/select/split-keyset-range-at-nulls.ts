import type { Dialect } from '../dialects/dialect'
import { SQL_FALSE } from '../joins/scope'
import { type Sql, sqlTag } from '../sql/sql'
import type { SqlSortTerm } from './compile-sort'
import {
  type CursorBounds,
  compileCursorBounds,
  isRangeReadBackwards,
  type KeysetPosition,
  type KeysetRange,
  sortTermsInReadOrder,
} from './page-position'

/** A segment of the sorted list: the conditions on its rows, and their order. */
interface SortSegment {
  readonly conditions: readonly Sql[]
  readonly terms: readonly SqlSortTerm[]
}

/**
 * Splits a range at the first null of its first key. An index can sort each of the two segments, but not every database has an index order with nulls
 * last.
 */
export function splitKeysetRangeAtNulls(
  range: KeysetRange,
  terms: readonly SqlSortTerm[],
  dialect: Dialect,
): readonly SortSegment[] {
  const [first, ...rest] = terms
  if (first?.kind !== 'ownColumn' || first.nulls === 'notNullable') {
    return [{ conditions: compileCursorBounds(range, terms, dialect), terms: sortTermsInReadOrder(range, terms) }]
  }
  const segment = (
    bounds: CursorBounds | undefined,
    condition: Sql,
    order: readonly SqlSortTerm[],
  ): readonly SortSegment[] => {
    if (bounds === undefined) return []
    const conditions = [condition, ...compileCursorBounds(bounds, order, dialect)]
    return [{ conditions, terms: sortTermsInReadOrder(range, order) }]
  }
  const segments = [
    ...segment(boundsOfValues(range), sqlTag`${first.expression} is not null`, [
      { ...first, nulls: 'notNullable' },
      ...rest,
    ]),
    ...segment(boundsOfNulls(range), sqlTag`${first.expression} is null`, rest),
  ]
  if (segments.length === 0) return [{ conditions: [SQL_FALSE], terms: rest }]
  return isRangeReadBackwards(range) ? segments.reverse() : segments
}

/** Returns the bounds of the rows with a value; `undefined` if the range has no such rows. */
function boundsOfValues({ after, before }: KeysetRange): CursorBounds | undefined {
  if (after === 'end' || isAtNull(after)) return undefined
  return { after, before: isAtNull(before) ? undefined : before }
}

/** Returns the bounds of the rows with null, without the first key, which is equal for all of them. */
function boundsOfNulls({ after, before }: KeysetRange): CursorBounds | undefined {
  if (after === 'end' || isAtValue(before)) return undefined
  return { after: withoutFirst(after), before: withoutFirst(before) }
}

function withoutFirst(position: KeysetPosition | undefined): KeysetPosition | undefined {
  return isAtNull(position) && position !== 'end' ? position?.slice(1) : undefined
}

function isAtNull(position: KeysetPosition | undefined): boolean {
  return Array.isArray(position) && position[0] === null
}

function isAtValue(position: KeysetPosition | undefined): boolean {
  return Array.isArray(position) && position[0] !== null
}
