import type { ObjectLiteral, QueryRunner, SelectQueryBuilder } from 'typeorm'
import type { StoredType } from '../../../graph/model/resource-graph'
import { Param } from '../../../query/tree/param'
import { compileKeyInList } from '../joins/key-conditions'
import type { ColumnMapping, DatabaseMapping, Key, PhysicalTable } from '../mapping/database-mapping'
import { idOfEntity } from '../mapping/keys'
import { rawSql, toSqlStatement } from '../sql/sql'

interface EntityContext {
  readonly mapping: DatabaseMapping
  readonly queryRunner: QueryRunner
}

/** Loads rows as TypeORM entities and calls their listeners once. With joined tables each table is loaded separately, and the parts are merged. */
export async function loadRowsAsEntities(
  type: StoredType,
  keys: readonly Key[],
  context: EntityContext,
): Promise<ObjectLiteral[]> {
  const table = context.mapping.tableOf(type)
  const { queryRunner } = context
  const [topmost, ...others] = table.tables
  const select = (part: PhysicalTable) => selectEntities(part, { keys, keyMapping: table.key }, context)
  if (others.length === 0) return select(topmost).getMany()
  const entityById = new Map<string, ObjectLiteral>()
  for (const part of table.tables) {
    for (const entity of await select(part).callListeners(false).getMany()) {
      const id = idOfEntity(entity, table, type)
      entityById.set(id, Object.assign(entityById.get(id) ?? table.metadata.create(queryRunner), entity))
    }
  }
  const entities = [...entityById.values()]
  await queryRunner.broadcaster.broadcast('Load', table.metadata, entities)
  return entities
}

interface KeysToLoad {
  readonly keys: readonly Key[]
  /** The columns of the primary key, which determine the types. */
  readonly keyMapping: readonly ColumnMapping[]
}

/** Binds all keys as one parameter. TypeORM would bind one for each key, and databases limit the number of parameters. */
function selectEntities(
  { metadata, key }: PhysicalTable,
  { keys, keyMapping }: KeysToLoad,
  { mapping: { dialect }, queryRunner }: EntityContext,
): SelectQueryBuilder<ObjectLiteral> {
  const columns = key.map((column) => rawSql(`${dialect.quote(ALIAS)}.${column}`))
  const condition = compileKeyInList(columns, new Param(keys), keyMapping, dialect)
  const nameOf = (index: number) => `key${index}`
  const { text, values } = toSqlStatement(condition, { placeholder: (index) => `:${nameOf(index)}` })
  return queryRunner.manager
    .createQueryBuilder<ObjectLiteral>(metadata.target, ALIAS)
    .where(text, Object.fromEntries(values.map((value, index) => [nameOf(index), value])))
}

const ALIAS = 'entity'
