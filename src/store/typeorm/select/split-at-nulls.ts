import type { Dialect } from '../dialects/dialect'
import { FALSE } from '../joins/scope'
import { type Sql, sqlTag } from '../sql/sql'
import type { SortTerm } from './compile-sort'
import {
  type CursorBounds,
  compileCursorBounds,
  isBackwards,
  type KeysetPosition,
  type KeysetRange,
  termsInReadOrder,
} from './page-position'

/** A piece of the sorted list: which rows there are in it, and the order of those. */
interface SortSegment {
  readonly conditions: readonly Sql[]
  readonly terms: readonly SortTerm[]
}

/**
 * Splits a range where its first key is null: rows with a value, and rows without. Each part is in the order of an index, which "nulls last" is not
 * on every database.
 */
export function splitAtNulls(range: KeysetRange, terms: readonly SortTerm[], dialect: Dialect): readonly SortSegment[] {
  const [first, ...others] = terms
  if (first?.kind !== 'ownColumn' || first.nulls === 'notNullable') {
    return [{ conditions: compileCursorBounds(range, terms, dialect), terms: termsInReadOrder(range, terms) }]
  }
  const segment = (bounds: CursorBounds | undefined, is: Sql, each: readonly SortTerm[]): readonly SortSegment[] => {
    if (bounds === undefined) return []
    return [{ conditions: [is, ...compileCursorBounds(bounds, each, dialect)], terms: termsInReadOrder(range, each) }]
  }
  const segments = [
    ...segment(boundsOfValues(range), sqlTag`${first.expression} is not null`, [
      { ...first, nulls: 'notNullable' },
      ...others,
    ]),
    ...segment(boundsOfNulls(range), sqlTag`${first.expression} is null`, others),
  ]
  if (segments.length === 0) return [{ conditions: [FALSE], terms: others }]
  return isBackwards(range) ? segments.reverse() : segments
}

/** `undefined`: the range has no rows with a value. */
function boundsOfValues({ after, before }: KeysetRange): CursorBounds | undefined {
  if (after === 'end' || isAtNull(after)) return undefined
  return { after, before: isAtNull(before) ? undefined : before }
}

/** Without the first key, by which they are all the same. */
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
