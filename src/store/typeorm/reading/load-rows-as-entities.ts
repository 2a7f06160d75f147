import type { ObjectLiteral, QueryRunner, SelectQueryBuilder } from 'typeorm'
import type { StoredType } from '../../../graph/model/resource-graph'
import { Param } from '../../../query/tree/param'
import { compileKeyInList } from '../joins/key-conditions'
import type { ColumnMapping, DatabaseMapping, Key, PhysicalTable } from '../mapping/database-mapping'
import { idOfEntity } from '../mapping/keys'
import { columnsOfClassAndSuperclasses } from '../metadata/columns-of-class-and-superclasses'
import type { ColumnMetadata } from '../metadata/typeorm-metadata'
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

/** Sets the properties of these columns to the values in the database. Calls no listeners. */
export async function reloadColumnsIntoEntity(
  entity: ObjectLiteral,
  { type, key, isReloaded }: ColumnsToReload,
  context: EntityContext,
): Promise<void> {
  const { mapping } = context
  const { tables, key: keyMapping } = mapping.tableOf(type)
  for (const part of tables) {
    const { columns, primaryColumns } = part.metadata
    const own = columnsOfClassAndSuperclasses(columns, type.resourceClass, mapping.dataSource)
    const reloaded = own.filter((column) => !primaryColumns.includes(column) && isReloaded(column))
    if (reloaded.length === 0) continue
    const paths = [...primaryColumns, ...reloaded].map(({ propertyPath }) => `${ALIAS}.${propertyPath}`)
    const select = selectEntities(part, { keys: [key], keyMapping }, context).select(paths)
    const stored = await select.withDeleted().callListeners(false).getOne()
    if (stored === null) continue
    for (const column of reloaded) column.setEntityValue(entity, column.getEntityValue(stored))
  }
}

interface ColumnsToReload {
  readonly type: StoredType
  readonly key: Key
  readonly isReloaded: (column: ColumnMetadata) => boolean
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
