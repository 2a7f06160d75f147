import type { EntityMetadata } from 'typeorm'
import { getOrCompute } from '../../../cache/get-or-compute'
import type { StoredType } from '../../../graph/model/resource-graph'
import { type Dialect, quoteTablePath } from '../dialects/dialect'
import { canBeSetNull, columnsToSetNull, sortForeignKeyColumnsLikeKey } from '../metadata/foreign-key-columns'
import {
  entityHasOwnOrSharedTable,
  inheritanceStrategyOf,
  isMetadataOfSubclass,
  multiTableHierarchyOrSelf,
  tablesOfRow,
} from '../metadata/inheritance-strategy'
import type { ColumnMetadata, RelationMetadata } from '../metadata/typeorm-metadata'
import type { InboundForeignKey, InboundJunctionTable } from './database-mapping'
import type { DatabaseMappingContext } from './database-mapping-context'
import { hasForeignKeyConstraint } from './map-relation'

/** References to rows of a type from any mapped class, which are cleared or deleted before such a row. */
interface InboundReferences {
  readonly foreignKeys: readonly InboundForeignKey[]
  readonly junctionTables: readonly InboundJunctionTable[]
}

/**
 * Maps references to rows. The relations are mapped once for all types, because the classes of one table share them. So are the references to types
 * whose rows belong to the same referred classes.
 */
export function mapInboundReferences(context: DatabaseMappingContext): (type: StoredType) => InboundReferences {
  const { dataSource, dialect } = context
  const relations = [
    ...new Set(dataSource.entityMetadatas.filter(entityHasOwnOrSharedTable).flatMap((metadata) => metadata.relations)),
  ]
  const leavesOrphans = createOrphanFinder(relations, context)
  const references = relations
    .filter((relation) => relation.isManyToOne || relation.isOneToOneOwner)
    .flatMap((relation) =>
      mapForeignKey(relation, leavesOrphans, context).map((key) => ({ referred: relation.inverseEntityMetadata, key })),
    )
  const foreignKeys = distinct(references, ({ referred, key }) => [
    targetName(referred),
    key.table.table,
    ...key.columns,
  ])
  const manyToMany = relations.filter((relation) => relation.isManyToManyOwner)
  const referredClasses = [
    ...new Set([
      ...foreignKeys.map(({ referred }) => referred),
      ...manyToMany.flatMap(({ entityMetadata, inverseEntityMetadata }) => [entityMetadata, inverseEntityMetadata]),
    ]),
  ]
  const mapReferencesTo = (classes: ReadonlySet<EntityMetadata>): InboundReferences => {
    const keys = foreignKeys.filter(({ referred }) => classes.has(referred)).map(({ key }) => key)
    return {
      foreignKeys: distinct(keys, ({ table, columns }) => [table.table, ...columns]),
      junctionTables: mapJunctionTables(manyToMany, classes, dialect),
    }
  }
  const known = new Map<string, InboundReferences>()
  return (type) => {
    const stored = dataSource.getMetadata(type.resourceClass)
    const classes = referredClasses.filter((referred) => classContainsRowsOf(referred, stored))
    return getOrCompute(known, classes.map(targetName).join(), () => mapReferencesTo(new Set(classes)))
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
  leavesOrphans: (metadata: EntityMetadata) => boolean,
  context: DatabaseMappingContext,
): readonly InboundForeignKey[] {
  const { dialect, typesStoredIn } = context
  const { entityMetadata: metadata, joinColumns, inverseEntityMetadata } = relation
  const columns = sortForeignKeyColumnsLikeKey(joinColumns, inverseEntityMetadata)
  const cascadeIsComplete = relation.onDelete !== 'CASCADE' || !leavesOrphans(metadata)
  const onDelete = cascadeIsComplete ? onDeleteOf(relation, context) : 'cascade'
  if (columns === undefined || onDelete === undefined) return []
  return [
    {
      table: rowTableOf(metadata, dialect),
      touchedTables: otherTouchedTables(metadata).map((table) => rowTableOf(table, dialect)),
      columns: quoted(columns, dialect),
      nullableColumns: quoted(columnsToSetNull(relation), dialect),
      types: typesStoredIn(metadata),
      onDelete,
    },
  ]
}

/**
 * Returns the action before a delete; `undefined` if the database performs it. It can't if the referring row has a version to increase, or if the
 * foreign key shares columns, which the database would clear too. A delete is refused if it would clear a part of a required key.
 */
function onDeleteOf(
  relation: RelationMetadata,
  { canBeCleared }: DatabaseMappingContext,
): InboundForeignKey['onDelete'] | undefined {
  const { onDelete } = relation
  const isOptional = canBeCleared(relation)
  if (isOptional && onDelete === undefined) return 'setNull'
  if (!isOptional && onDelete === 'SET NULL' && canBeSetNull(relation)) return 'restrict'
  if (hasForeignKeyConstraint(relation)) {
    return isOptional && onDelete === 'SET NULL' && (isVersioned(relation) || keepsSharedColumns(relation))
      ? 'setNull'
      : undefined
  }
  if (onDelete === 'CASCADE') return 'cascade'
  return isOptional && onDelete === 'SET NULL' ? 'setNull' : 'restrict'
}

function createOrphanFinder(
  relations: readonly RelationMetadata[],
  context: DatabaseMappingContext,
): (metadata: EntityMetadata) => boolean {
  const references = relations.flatMap((relation) => toReferences(relation, context))
  const known = new Map<EntityMetadata, boolean>()
  return (metadata) => getOrCompute(known, metadata, () => leavesOrphanedRows(metadata, references))
}

/** A reference to rows of a class. */
interface Reference {
  readonly referred: EntityMetadata
  /** The class whose rows the database deletes with the referred row. */
  readonly cascadesTo?: EntityMetadata
  /** True if a statement of the store has to come before the delete. */
  readonly needsStatement: boolean
}

function toReferences(relation: RelationMetadata, context: DatabaseMappingContext): readonly Reference[] {
  const { entityMetadata: metadata, inverseEntityMetadata: referred, junctionEntityMetadata, onDelete } = relation
  if (relation.isManyToManyOwner) {
    const cascades = junctionEntityMetadata?.foreignKeys.filter((key) => key.onDelete === 'CASCADE') ?? []
    return [metadata, referred].map((end) => ({
      referred: end,
      needsStatement: cascades.every((key) => key.referencedEntityMetadata.tablePath !== end.tablePath),
    }))
  }
  if (!relation.isWithJoinColumn) return []
  const needsStatement = onDeleteOf(relation, context) !== undefined
  return [{ referred, needsStatement, ...(onDelete === 'CASCADE' ? { cascadesTo: metadata } : {}) }]
}

/**
 * Returns true if a cascade of the database would leave rows or references behind: in tables of base classes, in tables that refer to several tables, or
 * where a statement of the store has to clear, check or delete what refers to a deleted row.
 */
function leavesOrphanedRows(first: EntityMetadata, references: readonly Reference[]): boolean {
  const reached = new Set([first])
  for (const metadata of reached) {
    if (inheritanceStrategyOf(metadata) === 'tablePerConcreteClass' || tablesOfRow(metadata)[0] !== metadata)
      return true
    for (const { needsStatement, cascadesTo } of references.filter(({ referred }) =>
      isOneHierarchy(referred, metadata),
    )) {
      if (needsStatement) return true
      if (cascadesTo !== undefined) reached.add(cascadesTo)
    }
  }
  return false
}

function rowTableOf(metadata: EntityMetadata, dialect: Dialect): InboundForeignKey['table'] {
  const key = quoted(metadata.primaryColumns, dialect)
  return { table: quoteTablePath(metadata.tablePath, dialect), metadata, key }
}

function isVersioned({ entityMetadata }: RelationMetadata): boolean {
  return [entityMetadata, ...otherTouchedTables(entityMetadata)].some(
    ({ versionColumn }) => versionColumn !== undefined,
  )
}

/** Returns the other tables of a hierarchy that have dates or a version of the same rows. */
function otherTouchedTables(metadata: EntityMetadata): readonly EntityMetadata[] {
  if (inheritanceStrategyOf(metadata) !== 'joined') return []
  return multiTableHierarchyOrSelf(metadata).filter(
    (other) => other !== metadata && (other.versionColumn ?? other.updateDateColumn) !== undefined,
  )
}

/** Returns true if clearing the foreign key keeps columns that it shares with other keys. */
function keepsSharedColumns(relation: RelationMetadata): boolean {
  return columnsToSetNull(relation).length < relation.joinColumns.length
}

function mapJunctionTables(
  relations: readonly RelationMetadata[],
  classes: ReadonlySet<EntityMetadata>,
  dialect: Dialect,
): readonly InboundJunctionTable[] {
  const tables = new Map<string, Map<string, readonly string[]>>()
  for (const relation of relations) {
    const { junctionEntityMetadata: junction, entityMetadata: source, inverseEntityMetadata: target } = relation
    if (!relation.isManyToManyOwner || junction === undefined) continue
    const ends = [
      ...(classes.has(source) ? [sortForeignKeyColumnsLikeKey(relation.joinColumns, source)] : []),
      ...(classes.has(target) ? [sortForeignKeyColumnsLikeKey(relation.inverseJoinColumns, target)] : []),
    ].flatMap((end) => (end === undefined ? [] : [quoted(end, dialect)]))
    if (ends.length === 0) continue
    const table = quoteTablePath(junction.tablePath, dialect)
    const known = tables.get(table) ?? new Map<string, readonly string[]>()
    tables.set(table, new Map([...known, ...ends.map((end) => [end.join(), end] as const)]))
  }
  return [...tables].map(([table, ends]) => ({ table, ends: [...ends.values()] }))
}

function quoted(columns: readonly ColumnMetadata[], dialect: Dialect): readonly string[] {
  return columns.map(({ databaseName }) => dialect.quote(databaseName))
}

/** Returns true if rows of the other class are rows of this class. */
export function classContainsRowsOf(referred: EntityMetadata, stored: EntityMetadata): boolean {
  if (referred.target === stored.target) return true
  return isMetadataOfSubclass(stored, referred) && isOneHierarchy(referred, stored)
}

function isOneHierarchy(referred: EntityMetadata, stored: EntityMetadata): boolean {
  return referred.tablePath === stored.tablePath || multiTableHierarchyOrSelf(referred).includes(stored)
}
