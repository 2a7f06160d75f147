import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata'
import type { EntityMetadata } from 'typeorm/metadata/EntityMetadata'
import type { RelationMetadata } from 'typeorm/metadata/RelationMetadata'
import type { StoredType } from '../../graph/resource-graph'
import type { Dialect } from './dialect'
import { clearableColumns, findInKeyOrder } from './foreign-columns'
import { isGuarded } from './map-relation'
import type { ForeignKey, PairTable } from './mapping'
import { quotePath } from './quote-path'
import type { Surroundings } from './surroundings'
import { hasTable, hierarchyOf, isBelow, layoutOf, partsOfRow } from './table-layout'

/** What refers to rows of a type, from any mapped class: to be loosened before such a row goes. */
export interface References {
  readonly foreignKeys: readonly ForeignKey[]
  readonly pairTables: readonly PairTable[]
}

/** Most of it follows from the relations alone, of which the classes of one table have the same. */
export function mapReferences(around: Surroundings): (type: StoredType) => References {
  const { dataSource, dialect } = around
  const relations = [...new Set(dataSource.entityMetadatas.filter(hasTable).flatMap((metadata) => metadata.relations))]
  const holding = relations
    .filter((relation) => relation.isManyToOne || relation.isOneToOneOwner)
    .flatMap((relation) =>
      mapForeignKey(relation, relations, around).map((key) => ({ referred: relation.inverseEntityMetadata, key })),
    )
  const foreignKeys = distinct(holding, ({ referred, key }) => [targetName(referred), key.part.table, ...key.columns])
  const paired = relations.filter((relation) => relation.isManyToManyOwner)
  return (type) => {
    const stored = dataSource.getMetadata(type.resourceClass)
    const keys = foreignKeys.filter(({ referred }) => holds(referred, stored)).map(({ key }) => key)
    return {
      foreignKeys: distinct(keys, ({ part, columns }) => [part.table, ...columns]),
      pairTables: mapPairTables(paired, stored, dialect),
    }
  }
}

function targetName({ tablePath, name }: EntityMetadata): string {
  return `${tablePath} ${name}`
}

function distinct<Item>(items: readonly Item[], keyOf: (item: Item) => readonly string[]): readonly Item[] {
  return [...new Map(items.map((item) => [keyOf(item).join(), item])).values()]
}

function mapForeignKey(
  relation: RelationMetadata,
  relations: readonly RelationMetadata[],
  { dialect, storedIn }: Surroundings,
): readonly ForeignKey[] {
  const { entityMetadata: metadata, joinColumns, inverseEntityMetadata } = relation
  const columns = findInKeyOrder(joinColumns, inverseEntityMetadata)
  const emptied = quoted(clearableColumns(relation), dialect)
  const isWhole = relation.onDelete !== 'CASCADE' || !isLeftInParts(metadata, relations)
  const onDelete = isWhole ? onDeleteOf(relation, emptied.length > 0) : 'deleted'
  if (columns === undefined || onDelete === undefined) return []
  return [
    {
      part: placeOf(metadata, dialect),
      stamped: stampedBeside(metadata).map((each) => placeOf(each, dialect)),
      columns: quoted(columns, dialect),
      emptied,
      types: storedIn(metadata),
      onDelete,
    },
  ]
}

/**
 * `undefined`: nothing is to be done. Where the developer has said what becomes of the key (`onDelete`), the database does it; but it does
 * not count up the version of a row whose key it empties, and empties all columns, also what is not the relation's alone.
 */
function onDeleteOf(relation: RelationMetadata, canBeEmptied: boolean): ForeignKey['onDelete'] | undefined {
  const { onDelete, isNullable, inverseEntityMetadata } = relation
  const isOptional = isNullable && canBeEmptied
  if (isOptional && onDelete === undefined) return 'emptied'
  if (isGuarded(inverseEntityMetadata)) {
    return isOptional && onDelete === 'SET NULL' && (isVersioned(relation) || keepsColumns(relation))
      ? 'emptied'
      : undefined
  }
  if (onDelete === 'CASCADE') return 'deleted'
  return isOptional && onDelete === 'SET NULL' ? 'emptied' : 'refused'
}

/**
 * Whether something would be left where the database takes rows along: the tables above, what refers to rows in several tables, or that of
 * what goes along with them in turn.
 */
function isLeftInParts(
  metadata: EntityMetadata,
  relations: readonly RelationMetadata[],
  seen: readonly EntityMetadata[] = [],
): boolean {
  if (layoutOf(metadata) === 'perConcreteType' || partsOfRow(metadata)[0] !== metadata) return true
  const along = relations.filter(({ onDelete, inverseEntityMetadata, entityMetadata }) => {
    return onDelete === 'CASCADE' && isOneHierarchy(inverseEntityMetadata, metadata) && !seen.includes(entityMetadata)
  })
  return along.some(({ entityMetadata }) =>
    isLeftInParts(entityMetadata, relations, [...seen, metadata, entityMetadata]),
  )
}

function placeOf(metadata: EntityMetadata, dialect: Dialect): ForeignKey['part'] {
  const key = quoted(metadata.primaryColumns, dialect)
  return { table: quotePath(metadata.tablePath, dialect), metadata, key }
}

function isVersioned({ entityMetadata }: RelationMetadata): boolean {
  return [entityMetadata, ...stampedBeside(entityMetadata)].some(({ versionColumn }) => versionColumn !== undefined)
}

/** Other tables that rows with a part here may have a part in. */
function stampedBeside(metadata: EntityMetadata): readonly EntityMetadata[] {
  if (layoutOf(metadata) !== 'joined') return []
  return hierarchyOf(metadata).filter(
    (each) => each !== metadata && (each.versionColumn ?? each.updateDateColumn) !== undefined,
  )
}

/** Whether what it has in common with others, or with the primary key, stays when it is emptied. */
function keepsColumns(relation: RelationMetadata): boolean {
  return clearableColumns(relation).length < relation.joinColumns.length
}

function mapPairTables(
  relations: readonly RelationMetadata[],
  stored: EntityMetadata,
  dialect: Dialect,
): readonly PairTable[] {
  const tables = new Map<string, Map<string, readonly string[]>>()
  for (const relation of relations) {
    const { junctionEntityMetadata: junction, entityMetadata: left, inverseEntityMetadata: right } = relation
    if (!relation.isManyToManyOwner || junction === undefined) continue
    const ends = [
      ...(holds(left, stored) ? [findInKeyOrder(relation.joinColumns, left)] : []),
      ...(holds(right, stored) ? [findInKeyOrder(relation.inverseJoinColumns, right)] : []),
    ].flatMap((end) => (end === undefined ? [] : [quoted(end, dialect)]))
    if (ends.length === 0) continue
    const table = quotePath(junction.tablePath, dialect)
    const known = tables.get(table) ?? new Map<string, readonly string[]>()
    tables.set(table, new Map([...known, ...ends.map((end) => [end.join(), end] as const)]))
  }
  return [...tables].map(([table, ends]) => ({ table, ends: [...ends.values()] }))
}

function quoted(columns: readonly ColumnMetadata[], dialect: Dialect): readonly string[] {
  return columns.map(({ databaseName }) => dialect.quote(databaseName))
}

/** Whether rows of the other class are rows of this one. */
export function holds(referred: EntityMetadata, stored: EntityMetadata): boolean {
  if (referred.target === stored.target) return true
  return isBelow(stored, referred) && isOneHierarchy(referred, stored)
}

function isOneHierarchy(referred: EntityMetadata, stored: EntityMetadata): boolean {
  return referred.tablePath === stored.tablePath || hierarchyOf(referred).includes(stored)
}
