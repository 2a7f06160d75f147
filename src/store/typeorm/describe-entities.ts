import { type DataSource, getMetadataArgsStorage } from 'typeorm'
import { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata'
import type { EntityMetadata } from 'typeorm/metadata/EntityMetadata'
import type { RelationMetadata } from 'typeorm/metadata/RelationMetadata'
import type { ColumnMetadataArgs } from 'typeorm/metadata-args/ColumnMetadataArgs'
import { classChain } from '../../graph/class-chain'
import type { ColumnDescription, EntityDescription, RelationDescription } from '../../graph/entity-description'
import type { ResourceClass } from '../../graph/resource-graph'
import type { ValueType } from '../../graph/value-type'
import { describeValues } from './describe-values'
import { clearableColumns, findInKeyOrder } from './foreign-columns'
import { findListeners } from './listeners'

/**
 * What an initialised DataSource knows of a class; `undefined` where the class is no entity of it.
 *
 * TypeORM keeps one list of columns and relations per table, which all classes of a hierarchy share: whatever belongs to a class is
 * found by the class that declared it, and what the sharing has bent is read from the decorators again.
 */
export function describeEntities(
  dataSource: DataSource,
): (resourceClass: ResourceClass) => EntityDescription | undefined {
  const known = new Map<ResourceClass, EntityDescription>()
  return (resourceClass) => {
    const metadata = dataSource.entityMetadatas.find(({ target }) => target === resourceClass)
    if (metadata === undefined) return undefined
    const description = known.get(resourceClass) ?? describeEntity(resourceClass, metadata, dataSource)
    known.set(resourceClass, description)
    return description
  }
}

function describeEntity(
  entityClass: ResourceClass,
  metadata: EntityMetadata,
  dataSource: DataSource,
): EntityDescription {
  const chain = classChain(entityClass)
  const columns = findColumns(metadata, chain).map((column) => describeColumn(column, dataSource))
  const relations = [...describeRelations(metadata, chain), ...describeReplacedRelations(metadata, chain)]
  return {
    entityClass,
    columns: new Map(columns.map((column) => [column.property, column])),
    relations: new Map(relations.map((relation) => [relation.property, relation])),
    primaryKey: metadata.primaryColumns.map(({ propertyPath }) => propertyPath),
    isListenedTo: findListeners(metadata, dataSource).update,
    descendants: findDescendants(metadata, entityClass, dataSource),
  }
}

interface FoundColumn {
  /** What TypeORM uses. */
  readonly stored: ColumnMetadata
  /** What the class said; another class of the table may have said something else. */
  readonly declared: ColumnMetadata
}

function findColumns(metadata: EntityMetadata, chain: readonly unknown[]): readonly FoundColumn[] {
  return metadata.ownColumns
    .filter((column) => isProperty(column) && !isDiscriminator(column, metadata))
    .flatMap((stored): readonly FoundColumn[] => {
      if (chain.includes(stored.target)) return [{ stored, declared: declaredColumn(stored, metadata) }]
      // A sibling has declared the property too, and TypeORM kept that one.
      const own = declarationsOf(stored.propertyName).find(({ target }) => chain.includes(target))
      return own === undefined
        ? []
        : [{ stored, declared: new ColumnMetadata({ entityMetadata: metadata, args: own }) }]
    })
}

function isProperty(column: ColumnMetadata): boolean {
  return !column.isVirtual && !column.isVirtualProperty
}

/** Declared as a property of another name, it is a column beside the one that TypeORM makes for itself. */
function isDiscriminator(column: ColumnMetadata, { discriminatorColumn }: EntityMetadata): boolean {
  return column.isDiscriminator || column.databaseName === discriminatorColumn?.databaseName
}

/** TypeORM forces `isNullable` on columns of derived classes: what was declared is read from the decorator. */
function declaredColumn(stored: ColumnMetadata, metadata: EntityMetadata): ColumnMetadata {
  const args = declarationsOf(stored.propertyName).find(({ target }) => target === stored.target)
  if (args === undefined) return stored
  const declared: ColumnMetadata = Object.create(stored)
  declared.isNullable = new ColumnMetadata({ entityMetadata: metadata, args }).isNullable
  return declared
}

function declarationsOf(property: string): readonly ColumnMetadataArgs[] {
  return getMetadataArgsStorage().columns.filter(({ propertyName }) => propertyName === property)
}

function describeColumn({ stored, declared }: FoundColumn, dataSource: DataSource): ColumnDescription {
  const range = describeValues(declared, dataSource)
  const defaultValue = declared.transformer === undefined ? holdDefault(declared.default, range.valueType) : undefined
  return {
    property: declared.propertyName,
    declaredBy: declared.target as ResourceClass,
    range,
    isNullable: declared.isNullable,
    hasDefault: declared.default !== undefined || upkeepOf(declared) !== 'client',
    ...(defaultValue !== undefined && { defaultValue }),
    upkeep: upkeepOf(declared),
    isForeignKey: isForeignKey(stored),
    storedIn: `${stored.entityMetadata.tablePath}.${stored.databaseName}`,
    isTransformed: declared.transformer !== undefined,
  }
}

/** A part of a primary key may be one of several columns that refer to a row, and then something of its own. */
function isForeignKey({ relationMetadata, isPrimary, databaseName, entityMetadata }: ColumnMetadata): boolean {
  if (relationMetadata === undefined || !isPrimary) return relationMetadata !== undefined
  return entityMetadata.relations.some(
    ({ joinColumns: [column, ...others] }) => others.length === 0 && column?.databaseName === databaseName,
  )
}

/** As `ValueType` has it held. Expressions, and text that the database reads as another type, are not known before. */
function holdDefault(value: unknown, valueType: ValueType): string | number | boolean | undefined {
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

function upkeepOf(column: ColumnMetadata): ColumnDescription['upkeep'] {
  if (column.isVersion) return 'version'
  if (column.isCreateDate) return 'createDate'
  if (column.isUpdateDate) return 'updateDate'
  if (column.isDeleteDate) return 'deleteDate'
  const isNeverWritten = !column.isInsert && !column.isUpdate
  return column.isGenerated || column.isTreeLevel || column.asExpression !== undefined || isNeverWritten
    ? 'generated'
    : 'client'
}

function describeRelations(metadata: EntityMetadata, chain: readonly unknown[]): readonly RelationDescription[] {
  return metadata.ownRelations
    .filter(({ target }) => chain.includes(target))
    .map((relation) => describeRelation(relation, relation.target, undefined))
}

/** A sibling has declared a relation of the same name, and TypeORM uses that one for both. */
function describeReplacedRelations(
  metadata: EntityMetadata,
  chain: readonly unknown[],
): readonly RelationDescription[] {
  return metadata.ownRelations
    .filter(({ target }) => !chain.includes(target))
    .flatMap((relation) => {
      const own = getMetadataArgsStorage().relations.find(
        ({ target, propertyName }) => propertyName === relation.propertyName && chain.includes(target),
      )
      return own === undefined ? [] : [describeRelation(relation, own.target, relation.target)]
    })
}

function describeRelation(relation: RelationMetadata, declaredBy: unknown, replacedBy: unknown): RelationDescription {
  const isToOne = relation.isManyToOne || relation.isOneToOne
  return {
    property: relation.propertyName,
    declaredBy: declaredBy as ResourceClass,
    replacedBy: replacedBy as ResourceClass | undefined,
    kind: isToOne ? 'toOne' : 'toMany',
    target: relation.inverseEntityMetadata.target as ResourceClass,
    inverseProperty: findInverse(relation)?.propertyName,
    refersTo: referredTo(relation),
    isNullable: relation.isWithJoinColumn ? canBeEmptied(relation) : true,
    fixedBy: fixedBy(relation),
    keyPlaces: relation.isWithJoinColumn && isInKey(relation) ? keyPlacesOf(relation) : [],
    removed: removedBy(relation),
  }
}

function referredTo(relation: RelationMetadata): RelationDescription['refersTo'] {
  const owner = relation.isOwning ? relation : relation.inverseRelation
  if (owner === undefined || !owner.isOwning) return 'nothing'
  const { entityMetadata: left, inverseEntityMetadata: right, joinColumns, inverseJoinColumns } = owner
  const keys = owner.isManyToMany
    ? [findInKeyOrder(joinColumns, left), findInKeyOrder(inverseJoinColumns, right)]
    : [findInKeyOrder(joinColumns, right)]
  return keys.includes(undefined) ? 'others' : 'ids'
}

/** Named by the relation, or by the other side only. */
function findInverse(relation: RelationMetadata): RelationMetadata | undefined {
  const named = relation.inverseRelation
  if (named !== undefined) return named
  return relation.inverseEntityMetadata.ownRelations.find(
    ({ inverseRelation }) =>
      inverseRelation?.target === relation.target && inverseRelation.propertyName === relation.propertyName,
  )
}

/** Only the key of a one-to-many is in the related row, which must be able to go without it. */
function removedBy({ isOneToMany, inverseRelation }: RelationMetadata): RelationDescription['removed'] {
  if (!isOneToMany || inverseRelation === undefined) return 'unlinked'
  switch (inverseRelation.orphanedRowAction) {
    case 'delete':
    case 'soft-delete':
      return 'deleted'
    case 'disable':
      return 'refused'
    default:
      return canBeEmptied(inverseRelation) ? 'unlinked' : 'refused'
  }
}

function canBeEmptied(relation: RelationMetadata): boolean {
  return relation.isNullable && clearableColumns(relation).length > 0
}

function fixedBy(relation: RelationMetadata): RelationDescription['fixedBy'] {
  if (relation.isManyToMany) return undefined
  if (relation.isWithJoinColumn) return isInKey(relation) ? 'ownKey' : undefined
  return relation.inverseRelation !== undefined && isInKey(relation.inverseRelation) ? 'farKey' : undefined
}

function isInKey({ joinColumns }: RelationMetadata): boolean {
  return joinColumns.length > 0 && joinColumns.every(({ isPrimary }) => isPrimary)
}

function keyPlacesOf({ joinColumns, entityMetadata, inverseEntityMetadata }: RelationMetadata): readonly number[] {
  const names = entityMetadata.primaryColumns.map(({ databaseName }) => databaseName)
  return (findInKeyOrder(joinColumns, inverseEntityMetadata) ?? []).map(({ databaseName }) =>
    names.indexOf(databaseName),
  )
}

/** TypeORM's own lists are not of use: its parent of each entity is the topmost, and its children may be in other tables. */
function findDescendants(
  metadata: EntityMetadata,
  entityClass: ResourceClass,
  { entityMetadatas }: DataSource,
): readonly ResourceClass[] {
  return entityMetadatas
    .filter(({ tableType, tablePath }) => tableType === 'entity-child' && tablePath === metadata.tablePath)
    .map(({ target }) => target as ResourceClass)
    .filter((target) => target !== entityClass && classChain(target).includes(entityClass))
}
