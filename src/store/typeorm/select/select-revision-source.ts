import { quoteJsonString } from '../../../document/json-text-stream'
import type { Field, StoredType } from '../../../graph/model/resource-graph'
import type { RevisionSource } from '../../read-result'
import type { SqlScope } from '../joins/scope'
import type { ColumnValuesInSelectOrder } from '../mapping/column-values-in-select-order'
import type { ColumnMapping } from '../mapping/database-mapping'
import { columnOrEmbeddedColumns } from '../mapping/embedded-columns'
import { columnsOfClassAndSuperclasses } from '../metadata/columns-of-class-and-superclasses'

/** Adds a column to the select, unless it is there already. Returns its index in the raw row. */
export type SelectColumnAndGetIndex = (
  scope: SqlScope,
  column: string | ColumnMapping,
  as: ColumnMapping['selectAs'],
) => number

/**
 * Creates the reader of a row's revision source. That is the version column, if there is one. Otherwise it consists of all values that a write can
 * change, whatever fields a document contains.
 */
export function createRevisionSourceReader(
  type: StoredType,
  scope: SqlScope,
  select: SelectColumnAndGetIndex,
): (rawRow: ColumnValuesInSelectOrder) => RevisionSource {
  const { mapping } = scope
  const { tables, key } = mapping.tableOf(type)
  const versions = tables.flatMap(({ metadata }) => metadata.columns).filter(({ isVersion }) => isVersion)
  const [versionColumn] = columnsOfClassAndSuperclasses(versions, type.resourceClass, mapping.dataSource)
  if (versionColumn !== undefined) {
    const index = select(scope, mapping.nameOf(versionColumn), 'plain')
    return (rawRow) => ({ kind: 'version', version: String(rawRow[index]) })
  }
  const keyIndexes = key.map(({ column, selectAs }) => select(scope, column, selectAs))
  const fields: readonly (readonly [Field, readonly number[]])[] = [
    ...type.attributes.map((attribute) => {
      const stored = columnOrEmbeddedColumns(mapping.columnOf(attribute)).filter(({ query }) => query === undefined)
      return [attribute, stored.map(({ column, selectAs }) => select(scope, column, selectAs))] as const
    }),
    ...type.relationships.flatMap((relationship) => {
      const relation = mapping.relationOf(relationship)
      if (relation.kind !== 'owning') return []
      const target = mapping.tableOf(relationship.target).key
      const indexes = relation.columns.map(({ column }, index) =>
        select(scope, column, target[index]?.selectAs ?? 'plain'),
      )
      return [[relationship, indexes] as const]
    }),
  ]
  const start = `[${JSON.stringify(type.name)}`
  return (rawRow) => ({
    kind: 'values',
    textOf(isVisible) {
      let text = start
      for (const index of keyIndexes) text += `,${toJson(rawRow[index])}`
      for (const [field, indexes] of fields)
        if (isVisible(field)) for (const index of indexes) text += `,${toJson(rawRow[index])}`
      return `${text}]`
    },
  })
}

/** Returns the JSON of a value in a list, with other encodings for values that JSON can't represent. `meta.version` shows it in documents. */
function toJson(raw: unknown): string {
  if (typeof raw === 'string') return quoteJsonString(raw)
  // `JSON.stringify` calls `toJSON`, which takes twice as long.
  if (raw instanceof Date && !Number.isNaN(raw.getTime())) return `"${raw.toISOString()}"`
  if (typeof raw === 'bigint') return `"${raw}"`
  if (typeof raw === 'boolean') return raw ? '1' : '0'
  return JSON.stringify(Buffer.isBuffer(raw) ? raw.toString('base64') : raw) ?? 'null'
}
