import type { EntityMetadata } from 'typeorm'
import { getOrCompute } from '../../../cache/get-or-compute'
import type { Attribute, Relationship, ResourceGraph } from '../../../graph/model/resource-graph'
import type { ResolvedApiOptions } from '../../../graph/options/options'
import { type DatabaseMapping, isVirtualColumnOrEmbeddedObject } from '../mapping/database-mapping'
import { classContainsRowsOf } from '../mapping/map-inbound-references'
import { relationMetadataOf } from '../mapping/map-relation'
import {
  entityHasOwnOrSharedTable,
  inheritanceStrategyOf,
  isMetadataOfSubclass,
  multiTableHierarchyOrSelf,
} from '../metadata/inheritance-strategy'
import type { ColumnMetadata, RelationMetadata } from '../metadata/typeorm-metadata'

/** Columns by which statements of the API look for rows, so that an index on them can be of use. */
export interface IndexCandidate {
  readonly table: EntityMetadata
  readonly columns: readonly ColumnMetadata[]
  /** The class and property that the columns belong to. */
  readonly declareAt: string
  /** The lookups in terms of the graph. */
  readonly usedBy: readonly string[]
}

/**
 * Finds the columns of lookups that every API makes: members of relationships, references to deleted rows, and sorting by selected attributes. Only
 * the developer knows the other filters and sort keys of clients.
 */
export function findColumnsUsedInLookups(
  graph: ResourceGraph,
  mapping: DatabaseMapping,
  options: Pick<ResolvedApiOptions, 'capabilities'>,
): IndexCandidate[] {
  const types = [...graph.types.values()]
  const relationships = new Set(types.flatMap((type) => type.relationships))
  const attributes = new Set(types.flatMap((type) => type.attributes))
  const isSortableByDefault = options.capabilities.attribute.includes('sort')
  const sortable = isSortableByDefault
    ? []
    : [...attributes].filter(({ capabilities }) => capabilities.includes('sort'))
  return [
    ...[...relationships].filter(isReadable).flatMap((relationship) => candidatesOfMembers(relationship, mapping)),
    ...candidatesOfDeletions(graph, mapping),
    ...sortable.flatMap((attribute) => candidatesOfOrder(attribute, mapping)),
  ].filter(({ table }) => table.tableType !== 'view')
}

function isReadable({ capabilities }: Relationship): boolean {
  const readCapabilities: readonly string[] = ['view', 'include', 'filter']
  return capabilities.some((capability) => readCapabilities.includes(capability))
}

function candidatesOfMembers(relationship: Relationship, mapping: DatabaseMapping): readonly IndexCandidate[] {
  const usedBy = `${relationship.declaringType.name}.${relationship.name}`
  const relation = mapping.relationOf(relationship)
  if (relation.kind === 'owning') return []
  if (relation.kind === 'inverse')
    return inEachTable(relation.metadata).map((copy) => candidateOfForeignKey(copy, [usedBy]))
  const metadata = relationMetadataOf(relationship, mapping.dataSource)
  const owner = metadata.isOwning ? metadata : metadata.inverseRelation
  const table = owner?.junctionEntityMetadata
  if (owner === undefined || table === undefined) return []
  const columns = metadata.isOwning ? owner.joinColumns : owner.inverseJoinColumns
  return [{ table, columns, declareAt: keyOf(metadata), usedBy: [usedBy] }]
}

/** Returns the foreign keys that are looked up when rows are removed. A soft delete does not look up references. */
function candidatesOfDeletions(
  graph: ResourceGraph,
  { dataSource, tableOf }: DatabaseMapping,
): readonly IndexCandidate[] {
  const stored = new Set([...graph.types.values()].flatMap((type) => type.concreteTypes))
  const deleted = [...stored].filter(
    (type) => type.endpoints.includes('deleteResource') && tableOf(type).deletedAt === undefined,
  )
  const deletionsByReferred = new Map<EntityMetadata, readonly string[]>()
  const findDeletions = (referred: EntityMetadata) =>
    deleted
      .filter((type) => classContainsRowsOf(referred, tableOf(type).metadata))
      .map(({ name }) => `deletions of ${name}`)
  const keys = new Set(
    dataSource.entityMetadatas
      .filter(entityHasOwnOrSharedTable)
      .flatMap(({ relations }) => relations.filter((relation) => relation.isWithJoinColumn)),
  )
  return [...keys].flatMap((relation) => {
    const usedBy = getOrCompute(deletionsByReferred, relation.inverseEntityMetadata, findDeletions)
    return usedBy.length === 0 ? [] : [candidateOfForeignKey(relation, usedBy)]
  })
}

/** Returns the relation in each table that inherits it. With one table per concrete class, each table has a copy. */
function inEachTable(relation: RelationMetadata): readonly RelationMetadata[] {
  const { entityMetadata, propertyPath } = relation
  if (inheritanceStrategyOf(entityMetadata) !== 'tablePerConcreteClass') return [relation]
  return withTables(entityMetadata).flatMap(
    ({ relations }) => relations.find((candidate) => candidate.propertyPath === propertyPath) ?? [],
  )
}

function withTables(metadata: EntityMetadata): readonly EntityMetadata[] {
  return multiTableHierarchyOrSelf(metadata).filter(
    (candidate) =>
      entityHasOwnOrSharedTable(candidate) && (candidate === metadata || isMetadataOfSubclass(candidate, metadata)),
  )
}

function candidateOfForeignKey(relation: RelationMetadata, usedBy: readonly string[]): IndexCandidate {
  return { table: relation.entityMetadata, columns: relation.joinColumns, declareAt: keyOf(relation), usedBy }
}

function candidatesOfOrder(attribute: Attribute, mapping: DatabaseMapping): readonly IndexCandidate[] {
  const { declaringType, name } = attribute
  const column = mapping.columnOf(attribute)
  if (isVirtualColumnOrEmbeddedObject(column)) return []
  const { entityMetadata, propertyPath } = column.metadata
  const usedBy = `${declaringType.name} sorted by ${name}`
  const tables =
    inheritanceStrategyOf(entityMetadata) === 'tablePerConcreteClass' ? withTables(entityMetadata) : [entityMetadata]
  return tables.flatMap((table) => {
    const ownColumn = table.columns.find((candidate) => candidate.propertyPath === propertyPath)
    return ownColumn === undefined
      ? []
      : [{ table, columns: [ownColumn], declareAt: `${table.name}.${propertyPath}`, usedBy: [usedBy] }]
  })
}

function keyOf({ target, entityMetadata, propertyPath }: RelationMetadata): string {
  return `${typeof target === 'function' ? target.name : entityMetadata.name}.${propertyPath}`
}
