import type { DataSource, EntityMetadata } from 'typeorm'
import { InvariantError } from '../../../errors/invariant'
import type { Relationship } from '../../../graph/model/resource-graph'
import { type Dialect, quoteTablePath } from '../dialects/dialect'
import { columnsToSetNull, isSharedByForeignKeys, sortForeignKeyColumnsLikeKey } from '../metadata/foreign-key-columns'
import {
  inheritanceStrategyOf,
  isMetadataOfSubclass,
  multiTableHierarchyOrSelf,
} from '../metadata/inheritance-strategy'
import type { ColumnMetadata, RelationMetadata } from '../metadata/typeorm-metadata'
import type { ForeignKeyColumn, RelationMapping } from './database-mapping'
import type { DatabaseMappingContext } from './database-mapping-context'
import { areColumnsIndexed, areColumnsIndexedInOrder } from './declared-indexes'

/** Maps a relationship to its foreign keys or its junction table. */
export function mapRelationshipToColumns(relationship: Relationship, context: DatabaseMappingContext): RelationMapping {
  const relation = relationMetadataOf(relationship, context.dataSource)
  if (relation.isManyToMany) return mapJunction(relation, context)
  if (relation.isOwning) {
    const columns = mapForeignKey(relation, context)
    return {
      kind: 'owning',
      columns,
      metadata: relation,
      isUnique: relation.isOneToOne,
      hasUniqueConstraint: hasUniqueConstraint(relation, context.dataSource),
      hasForeignKeyConstraint: hasForeignKeyConstraint(relation),
    }
  }
  const inverse = inverseOf(relation)
  const columns = mapForeignKey(inverse, context)
  return {
    kind: 'inverse',
    columns,
    metadata: inverse,
    isIndexed: areColumnsIndexed(inverse.entityMetadata, inverse.joinColumns, context.declaredIndexes),
  }
}

/** Returns the metadata of a relationship, from the class that declares it. */
export function relationMetadataOf(
  { declaringType, property }: Relationship,
  dataSource: DataSource,
): RelationMetadata {
  const { resourceClass } = declaringType
  const { relations } = dataSource.getMetadata(resourceClass)
  const candidates = relations.filter(({ propertyPath }) => propertyPath === property)
  const relation = candidates.find(({ target }) => target === resourceClass) ?? candidates[0]
  if (relation === undefined) throw new InvariantError(`${resourceClass.name}.${property} is not a relation.`)
  return relation
}

function mapJunction(relation: RelationMetadata, context: DatabaseMappingContext): RelationMapping {
  const { dialect } = context
  const owner = relation.isOwning ? relation : inverseOf(relation)
  const junction = owner.junctionEntityMetadata
  if (junction === undefined)
    throw new InvariantError(`${relation.entityMetadata.name}.${relation.propertyPath} has no junction table.`)
  const ownerColumns = inKeyOrder(owner.joinColumns, owner.entityMetadata, owner)
  const otherColumns = inKeyOrder(owner.inverseJoinColumns, owner.inverseEntityMetadata, owner)
  const [sources, related] = relation.isOwning ? [ownerColumns, otherColumns] : [otherColumns, ownerColumns]
  return {
    kind: 'junction',
    table: quoteTablePath(junction.tablePath, dialect),
    sourceColumns: sources.map(quotedNameIn(dialect)),
    relatedColumns: related.map(quotedNameIn(dialect)),
    hasForeignKeyConstraint: owner.createForeignKeyConstraints && hasForeignKeyConstraint(relation),
    hasOrderedIndex: areColumnsIndexedInOrder(junction, [...sources, ...related], context.declaredIndexes),
  }
}

/**
 * Returns true if a foreign key constraint ensures that the related row exists. There is none if the application has switched it off, or if rows of the
 * class are stored in several tables. Statements of the store check such references.
 */
export function hasForeignKeyConstraint({
  createForeignKeyConstraints,
  inverseEntityMetadata,
}: RelationMetadata): boolean {
  return createForeignKeyConstraints && hasTableWithAllRows(inverseEntityMetadata)
}

function hasTableWithAllRows(referred: EntityMetadata): boolean {
  return (
    inheritanceStrategyOf(referred) !== 'tablePerConcreteClass' ||
    multiTableHierarchyOrSelf(referred).every((metadata) => !isMetadataOfSubclass(metadata, referred))
  )
}

/** Returns true if one constraint ensures that no two rows have the same foreign key. TypeORM creates none without a foreign key constraint. */
function hasUniqueConstraint({ entityMetadata, joinColumns }: RelationMetadata, dataSource: DataSource): boolean {
  if (!hasTableWithAllRows(entityMetadata)) return false
  const classes = dataSource.entityMetadatas.filter(({ tablePath }) => tablePath === entityMetadata.tablePath)
  const keys = classes.flatMap(({ primaryColumns, uniques, indices }) => {
    const complete = [...uniques, ...indices.filter(({ isUnique, where }) => isUnique && !where)]
    return [primaryColumns, ...complete.map(({ columns }) => columns)]
  })
  const names = joinColumns.map(({ databaseName }) => databaseName)
  return keys.some((columns) => columns.every(({ databaseName }) => names.includes(databaseName)))
}

function mapForeignKey(
  relation: RelationMetadata,
  { dialect, nameOf }: DatabaseMappingContext,
): readonly ForeignKeyColumn[] {
  const { primaryColumns } = relation.entityMetadata
  const cleared = columnsToSetNull(relation)
  return inKeyOrder(relation.joinColumns, relation.inverseEntityMetadata, relation).map((column) => {
    const primaryKeyIndex = primaryColumns.findIndex(({ databaseName }) => databaseName === column.databaseName)
    return {
      column: dialect.quote(nameOf(column)),
      primaryKeyIndex: primaryKeyIndex < 0 ? undefined : primaryKeyIndex,
      isSetNull: cleared.includes(column),
      hasOtherCollation: column.collation !== column.referencedColumn?.collation,
      isShared: primaryKeyIndex < 0 && isSharedByForeignKeys(column, relation),
    }
  })
}

function inKeyOrder(
  columns: readonly ColumnMetadata[],
  referred: EntityMetadata,
  { entityMetadata, propertyPath }: RelationMetadata,
): readonly ColumnMetadata[] {
  const ordered = sortForeignKeyColumnsLikeKey(columns, referred)
  if (ordered !== undefined) return ordered
  throw new InvariantError(`The keys of ${entityMetadata.name}.${propertyPath} were not checked.`)
}

function quotedNameIn(dialect: Dialect): (column: ColumnMetadata) => string {
  return ({ databaseName }) => dialect.quote(databaseName)
}

function inverseOf(relation: RelationMetadata): RelationMetadata {
  if (relation.inverseRelation !== undefined) return relation.inverseRelation
  throw new InvariantError(`${relation.entityMetadata.name}.${relation.propertyPath} has no other side.`)
}
