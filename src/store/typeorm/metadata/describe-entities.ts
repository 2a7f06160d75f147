import type { DataSource, EntityMetadata } from 'typeorm'
import { getOrCompute } from '../../../cache/get-or-compute'
import type { ColumnDescription, EntityDescription } from '../../../graph/model/entity-description'
import type { ResourceClass } from '../../../graph/model/resource-graph'
import { selfAndSuperclasses } from '../../../graph/model/superclasses'
import type { AttributeType } from '../../../graph/model/value-type'
import { metadataArgsOfDataSource } from './declared-arguments'
import {
  isColumnSetAutomaticallyOnUpdate,
  isRowIdAlias,
  valueOriginOfColumn,
  writeKindsDeniedByColumns,
} from './declared-columns'
import { describeEntityRelations } from './describe-entity-relations'
import { observedEntityEventsOf } from './entity-listeners'
import { multiTableHierarchyOrSelf, tablesOfRow } from './inheritance-strategy'
import { toEmbeddedObjectDescriptions } from './to-embedded-object-descriptions'
import type { ColumnMetadata, ColumnMetadataArgs } from './typeorm-metadata'
import { valueConstraintsOfColumn } from './value-constraints-of-column'

/**
 * Describes a class by an initialized DataSource; `undefined` if the class is no entity of it. TypeORM keeps one list of columns and relations for a
 * table, which all classes of a hierarchy share. The declaring class decides what belongs to a class, and declarations that the sharing changed are
 * read from the decorators again.
 */
export function createEntityDescriber(
  dataSource: DataSource,
): (resourceClass: ResourceClass) => EntityDescription | undefined {
  const known = new Map<ResourceClass, EntityDescription>()
  const context = {
    dataSource,
    declarations: groupDeclarations(metadataArgsOfDataSource(dataSource).columns),
    findDescendants: createDescendantFinder(dataSource),
  }
  return (resourceClass) => {
    const metadata = dataSource.entityMetadatas.find(({ target }) => target === resourceClass)
    if (metadata === undefined) return undefined
    return getOrCompute(known, resourceClass, () => describeEntity(resourceClass, metadata, context))
  }
}

interface DescriptionContext {
  readonly dataSource: DataSource
  readonly declarations: ColumnDeclarations
  readonly findDescendants: (metadata: EntityMetadata, entityClass: ResourceClass) => readonly ResourceClass[]
}

/** The declared columns of all classes, by property. */
type ColumnDeclarations = ReadonlyMap<string, readonly ColumnMetadataArgs[]>

function groupDeclarations(columns: readonly ColumnMetadataArgs[]): ColumnDeclarations {
  const byProperty = new Map<string, ColumnMetadataArgs[]>()
  for (const column of columns) getOrCompute(byProperty, column.propertyName, () => []).push(column)
  return byProperty
}

function describeEntity(
  entityClass: ResourceClass,
  metadata: EntityMetadata,
  { dataSource, declarations, findDescendants }: DescriptionContext,
): EntityDescription {
  const chain = selfAndSuperclasses(entityClass)
  const parts = tablesOfRow(metadata)
  const columns = [
    ...findColumns(parts, chain, declarations).map((column) => describeColumn(column, dataSource)),
    ...toEmbeddedObjectDescriptions(parts, chain, dataSource),
  ]
  const relations = describeEntityRelations(parts, chain)
  const listeners = observedEntityEventsOf(metadata, dataSource)
  return {
    entityClass,
    columns: new Map(columns.map((column) => [column.property, column])),
    relations: new Map(relations.map((relation) => [relation.property, relation])),
    primaryKey: metadata.primaryColumns.map(({ propertyPath }) => propertyPath),
    hasInsertListeners: listeners.insert,
    hasUpdateListeners: listeners.update,
    isSoftDeletable: parts.some((part) => hasDeleteDate(part, chain)),
    tree: parts.find(({ treeType }) => treeType !== undefined && treeType !== 'adjacency-list')?.treeType,
    discriminatorValue: metadata.discriminatorValue,
    isView: metadata.tableType === 'view',
    hasOwnTable: metadata.tableType !== 'entity-child',
    descendants: findDescendants(metadata, entityClass),
  }
}

/** In a single table, TypeORM gives the delete date of one class to all. The class of an embedded column is in no chain. */
function hasDeleteDate({ deleteDateColumn }: EntityMetadata, chain: readonly unknown[]): boolean {
  if (deleteDateColumn === undefined) return false
  return deleteDateColumn.embeddedMetadata !== undefined || chain.includes(deleteDateColumn.target)
}

interface FoundColumn {
  /** The column that TypeORM uses. */
  readonly stored: ColumnMetadata
  /** The column as the class declares it; another class of the table may declare it differently. */
  readonly declared: ColumnMetadata
}

/** Finds the columns of a class. Joined tables repeat the key of the topmost table, so their keys are skipped. */
function findColumns(
  parts: readonly EntityMetadata[],
  chain: readonly unknown[],
  declarations: ColumnDeclarations,
): readonly FoundColumn[] {
  return parts.flatMap((part, index) =>
    part.ownColumns
      .filter((column) => isProperty(column) && !isDiscriminator(column, part) && !(index > 0 && column.isPrimary))
      .flatMap((stored): readonly FoundColumn[] => {
        const declared = declarations.get(stored.propertyName) ?? []
        if (chain.includes(stored.target)) return [{ stored, declared: declaredColumn(stored, part, declared) }]
        // A sibling class declares the property too, and TypeORM uses that column for both.
        const own = declared.find(({ target }) => chain.includes(target))
        return own === undefined ? [] : [{ stored, declared: toColumn(own, stored, part) }]
      }),
  )
}

function isProperty(column: ColumnMetadata): boolean {
  return !column.isVirtual && (!column.isVirtualProperty || column.query !== undefined)
}

/** Returns true for a discriminator. If it is declared as a property, TypeORM adds a second column of the same name. */
function isDiscriminator(column: ColumnMetadata, { discriminatorColumn }: EntityMetadata): boolean {
  return column.isDiscriminator || column.databaseName === discriminatorColumn?.databaseName
}

/** Returns the column as declared. TypeORM makes columns of derived classes nullable, so `isNullable` is read from the decorator. */
function declaredColumn(
  stored: ColumnMetadata,
  metadata: EntityMetadata,
  declarations: readonly ColumnMetadataArgs[],
): ColumnMetadata {
  const args = declarations.find(({ target }) => target === stored.target)
  if (args === undefined) return stored
  const declared: ColumnMetadata = Object.create(stored)
  declared.isNullable = toColumn(args, stored, metadata).isNullable
  return declared
}

/** Builds the column of a declaration, with the column class of the application's copy of TypeORM. */
function toColumn(args: ColumnMetadataArgs, column: ColumnMetadata, entityMetadata: EntityMetadata): ColumnMetadata {
  // TypeORM 0.3 also requires the data source, which TypeORM 1 gets from the entity.
  const init = { entityMetadata, args, connection: entityMetadata.connection }
  return Reflect.construct(column.constructor, [init])
}

function describeColumn({ stored, declared }: FoundColumn, dataSource: DataSource): ColumnDescription {
  const constraints = valueConstraintsOfColumn(declared, dataSource)
  const isNullable = declared.isNullable || declared.query !== undefined
  const defaultValue =
    declared.transformer === undefined ? toDefaultValue(declared.default, constraints.valueType) : undefined
  return {
    property: declared.propertyName,
    declaredBy: declared.target as ResourceClass,
    constraints,
    isNullable,
    isNullableInStore: isNullable || stored.isNullable,
    hasDefault:
      declared.default !== undefined ||
      valueOriginOfColumn(declared) !== 'client' ||
      isGeneratedKeyPart(stored, dataSource),
    ...(defaultValue !== undefined && { defaultValue }),
    valueOrigin: valueOriginOfColumn(declared),
    mayChangeOnUpdate: isColumnSetAutomaticallyOnUpdate(declared),
    isForeignKey: isForeignKey(stored),
    columnPath: `${stored.entityMetadata.tablePath}.${stored.databaseName}`,
    isTransformed: declared.transformer !== undefined,
    conversions: [declared.transformer, declared.query?.('alias')],
    isVirtual: declared.query !== undefined,
    isExcludedByDefault: !declared.isSelect,
    deniedWrites: writeKindsDeniedByColumns([declared]),
  }
}

/** Returns true if a listener or SQLite's row id can generate a part of a key. */
function isGeneratedKeyPart(column: ColumnMetadata, dataSource: DataSource): boolean {
  const { isPrimary, entityMetadata } = column
  return isPrimary && (observedEntityEventsOf(entityMetadata, dataSource).insert || isRowIdAlias(column, dataSource))
}

/** Returns true for a foreign key. A primary key column that is one of several foreign key columns has a meaning of its own and does not count. */
function isForeignKey({ relationMetadata, isPrimary, databaseName, entityMetadata }: ColumnMetadata): boolean {
  if (relationMetadata === undefined || !isPrimary) return relationMetadata !== undefined
  return entityMetadata.relations.some(
    ({ joinColumns: [column, ...rest] }) => rest.length === 0 && column?.databaseName === databaseName,
  )
}

/** Returns the default as a runtime value. Defaults that are expressions or text of another type are unknown before the insert. */
function toDefaultValue(value: unknown, valueType: AttributeType): string | number | boolean | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined
  switch (valueType) {
    case 'string':
    case 'enum':
      return value
    case 'bigint':
    case 'decimal':
      return String(value)
    case 'integer':
    case 'float':
      return typeof value === 'number' ? value : undefined
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined
    default:
      return undefined
  }
}

/**
 * Returns a function that finds the subclasses of an entity. The lists of TypeORM can't be used: its parent is always the root, and its children can have
 * other tables.
 */
function createDescendantFinder({ entityMetadatas }: DataSource): DescriptionContext['findDescendants'] {
  const byTable = new Map<string, EntityMetadata[]>()
  for (const metadata of entityMetadatas.filter(({ tableType }) => tableType === 'entity-child'))
    getOrCompute(byTable, metadata.tablePath, () => []).push(metadata)
  const inOneTable = new Map([...byTable].map(([tablePath, children]) => [tablePath, groupBySuperclass(children)]))
  const inHierarchy = new Map<EntityMetadata | undefined, SubclassesByClass>()
  return (metadata, entityClass) => {
    const hierarchy = multiTableHierarchyOrSelf(metadata)
    const inTables = getOrCompute(inHierarchy, hierarchy[0], () => groupBySuperclass(hierarchy))
    return [...(inOneTable.get(metadata.tablePath)?.get(entityClass) ?? []), ...(inTables.get(entityClass) ?? [])]
  }
}

type SubclassesByClass = ReadonlyMap<ResourceClass, readonly ResourceClass[]>

function groupBySuperclass(metadatas: readonly EntityMetadata[]): SubclassesByClass {
  const subclasses = new Map<ResourceClass, ResourceClass[]>()
  for (const { target } of metadatas) {
    const entityClass = target as ResourceClass
    for (const superclass of selfAndSuperclasses(entityClass).slice(1))
      getOrCompute(subclasses, superclass, () => []).push(entityClass)
  }
  return subclasses
}
