import { hasViewCapability } from '../graph/model/capabilities'
import { isStoredType } from '../graph/model/inheritance'
import type { ResourceGraph, ResourceType, StoredType } from '../graph/model/resource-graph'
import { type HookedRelationshipIndex, indexRelationshipsWithWriteHooks } from './hooked-relationship-index'
import { hooksCalledBy } from './hooks-by-request'
import { overridesHook } from './overrides-hook'
import { bindRecordReadHooksToContext, overridesRecordReadHooks, type RecordReadHooks } from './record-read-hooks'
import { ResourceDefinition } from './resource-definition'

/** All definitions of the application. They are found by stored type only. */
export interface ResourceDefinitionRegistry {
  /** Returns the definition for records of this type. */
  of(type: StoredType): ResourceDefinition
  /** Returns the record hooks for a request context, or `undefined` if the type overrides none. */
  hooksOf(type: StoredType, context: unknown): RecordReadHooks | undefined
  /** Returns true if a hook may set attributes that a create request leaves out. */
  providesDefaults(type: StoredType): boolean
  /** Returns true if rules may hide records of this type, or resources that they are related to. */
  hasHiddenData(type: StoredType): boolean
  /** Returns true if hooks affect how documents show a record of this type, or its linkage that is always included. */
  hasSerializationHooks(type: StoredType): boolean
  /** Returns true if a `serialize` hook may replace values of records of this type. */
  hasSerializeHook(type: StoredType): boolean
  /** Returns true if hooks affect writes of records of this type, or which of them a client sees. */
  hasWriteHooks(type: StoredType): boolean
  /** Returns true if hooks other than `filter` do. */
  hasWriteHooksBesidesFilter(type: StoredType): boolean
  /** The relationships with a hook that runs on every change, whichever end the client writes. */
  readonly hookedRelationships: HookedRelationshipIndex
  /** Returns true if a rule limits which rows of a declared type are visible. */
  hasFilterHook(type: ResourceType): boolean
  /** True if a definition limits which fields are visible. */
  readonly hasFieldsHook: boolean
  /** Returns true if a definition overrides one of these hooks. */
  overridesAny(hooks: readonly (keyof ResourceDefinition)[]): boolean
}

/** Indexes the definitions by type. A definition also applies to derived types without their own. */
export function indexResourceDefinitionsByType(
  definitions: readonly ResourceDefinition[],
  graph: ResourceGraph,
): ResourceDefinitionRegistry {
  const byType = new Map(definitions.map((definition) => [graph.typeOf(definition.resource), definition]))
  const concrete = [...graph.types.values()].filter(isStoredType)
  const byStoredType = new Map(concrete.map((type) => [type, nearestDefinition(byType, type) ?? NO_RULES]))
  const of = (type: StoredType) => byStoredType.get(type) ?? NO_RULES
  const withRecordHooks = new Set(concrete.filter((type) => overridesRecordReadHooks(of(type))))
  const withDefaults = new Set(concrete.filter((type) => overridesHook(of(type), 'prepareWrite')))
  const withFilter = typesWithHook('filter', graph, of)
  const withFields = typesWithHook('fields', graph, of)
  const withHiddenData = new Set(concrete.filter((type) => hidesAnything(type, { withFilter, of })))
  const withOtherHooks = new Set(
    concrete.filter((type) => OTHER_WRITE_HOOKS.some((hook) => overridesHook(of(type), hook))),
  )
  const withSerializationHooks = new Set(
    concrete.filter((type) => affectsSerialization(type, { withFilter, withFields, of })),
  )
  const overridesAny: ResourceDefinitionRegistry['overridesAny'] = (hooks) =>
    concrete.some((type) => hooks.some((hook) => overridesHook(of(type), hook)))
  return {
    of,
    hooksOf: (type, context) =>
      withRecordHooks.has(type) ? bindRecordReadHooksToContext(of(type), context) : undefined,
    providesDefaults: (type) => withDefaults.has(type),
    hasHiddenData: (type) => withHiddenData.has(type),
    hasSerializationHooks: (type) => withSerializationHooks.has(type),
    hasSerializeHook: (type) => overridesHook(of(type), 'serialize'),
    hasWriteHooks: (type) => withOtherHooks.has(type) || withFilter.has(type),
    hasWriteHooksBesidesFilter: (type) => withOtherHooks.has(type),
    hookedRelationships: indexRelationshipsWithWriteHooks(concrete, of),
    hasFilterHook: (type) => withFilter.has(type),
    hasFieldsHook: overridesAny(['fields']),
    overridesAny,
  }
}

const OTHER_WRITE_HOOKS = hooksCalledBy('write').filter((hook) => hook !== 'filter')

class NoRules extends ResourceDefinition {
  readonly resource = Object
}

const NO_RULES = new NoRules()

function nearestDefinition(
  byType: ReadonlyMap<ResourceType | undefined, ResourceDefinition>,
  type: ResourceType,
): ResourceDefinition | undefined {
  return byType.get(type) ?? (type.base && nearestDefinition(byType, type.base))
}

/** Returns the types of which a concrete type has this hook. */
function typesWithHook(
  hook: keyof ResourceDefinition,
  { types }: ResourceGraph,
  of: ResourceDefinitionRegistry['of'],
): ReadonlySet<ResourceType> {
  return new Set(
    [...types.values()].filter(({ concreteTypes }) => concreteTypes.some((type) => overridesHook(of(type), hook))),
  )
}

interface HookSources {
  readonly of: ResourceDefinitionRegistry['of']
  readonly withFilter: ReadonlySet<ResourceType>
  readonly withFields: ReadonlySet<ResourceType>
}

function hidesAnything(type: StoredType, { of, withFilter }: Pick<HookSources, 'of' | 'withFilter'>): boolean {
  if (overridesHook(of(type), 'fields') || overridesHook(of(type), 'serialize')) return true
  return (
    ![...type.fields.values()].every(hasViewCapability) ||
    type.relationships.some(({ target }) => withFilter.has(target))
  )
}

function affectsSerialization(type: StoredType, { of, withFilter, withFields }: HookSources): boolean {
  if (overridesHook(of(type), 'fields') || overridesRecordReadHooks(of(type))) return true
  const linked = type.relationships.filter((each) => each.kind === 'toOne' && each.linkage === 'always')
  return linked.some(({ target, declaringType }) => withFilter.has(target) || withFields.has(declaringType))
}
