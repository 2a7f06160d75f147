import { selfAndAncestors } from '../graph/inheritance'
import type { Attribute, Field, ResourceType, StoredType, ToOne } from '../graph/resource-graph'
import type { Fieldsets } from '../query/ast'
import { hopsWithRules } from './apply-rules'
import type { ShownFields, ShownResource } from './read-plan'
import type { ReadingRules } from './reading-rules'

/**
 * The fields that a document shows. For a stored type the fieldset of its nearest self-or-ancestor that has one wins alone, and limits
 * the fields which that type has: `fields[humans]=name` leaves men with `name`, `hasBeard` and `wife`.
 */
export function planFields(fieldsets: Fieldsets, rules: ShowingRules): ShownFields {
  const shown = new Map<StoredType, ShownResource>()
  return {
    of(type) {
      const fields = shown.get(type) ?? select(type, fieldsets, rules)
      shown.set(type, fields)
      return fields
    },
  }
}

/** What a document shows follows from these rules. */
export type ShowingRules = Pick<ReadingRules, 'shows' | 'hooksOf' | 'ruleOf'>

const NOTHING: ShownResource = { fetched: [], attributes: [], fields: new Set(), linked: [], hooks: undefined }

/** Nothing but identifiers. */
export const NO_FIELDS: ShownFields = { of: () => NOTHING }

/** All that a type has. */
export const ALL_FIELDS: ShownFields = {
  of: (type) => ({
    ...NOTHING,
    fetched: type.attributes,
    attributes: type.attributes,
    fields: new Set(type.fields.values()),
  }),
}

function select(type: StoredType, fieldsets: Fieldsets, rules: ShowingRules): ShownResource {
  const { shows, hooksOf } = rules
  const fields = [...type.fields.values()].filter((field) => shows(type, field) && isShown(field, type, fieldsets))
  const attributes = fields.filter(isAttribute)
  const hooks = hooksOf(type)
  const linked = fields
    .filter(isAlwaysLinked)
    .map((relationship) => ({ relationship, type: relationship.declaringType }))
  return {
    fetched: hooks === undefined ? attributes : type.attributes,
    attributes,
    fields: new Set(fields),
    linked: hopsWithRules(linked, rules),
    hooks,
  }
}

function isShown(field: Field, type: ResourceType, fieldsets: Fieldsets): boolean {
  const limited = selfAndAncestors(type).find((each) => fieldsets.has(each))
  if (limited === undefined || !limited.fields.has(field.name)) return true
  return fieldsets.get(limited)?.has(field.name) ?? true
}

function isAlwaysLinked(field: Field): field is ToOne {
  return field.kind === 'toOne' && field.linkage === 'always'
}

function isAttribute(field: Field): field is Attribute {
  return field.kind === 'attribute'
}
