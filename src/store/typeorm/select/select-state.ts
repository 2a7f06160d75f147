import type { Field, StoredType } from '../../../graph/model/resource-graph'
import type { RevisionSource } from '../../read-result'
import type { SqlScope } from '../joins/scope'
import { leafColumns } from '../mapping/embedded-columns'
import type { ColumnMapping } from '../mapping/mapping'
import type { RawRow } from '../mapping/raw-row'

/** Adds a column of a table in the statement, once, and returns its index in the raw row. */
export type AddSelectColumn = (scope: SqlScope, column: string | ColumnMapping, as: ColumnMapping['selectAs']) => number

/**
 * The state is the version if there is one, which every write counts up. Otherwise it is all values that a write can change, as the driver returns
 * them, independent of the fields that a document shows.
 */
export function createStateReader(
  type: StoredType,
  scope: SqlScope,
  select: AddSelectColumn,
): (rawRow: RawRow) => RevisionSource {
  const { mapping } = scope
  const { tables, key } = mapping.tableOf(type)
  const counted = tables.find(({ metadata }) => metadata.versionColumn !== undefined)?.metadata.versionColumn
  if (counted !== undefined) {
    const version = select(scope, mapping.nameOf(counted), 'plain')
    return (rawRow) => ({ kind: 'version', version: String(rawRow[version]) })
  }
  const keyPlaces = key.map(({ column, selectAs }) => select(scope, column, selectAs))
  const fields: readonly (readonly [Field, readonly number[]])[] = [
    ...type.attributes.map((attribute) => {
      const stored = leafColumns(mapping.columnOf(attribute)).filter(({ query }) => query === undefined)
      return [attribute, stored.map(({ column, selectAs }) => select(scope, column, selectAs))] as const
    }),
    ...type.relationships.flatMap((relationship) => {
      const link = mapping.relationOf(relationship)
      if (link.kind !== 'owning') return []
      const target = mapping.tableOf(relationship.target).key
      const indexes = link.columns.map(({ column }, index) => select(scope, column, target[index]?.selectAs ?? 'plain'))
      return [[relationship, indexes] as const]
    }),
  ]
  return (rawRow) => ({
    kind: 'values',
    textOf(isSeen) {
      const seen = fields.flatMap(([field, indexes]) => (isSeen(field) ? indexes : []))
      return JSON.stringify([type.name, ...[...keyPlaces, ...seen].map((index) => toPlain(rawRow[index]))])
    },
  })
}

/** Encodes values that JSON can't represent, because `meta.version` shows the state in documents. */
function toPlain(raw: unknown): unknown {
  if (typeof raw === 'bigint') return String(raw)
  if (typeof raw === 'boolean') return Number(raw)
  return Buffer.isBuffer(raw) ? raw.toString('base64') : raw
}
