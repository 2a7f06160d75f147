import type { EntityMetadata } from 'typeorm'
import { getOrCompute } from '../../../cache/get-or-compute'
import type { EntityRelationDescription } from '../../../graph/model/entity-description'
import type { ResourceClass } from '../../../graph/model/resource-graph'
import { metadataArgsOfDataSource } from './declared-arguments'
import { writeKindsDeniedByColumns } from './declared-columns'
import {
  canBeSetNull,
  isSharedByForeignKeys,
  sortForeignKeyColumnsLikeKey,
  toGraphOrphanAction,
} from './foreign-key-columns'
import { inheritanceStrategyOf, multiTableHierarchyOrSelf, tablesOfRow } from './inheritance-strategy'
import type { ColumnMetadata, RelationMetadata } from './typeorm-metadata'

/** Describes the relations that a class and its base classes declare. */
export function describeEntityRelations(
  parts: readonly EntityMetadata[],
  chain: readonly unknown[],
): readonly EntityRelationDescription[] {
  const relations = parts.flatMap(({ ownRelations }) => ownRelations)
  return [...describeOwnRelations(relations, chain), ...describeReplacedRelations(relations, chain)]
}

function describeOwnRelations(
  relations: readonly RelationMetadata[],
  chain: readonly unknown[],
): readonly EntityRelationDescription[] {
  return relations
    .filter(({ target }) => chain.includes(target))
    .map((relation) => describeRelation(relation, relation.target, undefined))
}

/** Describes relations that a sibling class declares with the same name. TypeORM uses the relation of the sibling for both. */
function describeReplacedRelations(
  relations: readonly RelationMetadata[],
  chain: readonly unknown[],
): readonly EntityRelationDescription[] {
  return relations
    .filter(({ target }) => !chain.includes(target))
    .flatMap((relation) => {
      const own = metadataArgsOfDataSource(relation.entityMetadata.connection).relations.find(
        ({ target, propertyName }) => propertyName === relation.propertyName && chain.includes(target),
      )
      return own === undefined ? [] : [describeRelation(relation, own.target, relation.target)]
    })
}

function describeRelation(
  relation: RelationMetadata,
  declaredBy: unknown,
  replacedBy: unknown,
): EntityRelationDescription {
  const isToOne = relation.isManyToOne || relation.isOneToOne
  return {
    property: relation.propertyName,
    declaredBy: declaredBy as ResourceClass,
    replacedBy: replacedBy as ResourceClass | undefined,
    kind: isToOne ? 'toOne' : 'toMany',
    target: relation.inverseEntityMetadata.target as ResourceClass,
    inverseProperty: findInverse(relation)?.propertyPath,
    isInverseSide: !relation.isOwning,
    isExclusive: relation.isOneToOne || relation.isOneToMany,
    holdsKey: relation.isWithJoinColumn,
    foreignKeyPath: foreignKeyPathOf(relation),
    refersTo: referredTo(relation),
    isNullable: relation.isWithJoinColumn ? canBeSetNull(relation) : true,
    isClearedOnDelete: relation.onDelete === 'SET NULL',
    hasDefault: relation.isWithJoinColumn && relation.joinColumns.every(hasDefault),
    deniedWrites: deniedWritesOf(relation),
    primaryKeyIndexes: relation.isWithJoinColumn && isInKey(relation) ? primaryKeyIndexesOf(relation) : [],
    orphanAction: orphanActionOf(relation),
  }
}

/** Returns the table and columns that both sides of a relation are stored in. The classes of a hierarchy share them, also if each has its own table. */
function foreignKeyPathOf(relation: RelationMetadata): string | undefined {
  const owner = relation.isOwning ? relation : relation.inverseRelation
  if (owner === undefined || relation.isManyToManyOwner) return undefined
  const { entityMetadata, junctionEntityMetadata, joinColumns } = owner
  const isInSeveralTables = inheritanceStrategyOf(entityMetadata) === 'tablePerConcreteClass'
  const [root] = isInSeveralTables ? multiTableHierarchyOrSelf(entityMetadata) : []
  const { tablePath } = junctionEntityMetadata ?? root ?? entityMetadata
  return JSON.stringify([tablePath, ...joinColumns.map(({ databaseName }) => databaseName).sort()])
}

function referredTo(relation: RelationMetadata): EntityRelationDescription['refersTo'] {
  const owner = relation.isOwning ? relation : relation.inverseRelation
  if (owner === undefined || !owner.isOwning) return 'nothing'
  const { entityMetadata: source, inverseEntityMetadata: target, joinColumns, inverseJoinColumns } = owner
  const keys = owner.isManyToMany
    ? [sortForeignKeyColumnsLikeKey(joinColumns, source), sortForeignKeyColumnsLikeKey(inverseJoinColumns, target)]
    : [sortForeignKeyColumnsLikeKey(joinColumns, target)]
  return keys.includes(undefined) ? 'others' : 'ids'
}

/** Finds the inverse of a relation, which either side can declare. */
function findInverse(relation: RelationMetadata): RelationMetadata | undefined {
  const declared = relation.inverseRelation
  if (declared !== undefined) return declared
  const candidates = getOrCompute(RELATIONS_BY_INVERSE, relation.inverseEntityMetadata, groupByInverse)
  return candidates
    .get(relation.propertyPath)
    ?.find(({ inverseRelation }) => inverseRelation?.target === relation.target)
}

const RELATIONS_BY_INVERSE = new WeakMap<EntityMetadata, ReadonlyMap<string, readonly RelationMetadata[]>>()

/** Groups the relations of a class by the property of the other side that they name. */
function groupByInverse(metadata: EntityMetadata): ReadonlyMap<string, readonly RelationMetadata[]> {
  const byProperty = new Map<string, RelationMetadata[]>()
  for (const relation of tablesOfRow(metadata).flatMap(({ ownRelations }) => ownRelations)) {
    if (relation.inverseRelation === undefined) continue
    getOrCompute(byProperty, relation.inverseRelation.propertyPath, () => []).push(relation)
  }
  return byProperty
}

/** Returns what happens to removed resources, if their rows contain the foreign key. */
function orphanActionOf({ isOwning, inverseRelation }: RelationMetadata): EntityRelationDescription['orphanAction'] {
  return isOwning || inverseRelation?.isWithJoinColumn !== true ? 'unlinked' : toGraphOrphanAction(inverseRelation)
}

function hasDefault({ default: declared }: ColumnMetadata): boolean {
  return declared !== undefined && declared !== null
}

/** Returns the writes that the foreign key does not allow. A write that changes a column which another relation shares is rejected later. */
function deniedWritesOf(relation: RelationMetadata): EntityRelationDescription['deniedWrites'] {
  const owner = relation.isWithJoinColumn ? relation : relation.inverseRelation
  if (relation.isManyToMany || owner === undefined) return []
  const isInOtherView = owner !== relation && owner.entityMetadata.tableType === 'view'
  if (isInOtherView || isInKey(owner)) return ['change']
  const unshared = owner.joinColumns.filter((column) => !isSharedByForeignKeys(column, owner))
  return writeKindsDeniedByColumns(unshared.length > 0 ? unshared : owner.joinColumns)
}

function isInKey({ joinColumns }: RelationMetadata): boolean {
  return joinColumns.length > 0 && joinColumns.every(({ isPrimary }) => isPrimary)
}

function primaryKeyIndexesOf({
  joinColumns,
  entityMetadata,
  inverseEntityMetadata,
}: RelationMetadata): readonly number[] {
  const names = entityMetadata.primaryColumns.map(({ databaseName }) => databaseName)
  return (sortForeignKeyColumnsLikeKey(joinColumns, inverseEntityMetadata) ?? []).map(({ databaseName }) =>
    names.indexOf(databaseName),
  )
}
