import type { DataSource, EntityMetadata } from 'typeorm'
import type { RelationMetadata } from 'typeorm/metadata/RelationMetadata'
import {
  inversesOf,
  type Relationship,
  type ResourceGraph,
  type ResourceType,
  type StoredType,
  type ToManyRelationship,
  type ToOneRelationship,
} from '../../../src/graph/model/resource-graph'
import { tablesOfRow } from '../../../src/store/typeorm/metadata/inheritance-strategy'
import type { ModelRow } from './model'

/** Facts about the tables for the model: owning relationships, unique attributes, and values that the server sets. */
export interface Tables {
  /** The relationships that own foreign keys or junction tables; the others are their inverses. */
  readonly owners: readonly Relationship[]
  isOwner(relationship: Relationship): boolean
  ownerOf(inverse: Relationship): Relationship
  isOneToOne(owner: Relationship): boolean
  uniqueNames(type: StoredType): readonly string[]
  /** Returns true if deletions of the type are soft. */
  isSoftDeleted(type: StoredType): boolean
  defaults(type: StoredType): Readonly<Record<string, unknown>>
  /** Increments the version, if the type has one. */
  withNextVersion(row: ModelRow): ModelRow
}

export function tableFactsOf(dataSource: DataSource, graph: ResourceGraph): Tables {
  const types = storedTypesOf(graph)
  const relationships = [...new Set(types.flatMap((type) => type.relationships))]
  const isOwner = (each: Relationship) => relationOf(dataSource, each).isOwning
  return {
    owners: relationships.filter(isOwner),
    isOwner,
    ownerOf(inverse) {
      const [owner] = inverse.target.concreteTypes.flatMap((type) => inversesOf(inverse, type))
      if (owner === undefined) throw new Error(`${inverse.name} has no inverse.`)
      return owner
    },
    isOneToOne: (owner) => relationOf(dataSource, owner).isOneToOne,
    uniqueNames: (type) => tablesOfRow(metadataOf(dataSource, type)).flatMap((part) => uniqueNames(type, part)),
    isSoftDeleted: (type) => tablesOfRow(metadataOf(dataSource, type))[0]?.deleteDateColumn !== undefined,
    defaults: (type) =>
      Object.fromEntries(
        comparedAttributes(type).map(({ name, valueOrigin, defaultValue }) => [
          name,
          valueOrigin === 'version' ? 1 : (defaultValue ?? null),
        ]),
      ),
    withNextVersion(row) {
      const version = row.type.attributes.find(({ valueOrigin }) => valueOrigin === 'version')?.name
      if (version === undefined) return row
      return { ...row, values: { ...row.values, [version]: Number(row.values[version]) + 1 } }
    },
  }
}

export function metadataOf(dataSource: DataSource, type: ResourceType): EntityMetadata {
  return dataSource.getMetadata(type.resourceClass)
}

export function relationOf(
  dataSource: DataSource,
  { declaringType, property }: ToOneRelationship | ToManyRelationship,
): RelationMetadata {
  const relation = metadataOf(dataSource, declaringType).findRelationWithPropertyPath(property)
  if (relation === undefined) throw new Error(`${declaringType.name}.${property} is not a relation.`)
  return relation
}

/** Returns attributes with predictable values, which excludes dates that the server sets. */
export function comparedAttributes(type: StoredType): StoredType['attributes'] {
  return type.attributes.filter(({ valueOrigin }) => valueOrigin === 'client' || valueOrigin === 'version')
}

function uniqueNames(type: StoredType, { uniques, indices }: EntityMetadata): readonly string[] {
  const unique = [...uniques, ...indices.filter(({ isUnique }) => isUnique)]
  const properties = unique.flatMap(({ columns }) =>
    columns.length === 1 ? columns.map((each) => each.propertyName) : [],
  )
  return type.attributes.filter(({ property }) => properties.includes(property)).map(({ name }) => name)
}

export function storedTypesOf(graph: ResourceGraph): readonly StoredType[] {
  return [...new Set([...graph.types.values()].flatMap((type) => type.concreteTypes))]
}
