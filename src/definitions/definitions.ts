import { isViewable } from '../graph/model/capabilities'
import { isStoredType } from '../graph/model/inheritance'
import type { ResourceGraph, ResourceType, StoredType } from '../graph/model/resource-graph'
import { buildHookedRelationships, type HookedRelationships } from './hooked-relationships'
import { overrides } from './overrides'
import { hasRecordHooks, RECORD_HOOKS, type RecordHooks, recordHooksOf } from './record-hooks'
import { ResourceDefinition } from './resource-definition'

/** Every definition of the application, found by stored type only. */
export interface Definitions {
  /** The one that answers for records of this type. */
  of(type: StoredType): ResourceDefinition
  /** What it says of each of its records to whoever is asking; `undefined` where it says nothing. */
  hooksOf(type: StoredType, context: unknown): RecordHooks | undefined
  /** Whether it may give what a create request leaves out. */
  providesDefaults(type: StoredType): boolean
  /** Whether anything of its records, or of what they are related to, may be hidden from anybody. */
  hasHiddenData(type: StoredType): boolean
  /** Whether anything has a say in what documents show of its records, or in what these are always linked to. */
  hasSerializationHooks(type: StoredType): boolean
  /** Whether anything has a say in writes of its records, or in how one of them is seen. */
  hasWriteHooks(type: StoredType): boolean
  /** The relationships whose changes rules want to be asked about, whoever makes them. */
  readonly hookedRelationships: HookedRelationships
  /** Whether there are rules for which rows of a declared type can be seen. */
  hasFilterHook(type: ResourceType): boolean
  /** Whether any of them says which fields can be seen. */
  readonly hasFieldsHook: boolean
  /** Whether any of them says anything in one of these hooks. */
  overridesAny(hooks: readonly (keyof ResourceDefinition)[]): boolean
}

/** Sorts the definitions by type: each answers for its own type, and for those below it that have none. */
export function buildDefinitions(given: readonly ResourceDefinition[], graph: ResourceGraph): Definitions {
  const byType = new Map(given.map((definition) => [graph.typeOf(definition.resource), definition]))
  const of = (type: StoredType) => nearest(byType, type) ?? NO_RULES
  const concrete = [...graph.types.values()].filter(isStoredType)
  const telling = new Set(concrete.filter((type) => hasRecordHooks(of(type))))
  const filling = new Set(concrete.filter((type) => overrides(of(type), 'prepareWrite')))
  const hiding = new Set(concrete.filter((type) => hidesAnything(type, of)))
  const attending = new Set(concrete.filter((type) => WRITE_HOOKS.some((hook) => overrides(of(type), hook))))
  const shaping = new Set(concrete.filter((type) => affectsSerialization(type, of)))
  const overridesAny: Definitions['overridesAny'] = (hooks) =>
    concrete.some((type) => hooks.some((hook) => overrides(of(type), hook)))
  return {
    of,
    hooksOf: (type, context) => (telling.has(type) ? recordHooksOf(of(type), context) : undefined),
    providesDefaults: (type) => filling.has(type),
    hasHiddenData: (type) => hiding.has(type),
    hasSerializationHooks: (type) => shaping.has(type),
    hasWriteHooks: (type) => attending.has(type),
    hookedRelationships: buildHookedRelationships(concrete, of),
    hasFilterHook: ({ concreteTypes }) => concreteTypes.some((type) => overrides(of(type), 'filter')),
    hasFieldsHook: overridesAny(['fields']),
    overridesAny,
  }
}

/** All but those for lists. */
const WRITE_HOOKS = [
  ...RECORD_HOOKS,
  ...(['filter', 'fields', 'include', 'prepareWrite', 'setToOne', 'setToMany', 'addToMany', 'removeFromMany'] as const),
  ...(['beforeWrite', 'afterWrite', 'afterCommit'] as const),
] as const

class NoRules extends ResourceDefinition {
  readonly resource = Object
}

const NO_RULES = new NoRules()

function nearest(
  byType: ReadonlyMap<ResourceType | undefined, ResourceDefinition>,
  type: ResourceType,
): ResourceDefinition | undefined {
  return byType.get(type) ?? (type.base && nearest(byType, type.base))
}

function hidesAnything(type: StoredType, of: Definitions['of']): boolean {
  if (overrides(of(type), 'fields') || overrides(of(type), 'serialize')) return true
  return (
    ![...type.fields.values()].every(isViewable) ||
    type.relationships.some(({ target }) => target.concreteTypes.some((right) => overrides(of(right), 'filter')))
  )
}

function affectsSerialization(type: StoredType, of: Definitions['of']): boolean {
  if (overrides(of(type), 'fields') || hasRecordHooks(of(type))) return true
  const linked = type.relationships.filter((each) => each.kind === 'toOne' && each.linkage === 'always')
  return linked.some(
    ({ target, declaringType }) =>
      target.concreteTypes.some((right) => overrides(of(right), 'filter')) ||
      declaringType.concreteTypes.some((left) => overrides(of(left), 'fields')),
  )
}
