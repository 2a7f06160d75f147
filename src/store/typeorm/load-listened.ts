import type { ObjectLiteral, QueryRunner } from 'typeorm'
import type { ResourceType, StoredType } from '../../graph/resource-graph'
import type { ShownFields } from '../../plan/read-plan'
import { assemble, columnsBehind, divide } from './column-parts'
import { idOfEntity } from './keys'
import { loadEntities } from './load-entities'
import type { LoadedRow } from './loaded-row'
import type { ColumnMapping, Mapping } from './mapping'

interface Listening {
  readonly mapping: Mapping
  readonly shown: ShownFields
  readonly queryRunner: QueryRunner
}

/** Whether rows of a type may have to be loaded once more. */
export function hasListeners({ concreteTypes }: ResourceType, mapping: Mapping): boolean {
  return concreteTypes.some((type) => mapping.tableOf(type).listeners.load)
}

/**
 * Rows of types whose entities TypeORM tells listeners of when it loads them: their values are those of the entities. One statement for
 * each such type, on joined tables one for each of its tables.
 */
export async function loadListened(
  rows: readonly LoadedRow[],
  { mapping, shown, queryRunner }: Listening,
): Promise<void> {
  for (const [type, listened] of rowsByType(rows, shown, mapping)) {
    const table = mapping.tableOf(type)
    const keys = listened.map(({ key }) => key)
    const entities = await loadEntities(type, keys, { mapping, queryRunner })
    const idOf = (entity: ObjectLiteral) => idOfEntity(entity, table, type)
    const byId = new Map(entities.map((entity: ObjectLiteral) => [idOf(entity), entity]))
    const columns = shown.of(type).fetched.map((attribute) => mapping.columnOf(type, attribute))
    for (const row of listened) {
      const entity = byId.get(row.id)
      if (entity !== undefined) row.values = columns.map((column, place) => valueIn(entity, column, row.values[place]))
    }
  }
}

/** TypeORM leaves out what is to be selected by name. */
function valueIn(entity: ObjectLiteral, column: ColumnMapping, selected: unknown): unknown {
  const [parts, behind] = [divide(column, selected), columnsBehind(column)]
  const values = behind.map((part, place): unknown => {
    const own = parts[place]?.[1]
    if (!part.metadata.isSelect) return own
    const loaded: unknown = part.metadata.getEntityValue(entity)
    return hasLostDigits(loaded, own, part) ? own : part.fromEntity(loaded)
  })
  return assemble(column, values)
}

/** Nobody has changed it: it is what a driver makes of an integer above 2^53. */
function hasLostDigits(loaded: unknown, selected: unknown, { selectAs }: ColumnMapping): boolean {
  return selectAs === 'text' && typeof loaded === 'number' && Number(selected) === loaded
}

function rowsByType(
  rows: readonly LoadedRow[],
  shown: ShownFields,
  mapping: Mapping,
): ReadonlyMap<StoredType, readonly LoadedRow[]> {
  const groups = new Map<StoredType, LoadedRow[]>()
  for (const row of rows) {
    if (!mapping.tableOf(row.type).listeners.load || shown.of(row.type).fetched.length === 0) continue
    const group = groups.get(row.type)
    if (group === undefined) groups.set(row.type, [row])
    else group.push(row)
  }
  return groups
}
