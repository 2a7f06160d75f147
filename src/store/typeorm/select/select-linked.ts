import type { Relationship, StoredType } from '../../../graph/model/resource-graph'
import type { RelationshipStep } from '../../../query/tree/ast'
import type { ResourceKey } from '../../read-result'
import { compileFilter } from '../filters/compile-filter'
import { joinSteps } from '../joins/joins'
import type { SqlScope } from '../joins/scope'
import { createKeyReader } from '../mapping/keys'
import type { ColumnMapping } from '../mapping/mapping'
import type { RawRow } from '../mapping/raw-row'
import { NOTHING_LINKED } from './loaded-row'

/** Adds a column of a table in the statement, once, and returns its index in the raw row. */
export type SelectColumnFrom = (
  scope: SqlScope,
  column: string | ColumnMapping,
  as: ColumnMapping['selectAs'],
) => number

/** Reads the id and stored type at the other end of to-one relationships by a join, without a read of its own. */
export function createLinkageReader(
  steps: readonly RelationshipStep[],
  scope: SqlScope,
  selectFrom: SelectColumnFrom,
): (rawRow: RawRow) => ReadonlyMap<Relationship, ResourceKey | null> {
  const ends = steps.map((step) => {
    const right = joinSteps(scope, [step], compileFilter)
    const { key: columns, discriminator, toId } = right.mapping.tableOf(right.type)
    const kind = discriminator && selectFrom(right, discriminator.column, 'plain')
    const places = columns.map(({ column, selectAs }) => selectFrom(right, column, selectAs))
    const readKey = createKeyReader(columns, places)
    const typeOf = (rawRow: RawRow): StoredType | undefined =>
      discriminator === undefined || kind === undefined
        ? right.type.concreteTypes[0]
        : discriminator.typeOf(rawRow[kind])
    return (rawRow: RawRow): readonly [Relationship, ResourceKey | null] => {
      const key = readKey(rawRow)
      const type = key === undefined ? undefined : typeOf(rawRow)
      return [step.relationship, key === undefined || type === undefined ? null : { type, id: toId(key) }]
    }
  })
  return ends.length === 0 ? () => NOTHING_LINKED : (rawRow) => new Map(ends.map((read) => read(rawRow)))
}
