import type { ResourceClass } from 'stemma'
import type { DataSource, EntityMetadata, ObjectLiteral } from 'typeorm'
import { tablesOfRow } from '../../src/store/typeorm/metadata/inheritance-strategy'
import { findRows, primaryKeyOf } from './find-rows'
import { relationOf, tablesOf } from './row-tables'
import { generateKeys } from './shared-keys'

// Inserts rows without rules, for every table layout. TypeORM itself supports neither rows in several tables nor classes whose rows are in
// tables of other classes.

/** Number of rows per statement. TypeORM reads back generated values with one condition for each row. */
const BATCH_SIZE = 100

/** Inserts rows and returns their keys by property. The value of a relation is a key, or a list of keys. */
export async function insertRows(
  dataSource: DataSource,
  entity: ResourceClass,
  rows: readonly object[],
): Promise<readonly ObjectLiteral[]> {
  const metadata = dataSource.getMetadata(entity)
  const keyed = await generateKeys(dataSource, metadata, rows)
  const keys: ObjectLiteral[] = []
  for (let first = 0; first < keyed.length; first += BATCH_SIZE)
    keys.push(...(await insertBatch(dataSource, metadata, keyed.slice(first, first + BATCH_SIZE))))
  const linked = tablesOfRow(metadata)
    .flatMap(({ relations }) => relations)
    .filter((relation) => !relation.isManyToOne && !relation.isOneToOneOwner)
  for (const { propertyName } of linked) {
    for (const [index, row] of rows.entries()) {
      const related: unknown = (row as ObjectLiteral)[propertyName]
      if (related !== undefined && related !== null)
        await linkRow(dataSource, [entity, keys[index]], propertyName, related)
    }
  }
  return keys
}

export async function insertRow(dataSource: DataSource, entity: ResourceClass, row: object): Promise<ObjectLiteral> {
  const [key] = await insertRows(dataSource, entity, [row])
  return key ?? {}
}

/** The root's table comes first, because it generates the key of the others. */
async function insertBatch(
  dataSource: DataSource,
  metadata: EntityMetadata,
  rows: readonly ObjectLiteral[],
): Promise<readonly ObjectLiteral[]> {
  const [root = metadata, ...others] = tablesOfRow(metadata)
  const insert = dataSource.createQueryBuilder().insert().into(root.target)
  const { mainAlias } = insert.expressionMap
  const { discriminatorValue } = metadata
  if (others.length > 0 && mainAlias)
    mainAlias.metadata = Object.create(root, { discriminatorValue: { value: discriminatorValue } })
  const { identifiers } = await insert.values(rows.map((row) => ({ ...row }))).execute()
  const keys = rows.map((row, index) => ({ ...identifiers[index], ...explicitKeyOf(dataSource, root, row) }))
  for (const { target } of others) {
    const parts = rows.map((row, index) => ({ ...row, ...keys[index] }))
    await dataSource.createQueryBuilder().insert().into(target).values(parts).execute()
  }
  return keys
}

/** Returns the key values of the row itself. On other databases than PostgreSQL, TypeORM assumes consecutive keys and ignores these. */
function explicitKeyOf({ options }: DataSource, { primaryColumns }: EntityMetadata, row: ObjectLiteral): ObjectLiteral {
  if (options.type === 'postgres') return {}
  const explicitValues = primaryColumns.map((each) => [each.propertyName, each.getEntityValue(row)])
  return Object.fromEntries(explicitValues.filter(([, value]) => value !== undefined))
}

/** Sets a to-one relation, or adds to a to-many one. The source row is identified by its class and key. */
export async function linkRow(
  dataSource: DataSource,
  [entity, key]: readonly [entity: ResourceClass, key: unknown],
  property: string,
  related: unknown,
): Promise<void> {
  const all = [related].flat()
  const relation = relationOf(dataSource, entity, property)
  const { inverseRelation, entityMetadata } = relation
  if (relation.isManyToMany) {
    const ends = dataSource.createQueryBuilder().relation(entityMetadata.target, property).of(key)
    // TypeORM adds several keys in one call only if they have one column.
    for (const relatedKey of all) await ends.add(relatedKey)
  } else if (relation.isManyToOne || relation.isOneToOneOwner) {
    await updateRows(dataSource, [entity, key], { [property]: all[0] })
  } else if (inverseRelation !== undefined) {
    const right = inverseRelation.entityMetadata.target as ResourceClass
    for (const each of all) await linkRow(dataSource, [right, each], inverseRelation.propertyName, key)
  }
}

/** Changes one row, or all rows without a key. */
export async function updateRows(
  dataSource: DataSource,
  [entity, key]: readonly [entity: ResourceClass, key?: unknown],
  values: object,
): Promise<void> {
  for (const table of tablesOf(dataSource, entity)) {
    const own = Object.entries(values).filter(([property]) => table.findColumnsWithPropertyPath(property).length > 0)
    if (own.length === 0) continue
    const update = dataSource.createQueryBuilder().update(table.target).set(Object.fromEntries(own))
    await (key === undefined ? update : update.whereInIds(key)).execute()
  }
}

/** Deletes one row, or all rows without a key. */
export async function deleteRows(dataSource: DataSource, entity: ResourceClass, key?: unknown): Promise<void> {
  const metadata = dataSource.getMetadata(entity)
  const [root = metadata, ...others] = tablesOfRow(metadata)
  // Parts of a row are deleted with the root's row, by their foreign keys.
  const tables = others.length > 0 ? [root] : tablesOf(dataSource, entity)
  const keys =
    key !== undefined || others.length === 0
      ? [key]
      : (await findRows(dataSource, entity)).map((row) => primaryKeyOf(metadata, row))
  for (const { target } of tables) {
    for (const each of keys) {
      const removal = dataSource.createQueryBuilder().delete().from(target)
      await (each === undefined ? removal : removal.whereInIds(each)).execute()
    }
  }
}
