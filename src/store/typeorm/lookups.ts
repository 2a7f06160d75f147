import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata'
import type { EntityMetadata } from 'typeorm/metadata/EntityMetadata'
import type { RelationMetadata } from 'typeorm/metadata/RelationMetadata'
import type { Options } from '../../graph/options'
import type { Attribute, Relationship, ResourceGraph } from '../../graph/resource-graph'
import { holds } from './map-references'
import { relationMetadataOf } from './map-relation'
import type { Mapping } from './mapping'
import { isExpression } from './scope'
import { hasTable, hierarchyOf, isBelow, layoutOf } from './table-layout'

/** Columns by which statements of the API look for rows. */
export interface Lookup {
  readonly table: EntityMetadata
  readonly columns: readonly ColumnMetadata[]
  /** The class and property that the columns belong to. */
  readonly at: string
  /** What looks by them, in words of the graph. */
  readonly serves: string
}

/**
 * What is certain to be looked for: members of relationships, what refers to a row that is deleted, and the order of those attributes that
 * are picked out for sorting. By what else clients filter and sort only the developer knows.
 */
export function lookupsOf(graph: ResourceGraph, mapping: Mapping, options: Pick<Options, 'capabilities'>): Lookup[] {
  const types = [...graph.types.values()]
  const relationships = new Set(types.flatMap((type) => type.relationships))
  const attributes = new Set(types.flatMap((type) => type.attributes))
  const sortable = options.capabilities.attribute.includes('sort') ? [] : [...attributes].filter(isPickedOut)
  return [
    ...[...relationships].filter(isFollowed).flatMap((each) => lookupsOfMembers(each, mapping)),
    ...lookupsOfDeletions(graph, mapping),
    ...sortable.flatMap((attribute) => lookupsOfOrder(attribute, mapping)),
  ]
}

function isFollowed({ capabilities }: Relationship): boolean {
  const following: readonly string[] = ['view', 'include', 'filter']
  return capabilities.some((each) => following.includes(each))
}

function lookupsOfMembers(relationship: Relationship, mapping: Mapping): readonly Lookup[] {
  const serves = `${relationship.declaringType.name}.${relationship.name}`
  const link = mapping.relationOf(relationship)
  if (link.kind === 'keyOnLeft') return []
  if (link.kind === 'keyOnRight') return inEachTable(link.metadata).map((copy) => lookupByKey(copy, serves))
  const relation = relationMetadataOf(relationship, mapping.dataSource)
  const owner = relation.isOwning ? relation : relation.inverseRelation
  const table = owner?.junctionEntityMetadata
  if (owner === undefined || table === undefined) return []
  const columns = relation.isOwning ? owner.joinColumns : owner.inverseJoinColumns
  return [{ table, columns, at: placeOf(relation), serves }]
}

/** Rows that only count as deleted stay what others refer to. */
function lookupsOfDeletions(graph: ResourceGraph, { dataSource, tableOf }: Mapping): readonly Lookup[] {
  const deleted = [...graph.types.values()]
    .flatMap((type) => type.concreteTypes)
    .filter((type) => type.endpoints.includes('deleteResource') && tableOf(type).deletedAt === undefined)
  const keys = new Set(
    dataSource.entityMetadatas.filter(hasTable).flatMap(({ relations }) => relations.filter(holdsKey)),
  )
  return [...keys].flatMap((relation) =>
    deleted
      .filter((type) => holds(relation.inverseEntityMetadata, tableOf(type).metadata))
      .map(({ name }) => lookupByKey(relation, `deletions of ${name}`)),
  )
}

/** Classes with whole tables of their own have each their own of what they inherit. */
function inEachTable(relation: RelationMetadata): readonly RelationMetadata[] {
  const { entityMetadata, propertyPath } = relation
  if (layoutOf(entityMetadata) !== 'perConcreteType') return [relation]
  return withTables(entityMetadata).flatMap(
    ({ relations }) => relations.find((each) => each.propertyPath === propertyPath) ?? [],
  )
}

function withTables(metadata: EntityMetadata): readonly EntityMetadata[] {
  return hierarchyOf(metadata).filter((each) => hasTable(each) && (each === metadata || isBelow(each, metadata)))
}

function holdsKey({ isWithJoinColumn }: RelationMetadata): boolean {
  return isWithJoinColumn
}

function lookupByKey(relation: RelationMetadata, serves: string): Lookup {
  return { table: relation.entityMetadata, columns: relation.joinColumns, at: placeOf(relation), serves }
}

function isPickedOut(attribute: Attribute): boolean {
  return attribute.capabilities.includes('sort')
}

function lookupsOfOrder(attribute: Attribute, mapping: Mapping): readonly Lookup[] {
  const { declaringType, name } = attribute
  const column = mapping.columnOf(declaringType, attribute)
  if (isExpression(column)) return []
  const { entityMetadata, propertyPath } = column.metadata
  const serves = `${declaringType.name} sorted by ${name}`
  const tables = layoutOf(entityMetadata) === 'perConcreteType' ? withTables(entityMetadata) : [entityMetadata]
  return tables.flatMap((table) => {
    const own = table.columns.find((each) => each.propertyPath === propertyPath)
    return own === undefined ? [] : [{ table, columns: [own], at: `${table.name}.${propertyPath}`, serves }]
  })
}

function placeOf({ target, entityMetadata, propertyPath }: RelationMetadata): string {
  return `${typeof target === 'function' ? target.name : entityMetadata.name}.${propertyPath}`
}
