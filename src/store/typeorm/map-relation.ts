import type { DataSource } from 'typeorm'
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata'
import type { EntityMetadata } from 'typeorm/metadata/EntityMetadata'
import type { RelationMetadata } from 'typeorm/metadata/RelationMetadata'
import { InvariantError } from '../../errors/invariant'
import type { Relationship } from '../../graph/resource-graph'
import { isIndexed, isInOrder } from './declared-indexes'
import type { Dialect } from './dialect'
import { clearableColumns, findInKeyOrder, isShared, removalOf } from './foreign-columns'
import type { ForeignColumn, RelationMapping } from './mapping'
import { quotePath } from './quote-path'
import type { Surroundings } from './surroundings'
import { hierarchyOf, isBelow, layoutOf } from './table-layout'

/** By what the two ends of a relationship find each other in the database. */
export function mapRelation(relationship: Relationship, around: Surroundings): RelationMapping {
  const relation = relationMetadataOf(relationship, around.dataSource)
  if (relation.isManyToMany) return mapJunction(relation, around)
  if (relation.isOwning) {
    const columns = mapForeignKey(relation, around)
    return {
      kind: 'keyOnLeft',
      columns,
      metadata: relation,
      isUnique: relation.isOneToOne,
      isGuarded: isGuarded(relation.inverseEntityMetadata),
    }
  }
  const inverse = inverseOf(relation)
  const columns = mapForeignKey(inverse, around)
  return {
    kind: 'keyOnRight',
    columns,
    metadata: inverse,
    isIndexed: isIndexed(inverse.entityMetadata, inverse.joinColumns, around),
    removed: removalOf(inverse),
  }
}

/** The metadata of child relations are those of the class that has declared them. */
export function relationMetadataOf(
  { declaringType, property }: Relationship,
  dataSource: DataSource,
): RelationMetadata {
  const { resourceClass } = declaringType
  const found = dataSource.getMetadata(resourceClass).relations.filter((each) => each.propertyPath === property)
  const relation = found.find(({ target }) => target === resourceClass) ?? found[0]
  if (relation === undefined) throw new InvariantError(`${resourceClass.name}.${property} is no relation.`)
  return relation
}

function mapJunction(relation: RelationMetadata, around: Surroundings): RelationMapping {
  const { dialect } = around
  const owner = relation.isOwning ? relation : inverseOf(relation)
  const junction = owner.junctionEntityMetadata
  if (junction === undefined)
    throw new InvariantError(`${relation.entityMetadata.name}.${relation.propertyPath} has no table of pairs.`)
  const ownerColumns = inKeyOrder(owner.joinColumns, owner.entityMetadata, owner)
  const otherColumns = inKeyOrder(owner.inverseJoinColumns, owner.inverseEntityMetadata, owner)
  const [lefts, rights] = relation.isOwning ? [ownerColumns, otherColumns] : [otherColumns, ownerColumns]
  return {
    kind: 'junction',
    table: quotePath(junction.tablePath, dialect),
    leftColumns: lefts.map(nameIn(dialect)),
    rightColumns: rights.map(nameIn(dialect)),
    isGuarded: isGuarded(relation.inverseEntityMetadata),
    isOrdered: isInOrder(junction, [...lefts, ...rights], around),
  }
}

/** No foreign key can refer to rows that lie in several tables: what one would keep is kept by our own statements. */
export function isGuarded(referred: EntityMetadata): boolean {
  return layoutOf(referred) !== 'perConcreteType' || hierarchyOf(referred).every((each) => !isBelow(each, referred))
}

function mapForeignKey(relation: RelationMetadata, { dialect, nameOf }: Surroundings): readonly ForeignColumn[] {
  const own = relation.entityMetadata.primaryColumns
  const cleared = clearableColumns(relation)
  return inKeyOrder(relation.joinColumns, relation.inverseEntityMetadata, relation).map((column) => {
    const place = own.findIndex(({ databaseName }) => databaseName === column.databaseName)
    return {
      column: dialect.quote(nameOf(column)),
      place: place < 0 ? undefined : place,
      isCleared: cleared.includes(column),
      isCollatedOtherwise: column.collation !== column.referencedColumn?.collation,
      isShared: place < 0 && isShared(column, relation),
    }
  })
}

function inKeyOrder(
  columns: readonly ColumnMetadata[],
  referred: EntityMetadata,
  { entityMetadata, propertyPath }: RelationMetadata,
): readonly ColumnMetadata[] {
  const ordered = findInKeyOrder(columns, referred)
  if (ordered !== undefined) return ordered
  throw new InvariantError(`The keys of ${entityMetadata.name}.${propertyPath} were not checked.`)
}

function nameIn(dialect: Dialect): (column: ColumnMetadata) => string {
  return ({ databaseName }) => dialect.quote(databaseName)
}

function inverseOf(relation: RelationMetadata): RelationMetadata {
  if (relation.inverseRelation !== undefined) return relation.inverseRelation
  throw new InvariantError(`${relation.entityMetadata.name}.${relation.propertyPath} has no other side.`)
}
