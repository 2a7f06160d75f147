import type { DataSource } from 'typeorm'
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata'
import type { RelationMetadata } from 'typeorm/metadata/RelationMetadata'
import { InvariantError } from '../../errors/invariant'
import type { Relationship } from '../../graph/resource-graph'
import type { Dialect } from './dialect'
import type { RelationMapping } from './mapping'
import { quotePath } from './quote-path'

/** By what the two ends of a relationship find each other in the database. */
export function mapRelation(relationship: Relationship, dataSource: DataSource, dialect: Dialect): RelationMapping {
  const relation = relationMetadataOf(relationship, dataSource)
  if (relation.isManyToMany) return mapJunction(relation, dialect)
  if (relation.isOwning) {
    const metadata = onlyColumn(relation.joinColumns, relation)
    return {
      kind: 'keyOnLeft',
      column: dialect.quote(metadata.databaseName),
      metadata,
      isUnique: relation.isOneToOne,
    }
  }
  const inverse = inverseOf(relation)
  const metadata = onlyColumn(inverse.joinColumns, inverse)
  return {
    kind: 'keyOnRight',
    column: dialect.quote(metadata.databaseName),
    metadata,
    // A column of a derived class may be null for the sake of rows of other types: what the relation says counts.
    isNullable: inverse.isNullable && metadata.isNullable,
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

function mapJunction(relation: RelationMetadata, dialect: Dialect): RelationMapping {
  const owner = relation.isOwning ? relation : inverseOf(relation)
  const junction = owner.junctionEntityMetadata
  if (junction === undefined)
    throw new InvariantError(`${relation.entityMetadata.name}.${relation.propertyPath} has no table of pairs.`)
  const ownerColumn = dialect.quote(onlyColumn(owner.joinColumns, owner).databaseName)
  const otherColumn = dialect.quote(onlyColumn(owner.inverseJoinColumns, owner).databaseName)
  return {
    kind: 'junction',
    table: quotePath(junction.tablePath, dialect),
    leftColumn: relation.isOwning ? ownerColumn : otherColumn,
    rightColumn: relation.isOwning ? otherColumn : ownerColumn,
  }
}

function inverseOf(relation: RelationMetadata): RelationMetadata {
  if (relation.inverseRelation !== undefined) return relation.inverseRelation
  throw new InvariantError(`${relation.entityMetadata.name}.${relation.propertyPath} has no other side.`)
}

function onlyColumn(columns: readonly ColumnMetadata[], relation: RelationMetadata): ColumnMetadata {
  const [column] = columns
  if (columns.length === 1 && column !== undefined) return column
  throw new InvariantError(`The keys of ${relation.entityMetadata.name}.${relation.propertyPath} were not checked.`)
}
