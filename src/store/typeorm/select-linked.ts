import type { Relationship, StoredType } from '../../graph/resource-graph'
import type { Hop } from '../../query/ast'
import type { RightEnd } from '../read-result'
import type { Cells } from './cells'
import { compileFilter } from './compile-filter'
import { followHops } from './hops'
import { keyReader } from './keys'
import { NOTHING_LINKED } from './loaded-row'
import type { ColumnMapping } from './mapping'
import type { Scope } from './scope'

/** Adds a column of a table in the statement, by its quoted name or a virtual one, unless it is there; gives its place among the cells of a row. */
export type SelectFrom = (scope: Scope, column: string | ColumnMapping, as: ColumnMapping['selectAs']) => number

/** What stands at the other end of relationships to one, without reading it: its id and stored type come along by a join. */
export function linkedReaderOf(
  hops: readonly Hop[],
  scope: Scope,
  selectFrom: SelectFrom,
): (cells: Cells) => ReadonlyMap<Relationship, RightEnd | null> {
  const ends = hops.map((hop) => {
    const right = followHops(scope, [hop], compileFilter)
    const { key: columns, discriminator, toId } = right.mapping.tableOf(right.type)
    const kind = discriminator && selectFrom(right, discriminator.column, 'plain')
    const places = columns.map(({ column, selectAs }) => selectFrom(right, column, selectAs))
    const readKey = keyReader(columns, places)
    const typeOf = (cells: Cells): StoredType | undefined =>
      discriminator === undefined || kind === undefined
        ? right.type.concreteTypes[0]
        : discriminator.typeOf(cells[kind])
    return (cells: Cells): readonly [Relationship, RightEnd | null] => {
      const key = readKey(cells)
      const type = key === undefined ? undefined : typeOf(cells)
      return [hop.relationship, key === undefined || type === undefined ? null : { type, id: toId(key) }]
    }
  })
  return ends.length === 0 ? () => NOTHING_LINKED : (cells) => new Map(ends.map((read) => read(cells)))
}
