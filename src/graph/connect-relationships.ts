import { getOrCompute } from '../cache/get-or-compute'
import type { RelationDescription } from './model/entity-description'
import { areInSameLineage, rootTypeOf } from './model/inheritance'
import type { Relationship, StoredType, ToManyRelationship, ToOneRelationship } from './model/resource-graph'

export type Draft<Value> = { -readonly [Key in keyof Value]: Value[Key] }
export type DraftRelationship = Draft<ToOneRelationship> | Draft<ToManyRelationship>

/** A relationship with the store's description of its relation. */
export interface RelationshipSource {
  readonly relationship: DraftRelationship
  readonly relation: RelationDescription
}

/** Sets the members of relationships that are other relationships. */
export function connectRelationships(sources: readonly RelationshipSource[]): void {
  findInverses(sources)
  findOwnerRelationships(sources)
  findStoredTogether(sources)
}

/**
 * Sets the inverses of each relationship, for each stored type of its related resources, and whether they can be shared. A relationship can have an
 * inverse that only derived types of its target declare: its relation does not name that, but is named by it.
 */
function findInverses(sources: readonly RelationshipSource[]): void {
  const relations = new Map<Relationship, RelationDescription>(
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
    relationship.relatedResourceCanBeShared = relationship.target.concreteTypes.some(
      (type) => !inverses.get(type)?.some(({ kind }) => kind === 'toOne'),
    )
  }
}

function findOwnerRelationships(sources: readonly RelationshipSource[]): void {
  for (const source of sources) {
    const { relationship } = source
    const isOfOwner = (other: RelationshipSource) => other === source || useSameForeignKey(source, other)
    const ofOwner = relationship.isExclusive ? sources.filter(isOfOwner) : []
    relationship.ownerRelationships = ofOwner.map((each) => each.relationship)
  }
}

function findStoredTogether(sources: readonly RelationshipSource[]): void {
  const byForeignKey = new Map<string, Relationship[]>()
  for (const { relationship, relation } of sources) {
    if (relation.foreignKeyPath === undefined) continue
    getOrCompute(byForeignKey, relation.foreignKeyPath, () => []).push(relationship)
  }
  for (const source of sources) {
    const { relationship, relation } = source
    const ofSameRow = byForeignKey.get(relation.foreignKeyPath ?? '') ?? []
    const ofOtherRows = sources.filter((each) => useSameForeignKey(source, each)).map((each) => each.relationship)
    // Siblings can have the same columns, but not in the same row.
    relationship.storedTogether = [...ofSameRow, ...ofOtherRows].filter(
      (each) => each !== relationship && areInSameLineage(each.declaringType, relationship.declaringType),
    )
  }
}

/** Returns true if other rows have one foreign key for both relationships. Then they name the same property of the related class. */
function useSameForeignKey(one: RelationshipSource, other: RelationshipSource): boolean {
  return (
    [one, other].every(({ relation }) => relation.isInverseSide) &&
    one.relation.inverseProperty === other.relation.inverseProperty &&
    areInSameLineage(one.relationship.target, other.relationship.target) &&
    rootTypeOf(one.relationship.declaringType) === rootTypeOf(other.relationship.declaringType)
  )
}
