import type { ObjectLiteral, QueryRunner } from 'typeorm'
import type { ResourceType, StoredType } from '../../../graph/model/resource-graph'
import type { FieldSelection } from '../../../plan/read-plan'
import type { ColumnMapping, DatabaseMapping, ResourceTypeMapping } from '../mapping/database-mapping'
import { columnOrEmbeddedColumns, composeEmbeddedValue, flattenEmbeddedValue } from '../mapping/embedded-columns'
import { idOfEntity, idOfKey } from '../mapping/keys'
import type { MutableResourceRow } from '../select/mutable-resource-row'
import { loadRowsAsEntities } from './load-rows-as-entities'

interface ListenerContext {
  readonly mapping: DatabaseMapping
  readonly projection: FieldSelection
  readonly queryRunner: QueryRunner
}

/** Returns true if rows of a type have load listeners, so that TypeORM has to load them as entities too. */
export function hasLoadListeners({ concreteTypes }: ResourceType, mapping: DatabaseMapping): boolean {
  return concreteTypes.some((type) => mapping.tableOf(type).listeners.load)
}

/**
 * Loads entities of types with load listeners and copies their values to the rows. Runs one statement for each such type, and for a type with joined
 * tables one for each table.
 */
export async function setValuesFromLoadListeners(
  rows: readonly MutableResourceRow[],
  { mapping, projection, queryRunner }: ListenerContext,
): Promise<void> {
  for (const [type, listened] of rowsByType(rows, projection, mapping)) {
    const table = mapping.tableOf(type)
    const keys = listened.map(({ key }) => key)
    const entities = await loadRowsAsEntities(type, keys, { mapping, queryRunner })
    const byId = new Map(entities.map((entity: ObjectLiteral) => [idOfEntity(entity, table, type), entity]))
    const columns = projection.of(type).fetched.map((attribute) => mapping.columnOf(attribute))
    for (const [id, sameRows] of rowsByEntity(listened, table, type)) {
      const entity = byId.get(id)
      // TypeORM merges rows whose keys it can't distinguish into one entity.
      if (entity === undefined || new Set(sameRows.map((row) => row.id)).size > 1) continue
      for (const row of sameRows) {
        row.values = columns.map((column, index) => valueIn(entity, column, row.values[index]))
      }
    }
  }
}

/** Groups rows by the ids of their entities. Integers above 2^53 can lack digits there. */
function rowsByEntity(
  rows: readonly MutableResourceRow[],
  { key: columns }: ResourceTypeMapping,
  type: StoredType,
): ReadonlyMap<string, readonly MutableResourceRow[]> {
  const isExact = columns.every(({ selectAs }) => selectAs === 'plain')
  return groupBy(rows, (row) => {
    if (isExact) return row.id
    const parts = row.key.map((part, index) => (columns[index]?.selectAs === 'text' ? String(Number(part)) : part))
    return idOfKey(columns, type, parts)
  })
}

/** Reads a value from an entity. Columns with `select: false` are missing there and keep the selected value. */
function valueIn(entity: ObjectLiteral, column: ColumnMapping, selected: unknown): unknown {
  const [parts, leaves] = [flattenEmbeddedValue(column, selected), columnOrEmbeddedColumns(column)]
  const values = leaves.map((part, index): unknown => {
    const selectedPart = parts[index]?.[1]
    if (!part.metadata.isSelect) return selectedPart
    const loaded: unknown = part.metadata.getEntityValue(entity)
    return hasLostDigits(loaded, selectedPart, part) ? selectedPart : part.fromEntity(loaded)
  })
  return composeEmbeddedValue(column, values)
}

/** Returns true if the driver, and not a listener, changed the value: an integer above 2^53 lost digits. */
function hasLostDigits(loaded: unknown, selected: unknown, { selectAs }: ColumnMapping): boolean {
  return selectAs === 'text' && typeof loaded === 'number' && Number(selected) === loaded
}

function rowsByType(
  rows: readonly MutableResourceRow[],
  projection: FieldSelection,
  mapping: DatabaseMapping,
): ReadonlyMap<StoredType, readonly MutableResourceRow[]> {
  const listened = rows.filter(
    ({ type }) => mapping.tableOf(type).listeners.load && projection.of(type).fetched.length > 0,
  )
  return groupBy(listened, ({ type }) => type)
}

function groupBy<Key>(
  rows: readonly MutableResourceRow[],
  keyOf: (row: MutableResourceRow) => Key,
): ReadonlyMap<Key, readonly MutableResourceRow[]> {
  const groups = new Map<Key, MutableResourceRow[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [row])
    else group.push(row)
  }
  return groups
}
