import { selfAndAncestors } from '../graph/inheritance'
import type { Attribute, Field, ResourceType, StoredType, ToOne } from '../graph/resource-graph'
import type { Fieldsets } from '../query/ast'
import { hopsWithRules } from './apply-rules'
import type { ShownFields, ShownResource } from './read-plan'
import type { ReadingRules } from './reading-rules'

/**
 * The fields that a document shows. For a stored type the fieldset of its nearest self-or-ancestor that has one wins alone, and limits
 * the fields which that type has: `fields[humans]=name` leaves men with `name`, `hasBeard` and `wife`.
 *
 * Where neither the client nor a definition has a say, all requests get the same object: what is made of it can be kept with it.
 */
export function planFields(fieldsets: Fieldsets, rules: ShowingRules): ShownFields {
  const shown = new Map<StoredType, ShownResource>()
  const find = (type: StoredType) =>
    !rules.shapes(type) && findLimited(type, fieldsets) === undefined
      ? once(PLAIN, type, () => select(type, fieldsets, rules))
      : select(type, fieldsets, rules)
  return { of: (type) => once(shown, type, find) }
}

/** What a document shows follows from these rules. */
export type ShowingRules = Pick<ReadingRules, 'shows' | 'hooksOf' | 'shapes' | 'ruleOf'>

/** Nothing but identifiers. */
export const NO_FIELDS: ShownFields = { of: (type) => once(NOTHING, type, () => toShown([])) }

/** All that a type has. */
export const ALL_FIELDS: ShownFields = { of: (type) => once(ALL, type, () => toShown([...type.fields.values()])) }

/** By type, and so by graph: where they are asked definitions have no say. */
const PLAIN = new WeakMap<StoredType, ShownResource>()
const NOTHING = new WeakMap<StoredType, ShownResource>()
const ALL = new WeakMap<StoredType, ShownResource>()

interface Known {
  get(type: StoredType): ShownResource | undefined
  set(type: StoredType, shown: ShownResource): unknown
}

function once(known: Known, type: StoredType, make: (type: StoredType) => ShownResource): ShownResource {
  const found = known.get(type)
  if (found !== undefined) return found
  const shown = make(type)
  known.set(type, shown)
  return shown
}

/** What follows from the fields alone. */
function toShown(fields: readonly Field[]): ShownResource {
  const attributes = fields.filter(isAttribute)
  return { fetched: attributes, values: 'held', attributes, fields: new Set(fields), linked: [], hooks: undefined }
}

function select(type: StoredType, fieldsets: Fieldsets, rules: ShowingRules): ShownResource {
  const limited = findLimited(type, fieldsets)
  const fields = [...type.fields.values()].filter(
    (field) => rules.shows(type, field) && isShown(field, limited, fieldsets),
  )
  const shown = toShown(fields)
  const hooks = rules.hooksOf(type)
  const linked = fields
    .filter(isAlwaysLinked)
    .map((relationship) => ({ relationship, type: relationship.declaringType }))
  return {
    ...shown,
    ...(hooks === undefined ? { values: 'written' } : { fetched: type.attributes }),
    linked: hopsWithRules(linked, rules),
    hooks,
  }
}

/** The type whose fieldset counts. */
function findLimited(type: ResourceType, fieldsets: Fieldsets): ResourceType | undefined {
  if (fieldsets.size === 0) return undefined
  return selfAndAncestors(type).find((each) => fieldsets.has(each))
}

function isShown(field: Field, limited: ResourceType | undefined, fieldsets: Fieldsets): boolean {
  if (limited === undefined || !limited.fields.has(field.name)) return true
  return fieldsets.get(limited)?.has(field.name) ?? true
}

function isAlwaysLinked(field: Field): field is ToOne {
  return field.kind === 'toOne' && field.linkage === 'always'
}

function isAttribute(field: Field): field is Attribute {
  return field.kind === 'attribute'
}
