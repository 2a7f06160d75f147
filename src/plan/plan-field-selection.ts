import { getOrCompute } from '../cache/get-or-compute'
import { selfAndAncestors } from '../graph/model/inheritance'
import type { Attribute, Field, ResourceType, StoredType, ToOneRelationship } from '../graph/model/resource-graph'
import type { Fieldsets } from '../query/tree/ast'
import { addRulesToPathSteps } from './apply-rules'
import type { FieldSelection, TypeProjection } from './read-plan'
import type { ReadRules } from './read-rules'

/**
 * Plans the fields in a document. For a stored type, only one fieldset applies: its own, or that of the nearest ancestor with one. It limits
 * only the fields of that ancestor: with `fields[humans]=name`, men have `name`, `hasBeard` and `wife`.
 *
 * Without fieldsets and hooks, all requests share one object, so that serializers can be cached by it.
 */
export function planFieldSelection(fieldsets: Fieldsets, rules: ProjectionRules): FieldSelection {
  const projections = new Map<StoredType, TypeProjection>()
  const find = (type: StoredType) =>
    !rules.hasSerializationHooks(type) && findTypeWithFieldset(type, fieldsets) === undefined
      ? getOrCompute(WITHOUT_RULES, type, () => select(type, fieldsets, rules))
      : select(type, fieldsets, rules)
  return { of: (type) => getOrCompute(projections, type, find) }
}

/** The rules that decide which fields a document has. */
type ProjectionRules = Pick<ReadRules, 'isVisible' | 'hooksOf' | 'hasSerializationHooks' | 'visibilityFilterOf'>

/** The projection for resource identifiers: no fields. */
export const IDENTIFIER_PROJECTION: FieldSelection = {
  of: (type) => getOrCompute(NOTHING, type, () => toProjection([])),
}

/** The projection with all fields of each type, for records that hooks receive. */
export const FULL_PROJECTION: FieldSelection = {
  of: (type) => getOrCompute(ALL, type, () => toProjection([...type.fields.values()])),
}

/** Projections of types without serialization hooks. */
const WITHOUT_RULES = new WeakMap<StoredType, TypeProjection>()
const NOTHING = new WeakMap<StoredType, TypeProjection>()
const ALL = new WeakMap<StoredType, TypeProjection>()

/** Returns the projection of fields without rules. */
function toProjection(fields: readonly Field[]): TypeProjection {
  const attributes = fields.filter(isAttribute)
  return { fetched: attributes, values: 'runtime', attributes, fields: new Set(fields), linked: [], hooks: undefined }
}

function select(type: StoredType, fieldsets: Fieldsets, rules: ProjectionRules): TypeProjection {
  const limitingType = findTypeWithFieldset(type, fieldsets)
  const fields = [...type.fields.values()].filter(
    (field) => rules.isVisible(type, field) && isProjected(field, limitingType, fieldsets),
  )
  const projection = toProjection(fields)
  const hooks = rules.hooksOf(type)
  const linked = fields
    .filter(isAlwaysLinked)
    .map((relationship) => ({ relationship, type: relationship.declaringType }))
  return {
    ...projection,
    ...(hooks === undefined ? { values: 'serialized' } : { fetched: type.attributes }),
    linked: addRulesToPathSteps(linked, rules),
    hooks,
  }
}

/** Returns the type whose fieldset applies. */
function findTypeWithFieldset(type: ResourceType, fieldsets: Fieldsets): ResourceType | undefined {
  if (fieldsets.size === 0) return undefined
  return selfAndAncestors(type).find((each) => fieldsets.has(each))
}

function isProjected(field: Field, limitingType: ResourceType | undefined, fieldsets: Fieldsets): boolean {
  if (limitingType === undefined || !limitingType.fields.has(field.name)) return true
  return fieldsets.get(limitingType)?.has(field.name) ?? true
}

function isAlwaysLinked(field: Field): field is ToOneRelationship {
  return field.kind === 'toOne' && field.linkage === 'always'
}

function isAttribute(field: Field): field is Attribute {
  return field.kind === 'attribute'
}
