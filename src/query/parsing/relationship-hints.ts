import type { Field, ResourceType, ToOneRelationship } from '../../graph/model/resource-graph'
import { supportsEquality } from '../tree/comparability'
import { type FieldLookupOptions, fieldAllowsUse } from './field-lookup'

// Suggestions for a relationship in place of a value: a sentence with a space before it, or `''`.

/** Returns true if the id of a type has the type of value that is expected. */
export type ResourceTypeHasIdOfExpectedType = (type: ResourceType) => boolean

/** Suggests the path of the id, for a to-one relationship in place of an attribute. */
export function suggestIdPathOfToOneRelationship(
  { target }: ToOneRelationship,
  lookup: FieldLookupOptions,
  path: string,
  acceptsId: ResourceTypeHasIdOfExpectedType,
): string {
  const isAccepted = isUseOfFilter(lookup) && canFilterById(target, lookup) && acceptsId(target)
  return isAccepted ? ` For the id, write '${path}.id'.` : ''
}

/** Suggests `has` and `count` for a to-many relationship in place of an attribute. */
export function toManyHint(field: Field, lookup: FieldLookupOptions, path: string): string {
  if (!isUseOfFilter(lookup) || field.kind !== 'toMany' || !fieldAllowsUse(field, lookup.use)) return ''
  return ` To find members, write has(${path},…), and to count them, count(${path}).`
}

function isUseOfFilter({ use }: FieldLookupOptions): boolean {
  return use === 'filter' || use === 'filterOfRule'
}

/** Returns true if filters can compare the id of a type. */
export function canFilterById({ id }: ResourceType, { use }: FieldLookupOptions): boolean {
  return fieldAllowsUse(id, use) && supportsEquality(id.constraints)
}
