import { In, type ObjectLiteral, type QueryRunner } from 'typeorm'
import type { StoredType } from '../../graph/resource-graph'
import { idOfEntity, whereKey } from './keys'
import type { Key, Mapping, TableMapping } from './mapping'

interface Loading {
  readonly mapping: Mapping
  readonly queryRunner: QueryRunner
}

/**
 * Rows as TypeORM's own entities, of which its listeners are told. TypeORM reads each of joined tables by itself: what comes of that is put
 * together, and told once.
 */
export async function loadEntities(type: StoredType, keys: readonly Key[], loading: Loading): Promise<ObjectLiteral[]> {
  const table = loading.mapping.tableOf(type)
  const { manager } = loading.queryRunner
  const [, ...further] = table.parts
  const where = whereKeys(keys, table.key)
  if (further.length === 0) return manager.find(table.metadata.target, { where, loadEagerRelations: false })
  const whole = new Map<string, ObjectLiteral>()
  for (const { metadata } of table.parts) {
    const rows = manager
      .createQueryBuilder(metadata.target, 'part')
      .setFindOptions({ where, loadEagerRelations: false })
    for (const part of await rows.callListeners(false).getMany()) {
      const id = idOfEntity(part, table, type)
      whole.set(id, Object.assign(whole.get(id) ?? table.metadata.create(loading.queryRunner), part))
    }
  }
  const entities = [...whole.values()]
  await loading.queryRunner.broadcaster.broadcast('Load', table.metadata, entities)
  return entities
}

function whereKeys(keys: readonly Key[], columns: TableMapping['key']): ObjectLiteral | ObjectLiteral[] {
  const [only, ...others] = columns
  if (only === undefined || others.length > 0) return keys.map((key) => whereKey(columns, key))
  const parts = new Set(keys.map(([part]) => part))
  return only.metadata.createValueMap(In([...parts].map(only.fromDatabase)))
}
