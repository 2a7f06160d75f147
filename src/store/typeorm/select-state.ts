import type { StoredType } from '../../graph/resource-graph'
import type { State } from '../read-result'
import { columnsBehind } from './column-parts'
import type { ColumnMapping, Mapping } from './mapping'

/** Adds a column of the rows, unless it is there; gives the name by which a record has it. */
export type Select = (column: string | ColumnMapping, as: ColumnMapping['selectAs']) => string

/**
 * Of rows with a version that alone: it is counted up by every write. Of others all that a write can change, as the driver gives it,
 * so that it is the same whatever is shown.
 */
export function stateReaderOf(
  type: StoredType,
  mapping: Mapping,
  select: Select,
): (record: Record<string, unknown>) => State {
  const { parts, key } = mapping.tableOf(type)
  const counted = parts.find(({ metadata }) => metadata.versionColumn !== undefined)?.metadata.versionColumn
  if (counted !== undefined) {
    const version = select(mapping.nameOf(counted), 'plain')
    return (record) => ({ kind: 'version', version: String(record[version]) })
  }
  const columns = [
    ...key.map(({ column, selectAs }) => select(column, selectAs)),
    ...type.attributes.flatMap((attribute) => {
      const stored = columnsBehind(mapping.columnOf(type, attribute)).filter(({ query }) => query === undefined)
      return stored.map(({ column, selectAs }) => select(column, selectAs))
    }),
    ...type.relationships.flatMap((relationship) => {
      const link = mapping.relationOf(relationship)
      if (link.kind !== 'keyOnLeft') return []
      const target = mapping.tableOf(relationship.target).key
      return link.columns.map(({ column }, place) => select(column, target[place]?.selectAs ?? 'plain'))
    }),
  ]
  return (record) => ({
    kind: 'values',
    text: JSON.stringify([type.name, ...columns.map((column) => toPlain(record[column]))]),
  })
}

/** What JSON has no word for, or too many; and what most databases have none for, since `meta.version` shows the state in documents. */
function toPlain(raw: unknown): unknown {
  if (typeof raw === 'bigint') return String(raw)
  if (typeof raw === 'boolean') return Number(raw)
  return Buffer.isBuffer(raw) ? raw.toString('base64') : raw
}
