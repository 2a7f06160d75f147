import type { ResourceClass } from 'stemma'
import type { DataSource, EntityMetadata, ObjectLiteral } from 'typeorm'
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata'
import type { RelationMetadata } from 'typeorm/metadata/RelationMetadata'
import { inheritanceStrategyOf, multiTableHierarchyOrSelf } from '../../src/store/typeorm/metadata/inheritance-strategy'
import { quoted, relationOf, tablesOf } from './row-tables'

/** Returns the stored rows of a class by property, as instances of their classes. Relations are keys. */
export async function findRows(dataSource: DataSource, entity: ResourceClass): Promise<readonly ObjectLiteral[]> {
  const metadata = dataSource.getMetadata(entity)
  const tables =
    inheritanceStrategyOf(metadata) === 'joined' ? multiTableHierarchyOrSelf(metadata) : tablesOf(dataSource, entity)
  const found = await Promise.all(tables.map((table) => readRowParts(dataSource, table)))
  const rows = new Map<string, ObjectLiteral>()
  for (const { target, key, values } of found.flat())
    rows.set(key, Object.assign(rows.get(key) ?? Object.create(target.prototype), values))
  return [...rows.values()].filter((row) => row instanceof entity)
}

export async function findRow(dataSource: DataSource, entity: ResourceClass, key: unknown): Promise<ObjectLiteral> {
  const rows = await findRows(dataSource, entity)
  const row = rows.find((each) => isSame(primaryKeyOf(dataSource.getMetadata(entity), each), key))
  if (row === undefined) throw new Error(`There is no ${entity.name} ${key}.`)
  return row
}

interface RowPart {
  /** The class of the row, if the root's table has a discriminator. */
  readonly target: ResourceClass
  readonly key: string
  readonly values: ObjectLiteral
}

async function readRowParts(dataSource: DataSource, table: EntityMetadata): Promise<readonly RowPart[]> {
  const { discriminatorColumn, childEntityMetadatas } = table
  const rows: readonly ObjectLiteral[] = await dataSource.query(`select * from ${quoted(dataSource, table)}`)
  return rows.flatMap((row) => {
    const kind: unknown = discriminatorColumn && row[discriminatorColumn.databaseName]
    const kinds = [...multiTableHierarchyOrSelf(table), ...childEntityMetadatas]
    const stored = kind ? kinds.find((each) => each.discriminatorValue === kind) : table
    if (stored === undefined) return []
    const { columns } = inheritanceStrategyOf(table) === 'single' ? stored : table
    const values = toValues(dataSource, row, columns)
    return [{ target: stored.target as ResourceClass, key: JSON.stringify(primaryKeyOf(table, values)), values }]
  })
}

function toValues({ driver }: DataSource, row: ObjectLiteral, columns: readonly ColumnMetadata[]): ObjectLiteral {
  const values: ObjectLiteral = {}
  for (const column of columns) {
    const value = driver.prepareHydratedValue(row[column.databaseName], column)
    const { isVirtual, isDiscriminator, relationMetadata } = column
    if (isVirtual && relationMetadata !== undefined && value === null) values[relationMetadata.propertyName] = null
    else if (!(isVirtual && isDiscriminator)) column.setEntityValue(values, value)
  }
  return values
}

/** Returns the key of a row: one value, or the values of several columns by property. */
export function primaryKeyOf({ primaryColumns: [first, ...others] }: EntityMetadata, row: ObjectLiteral): unknown {
  if (first !== undefined && others.length === 0) return first.getEntityValue(row)
  return Object.fromEntries([first, ...others].map((each) => [each?.propertyName, each?.getEntityValue(row)]))
}

/** Returns the keys of the rows linked to one row, through relations whose keys have one column. */
export async function findLinked(
  dataSource: DataSource,
  [entity, key]: readonly [entity: ResourceClass, key: unknown],
  property: string,
): Promise<readonly unknown[]> {
  const relation = relationOf(dataSource, entity, property)
  const { inverseRelation, inverseEntityMetadata } = relation
  const toKey = (row: ObjectLiteral): unknown => primaryKeyOf(inverseEntityMetadata, row)
  if (relation.isManyToMany)
    return (await junctionKeysOf(dataSource, relation)).filter(([left]) => isSame(left, key)).map(([, right]) => right)
  if (relation.isOwning) return [(await findRow(dataSource, entity, key))[property]].filter((row) => row).map(toKey)
  const rows = await findRows(dataSource, inverseEntityMetadata.target as ResourceClass)
  const isLinked = (owner: unknown) => owner && isSame(primaryKeyOf(dataSource.getMetadata(entity), owner), key)
  return rows.filter((row) => isLinked(row[inverseRelation?.propertyName ?? ''])).map(toKey)
}

async function junctionKeysOf(
  dataSource: DataSource,
  relation: RelationMetadata,
): Promise<readonly [unknown, unknown][]> {
  const { isOwning, inverseRelation, junctionEntityMetadata } = relation
  const owner = isOwning ? relation : inverseRelation
  const left = owner?.joinColumns[0]?.databaseName ?? ''
  const right = owner?.inverseJoinColumns[0]?.databaseName ?? ''
  if (junctionEntityMetadata === undefined) return []
  const path = quoted(dataSource, junctionEntityMetadata)
  const pairs: readonly ObjectLiteral[] = await dataSource.query(`select * from ${path}`)
  return pairs.map((pair) => (isOwning ? [pair[left], pair[right]] : [pair[right], pair[left]]))
}

function isSame(one: unknown, other: unknown): boolean {
  return String(one) === String(other)
}
