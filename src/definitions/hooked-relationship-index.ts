import { getOrCompute } from '../cache/get-or-compute'
import { inversesOf, type Relationship, type StoredType } from '../graph/model/resource-graph'
import { overridesHook } from './overrides-hook'
import type { ResourceDefinition } from './resource-definition'

/**
 * The relationships for which a definition has a hook. The hook runs for every link that changes, also if the request writes only the other
 * end. Collected at startup, so that APIs without such hooks lose no time.
 */
export interface HookedRelationshipIndex {
  /** True if there is at least one. */
  readonly hasAny: boolean
  /** Returns the stored types that have the relationship and such a hook. */
  typesOf(relationship: Relationship): readonly StoredType[]
  /**
   * Returns true if a hook of another relationship can run when the relationship changes: of a related resource, of one that loses it, or of a
   * relationship of the same resource that changes too.
   */
  hasInverseHook(relationship: Relationship): boolean
  /** Returns the hooked relationships of resources that can lose a related resource when the relationship changes. */
  ofOwnersIn(relationship: Relationship): readonly Relationship[]
  /** Returns the hooked relationships that can point to resources of this type. */
  pointingTo(type: StoredType): readonly Relationship[]
}

export function indexRelationshipsWithWriteHooks(
  concrete: readonly StoredType[],
  definitionOf: (type: StoredType) => ResourceDefinition,
): HookedRelationshipIndex {
  const types = new Map<Relationship, StoredType[]>()
  for (const type of concrete) {
    const definition = definitionOf(type)
    for (const relationship of type.relationships) {
      if (!HOOKS[relationship.kind].some((hook) => overridesHook(definition, hook))) continue
      types.set(relationship, [...(types.get(relationship) ?? []), type])
    }
  }
  const byTargetType = new Map<StoredType, Relationship[]>()
  for (const relationship of types.keys()) {
    for (const type of relationship.target.concreteTypes) getOrCompute(byTargetType, type, () => []).push(relationship)
  }
  const ofOwnersIn = (relationship: Relationship) => relationship.ownerRelationships.filter((each) => types.has(each))
  const withInverseHook = new Set(
    concrete
      .flatMap(({ relationships }) => relationships)
      .filter(
        (each) =>
          [...each.ownerRelationships, ...each.storedTogether].some((other) => types.has(other)) ||
          isHookedAtOtherEnd(each, types),
      ),
  )
  return {
    hasAny: types.size > 0,
    hasInverseHook: (relationship) => withInverseHook.has(relationship),
    ofOwnersIn,
    typesOf: (relationship) => types.get(relationship) ?? [],
    pointingTo: (type) => byTargetType.get(type) ?? [],
  }
}

/** A relationship that is its own inverse is stored in one direction. A link does not change the other end. */
function isHookedAtOtherEnd(
  relationship: Relationship,
  types: ReadonlyMap<Relationship, readonly StoredType[]>,
): boolean {
  return relationship.target.concreteTypes.some((type) =>
    inversesOf(relationship, type).some((each) => each !== relationship && types.get(each)?.includes(type)),
  )
}

/** The hooks that a write of the other end can trigger. `setToMany` is not among them: only a write of its own end replaces all members. */
const HOOKS = { toOne: ['setToOne'], toMany: ['addToMany', 'removeFromMany'] } as const
