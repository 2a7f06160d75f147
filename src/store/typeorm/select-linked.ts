import type { Relationship, StoredType } from '../../graph/resource-graph'
import type { Hop } from '../../query/ast'
import type { RightEnd } from '../read-result'
import { compileFilter } from './compile-filter'
import { followHops } from './hops'
import { keyReader } from './keys'
import { NOTHING_LINKED } from './loaded-row'
import type { ColumnMapping } from './mapping'
import type { Scope } from './scope'

/** Adds a column of a table in the statement, by its quoted name or a virtual one, unless it is there; gives the name by which a record has it. */
export type SelectFrom = (scope: Scope, column: string | ColumnMapping, as: ColumnMapping['selectAs']) => string

/** What stands at the other end of relationships to one, without reading it: its id and stored type come along by a join. */
export function linkedReaderOf(
  hops: readonly Hop[],
  scope: Scope,
  selectFrom: SelectFrom,
): (record: Record<string, unknown>) => ReadonlyMap<Relationship, RightEnd | null> {
  const ends = hops.map((hop) => {
    const right = followHops(scope, [hop], compileFilter)
    const { key: columns, discriminator, toId } = right.mapping.tableOf(right.type)
    const kind = discriminator && selectFrom(right, discriminator.column, 'plain')
    const names = columns.map(({ column, selectAs }) => selectFrom(right, column, selectAs))
    const readKey = keyReader(columns, names)
    const typeOf = (record: Record<string, unknown>): StoredType | undefined =>
      discriminator === undefined || kind === undefined
        ? right.type.concreteTypes[0]
        : discriminator.typeOf(record[kind])
    return (record: Record<string, unknown>): readonly [Relationship, RightEnd | null] => {
      const key = readKey(record)
      const type = key === undefined ? undefined : typeOf(record)
      return [hop.relationship, key === undefined || type === undefined ? null : { type, id: toId(key) }]
    }
  })
  return ends.length === 0 ? () => NOTHING_LINKED : (record) => new Map(ends.map((read) => read(record)))
}
