import { overrides } from '../definitions/overrides'
import type { ResourceDefinition } from '../definitions/resource-definition'
import type { Api } from '../endpoints/api'
import type { ResourceType, StoredType } from '../graph/model/resource-graph'

/** What the description of an API is made from. */
export type ApiFacts = Pick<Api, 'graph' | 'options' | 'definitions' | 'idempotency'>

/** Every type that rows can be stored as. */
export function storedTypes({ graph }: Pick<ApiFacts, 'graph'>): readonly StoredType[] {
  return [...new Set([...graph.types.values()].flatMap(({ concreteTypes }) => concreteTypes))]
}

/** Whether the rules of any of these types have such a hook. */
export function hasRule(
  types: readonly StoredType[],
  hook: keyof ResourceDefinition,
  { definitions }: Pick<ApiFacts, 'definitions'>,
): boolean {
  return types.some((type) => overrides(definitions.of(type), hook))
}

/** Whether rules may keep rows of the type from whoever asks. */
export function isHidden(type: ResourceType, facts: Pick<ApiFacts, 'definitions'>): boolean {
  return hasRule(type.concreteTypes, 'filter', facts)
}
