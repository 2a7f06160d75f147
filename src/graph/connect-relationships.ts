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
  const inverseSides = groupInverseSides(sources)
  findOwnerRelationships(sources, inverseSides)
  findStoredTogether(sources, inverseSides)
}

/** The relationships whose foreign key is in other rows, by the property of the related class that they name. */
type InverseSides = ReadonlyMap<string | undefined, readonly RelationshipSource[]>

function groupInverseSides(sources: readonly RelationshipSource[]): InverseSides {
  const groups = new Map<string | undefined, RelationshipSource[]>()
  for (const source of sources) {
    const { isInverseSide, inverseProperty } = source.relation
    if (isInverseSide) getOrCompute(groups, inverseProperty, () => []).push(source)
  }
  return groups
}

/** Returns the relationships for which other rows have the same foreign key, this one included; none if the row itself has the key. */
function findSameForeignKey({ relationship, relation }: RelationshipSource, groups: InverseSides): Relationship[] {
  if (!relation.isInverseSide) return []
  const found = (groups.get(relation.inverseProperty) ?? []).map((source) => source.relationship)
  return found.filter(
    (other) =>
      areInSameLineage(relationship.target, other.target) &&
      rootTypeOf(relationship.declaringType) === rootTypeOf(other.declaringType),
  )
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

function findOwnerRelationships(sources: readonly RelationshipSource[], inverseSides: InverseSides): void {
  for (const source of sources) {
    const { relationship } = source
    if (relationship.isExclusive)
      relationship.ownerRelationships = source.relation.isInverseSide
        ? findSameForeignKey(source, inverseSides)
        : [relationship]
  }
}

function findStoredTogether(sources: readonly RelationshipSource[], inverseSides: InverseSides): void {
  const byForeignKey = new Map<string, Relationship[]>()
  for (const { relationship, relation } of sources) {
    if (relation.foreignKeyPath === undefined) continue
    getOrCompute(byForeignKey, relation.foreignKeyPath, () => []).push(relationship)
  }
  for (const source of sources) {
    const { relationship, relation } = source
    const ofSameRow = byForeignKey.get(relation.foreignKeyPath ?? '') ?? []
    // Siblings can have the same columns, but not in the same row.
    relationship.storedTogether = [...ofSameRow, ...findSameForeignKey(source, inverseSides)].filter(
      (each) => each !== relationship && areInSameLineage(each.declaringType, relationship.declaringType),
    )
  }
}
