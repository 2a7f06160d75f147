import { getOrCompute } from '../cache/get-or-compute'
import type { EntityRelationDescription } from './model/entity-description'
import { areInSameLineage, rootTypeOf } from './model/inheritance'
import type { Relationship, StoredType, ToManyRelationship, ToOneRelationship } from './model/resource-graph'

export type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] }
export type MutableGraphRelationship = Mutable<ToOneRelationship> | Mutable<ToManyRelationship>

/** A relationship with the store's description of its relation. */
export interface RelationshipWithRelation {
  readonly relationship: MutableGraphRelationship
  readonly relation: EntityRelationDescription
}

/** Sets the members of relationships that are other relationships. */
export function linkInverseRelationships(sources: readonly RelationshipWithRelation[]): void {
  findInverses(sources)
  const groups = groupByForeignKey(sources)
  for (const source of sources) {
    const { relationship, relation } = source
    const same = findSameForeignKey(source, groups)
    if (relationship.isExclusive) relationship.ownerRelationships = relation.isInverseSide ? same : [relationship]
    // Siblings can have the same columns, but not in the same row.
    relationship.storedTogether = same.filter(
      (each) => each !== relationship && areInSameLineage(each.declaringType, relationship.declaringType),
    )
  }
}

type RelationshipsByForeignKey = ReadonlyMap<string | undefined, readonly Relationship[]>

/** Groups the relationships of each end of a foreign key. */
function groupByForeignKey(sources: readonly RelationshipWithRelation[]): RelationshipsByForeignKey {
  const groups = new Map<string | undefined, Relationship[]>()
  for (const { relationship, relation } of sources) {
    getOrCompute(groups, endOfForeignKey(relation), () => []).push(relationship)
  }
  return groups
}

function endOfForeignKey({ foreignKeyPath, isInverseSide }: EntityRelationDescription): string | undefined {
  return foreignKeyPath && `${isInverseSide} ${foreignKeyPath}`
}

/** Returns the relationships at the same end of the same foreign key, this one included. */
function findSameForeignKey(
  { relationship, relation }: RelationshipWithRelation,
  groups: RelationshipsByForeignKey,
): readonly Relationship[] {
  const end = endOfForeignKey(relation)
  const found = end === undefined ? [] : (groups.get(end) ?? [])
  if (!relation.isInverseSide) return found
  return found.filter(
    (other) =>
      areInSameLineage(relationship.target, other.target) &&
      rootTypeOf(relationship.declaringType) === rootTypeOf(other.declaringType),
  )
}

/**
 * Sets the inverses of each relationship, for each stored type of its related resources, and the members that depend on them. A relationship can have an
 * inverse that only derived types of its target declare: its relation does not name that, but is named by it.
 */
function findInverses(sources: readonly RelationshipWithRelation[]): void {
  const relations = new Map<Relationship, EntityRelationDescription>(
    sources.map(({ relationship, relation }) => [relationship, relation]),
  )
  const names = (one: Relationship, other: Relationship) =>
    relations.get(one)?.inverseProperty === other.property && one.target.relationships.includes(other)
  for (const { relationship, relation } of sources) {
    const isInverse = (other: Relationship) =>
      names(relationship, other) ||
      (names(other, relationship) &&
        (relations.get(other)?.isInverseSide === true || relation.inverseProperty === other.property))
    const inverses = new Map<StoredType, readonly Relationship[]>()
    for (const type of relationship.target.concreteTypes) {
      const found = type.relationships.filter(isInverse)
      if (found.length > 0) inverses.set(type, Object.freeze(found))
    }
    relationship.inverses = inverses
    const isRequired = [...inverses.values()].flat().some((each) => each.kind === 'toOne' && !each.isNullable)
    if (relationship.orphanAction === 'unlinked' && isRequired) relationship.orphanAction = 'refused'
    relationship.relatedResourceCanBeShared = relationship.target.concreteTypes.some(
      (type) => !inverses.get(type)?.some(({ kind }) => kind === 'toOne'),
    )
  }
}
