import type { Relationship, StoredType } from '../graph/model/resource-graph'
import { overrides } from './overrides'
import type { ResourceDefinition } from './resource-definition'

/**
 * The relationships for which a definition has a hook: it is asked for every link that changes, also where the request names the other end
 * alone. Found at start-up, so that nothing is spent where there are none.
 */
export interface HookedRelationships {
  /** The stored types that have the relationship and such a hook. */
  typesOf(relationship: Relationship): readonly StoredType[]
  /** Those relationships that can lead to resources of this type, and have such types. */
  pointingTo(type: StoredType): readonly Relationship[]
}

export function buildHookedRelationships(
  concrete: readonly StoredType[],
  definitionOf: (type: StoredType) => ResourceDefinition,
): HookedRelationships {
  const types = new Map<Relationship, StoredType[]>()
  for (const type of concrete) {
    const definition = definitionOf(type)
    for (const relationship of type.relationships) {
      if (!HOOKS[relationship.kind].some((hook) => overrides(definition, hook))) continue
      types.set(relationship, [...(types.get(relationship) ?? []), type])
    }
  }
  const leading = new Map(
    concrete.map((type) => [type, [...types.keys()].filter(({ target }) => target.concreteTypes.includes(type))]),
  )
  return {
    typesOf: (relationship) => types.get(relationship) ?? [],
    pointingTo: (type) => leading.get(type) ?? [],
  }
}

/** Of what the other end can do. All members of a relationship can only be set from its own end. */
const HOOKS = { toOne: ['setToOne'], toMany: ['addToMany', 'removeFromMany'] } as const
