import type { SortTerm } from './compile-sort'
import type { Dialect } from './dialect'
import {
  type Bounds,
  compilePositions,
  inDirection,
  isBackwards,
  type TermPosition,
  type TermRange,
} from './page-position'
import { FALSE } from './scope'
import { type Sql, toSql } from './sql'

/** A piece of the sorted list: which rows there are in it, and the order of those. */
export interface Stretch {
  readonly conditions: readonly Sql[]
  readonly terms: readonly SortTerm[]
}

/**
 * A range of the sorted list, as one stretch, or as two where its first key is a column that may be null: rows that have the value, and
 * those that lack it. The values of each then stand in an index as they are sorted, which "nulls last" does not on every database.
 */
export function splitNulls(range: TermRange, terms: readonly SortTerm[], dialect: Dialect): readonly Stretch[] {
  const [first, ...others] = terms
  if (first?.kind !== 'ownColumn' || first.nulls === 'notNullable') {
    return [{ conditions: compilePositions(range, terms, dialect), terms: inDirection(range, terms) }]
  }
  const stretch = (bounds: Bounds | undefined, is: Sql, each: readonly SortTerm[]): readonly Stretch[] => {
    if (bounds === undefined) return []
    return [{ conditions: [is, ...compilePositions(bounds, each, dialect)], terms: inDirection(range, each) }]
  }
  const stretches = [
    ...stretch(boundsOfValues(range), toSql`${first.expression} is not null`, [
      { ...first, nulls: 'notNullable' },
      ...others,
    ]),
    ...stretch(boundsOfNulls(range), toSql`${first.expression} is null`, others),
  ]
  if (stretches.length === 0) return [{ conditions: [FALSE], terms: others }]
  return isBackwards(range) ? stretches.reverse() : stretches
}

/** `undefined`: the range has no rows with a value. */
function boundsOfValues({ after, before }: TermRange): Bounds | undefined {
  if (after === 'end' || isAtNull(after)) return undefined
  return { after, before: isAtNull(before) ? undefined : before }
}

/** Without the first key, by which they are all the same. */
function boundsOfNulls({ after, before }: TermRange): Bounds | undefined {
  if (after === 'end' || isAtValue(before)) return undefined
  return { after: behindFirst(after), before: behindFirst(before) }
}

function behindFirst(position: TermPosition | undefined): TermPosition | undefined {
  return isAtNull(position) && position !== 'end' ? position?.slice(1) : undefined
}

function isAtNull(position: TermPosition | undefined): boolean {
  return Array.isArray(position) && position[0] === null
}

function isAtValue(position: TermPosition | undefined): boolean {
  return Array.isArray(position) && position[0] !== null
}
