import { overridesHook } from '../definitions/overrides-hook'
import type { ResourceDefinition } from '../definitions/resource-definition'
import type { ApiCore } from '../endpoints/api-core'
import type { ResourceType, StoredType } from '../graph/model/resource-graph'

/** The parts of an API that its description needs. */
export type OpenApiContext = Pick<ApiCore, 'graph' | 'options' | 'definitions' | 'idempotency'>

/** Returns every stored type. */
export function allStoredTypesOfApi({ graph }: Pick<OpenApiContext, 'graph'>): readonly StoredType[] {
  return [...new Set([...graph.types.values()].flatMap(({ concreteTypes }) => concreteTypes))]
}

/** Returns true if a definition of one of these types overrides the hook. */
export function someTypeOverridesHook(
  types: readonly StoredType[],
  hook: keyof ResourceDefinition,
  { definitions }: Pick<OpenApiContext, 'definitions'>,
): boolean {
  return types.some((type) => overridesHook(definitions.of(type), hook))
}

/** Returns true if rules may hide rows of the type. */
export function rowsMayBeHidden(type: ResourceType, api: Pick<OpenApiContext, 'definitions'>): boolean {
  return someTypeOverridesHook(type.concreteTypes, 'filter', api)
}
