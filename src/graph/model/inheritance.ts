import type { Field, ResourceType, StoredType } from './resource-graph'

/** Whether a type is another one or derives from it. */
export function isA(type: ResourceType, ancestor: ResourceType): boolean {
  for (let each: ResourceType | undefined = type; each !== undefined; each = each.base) {
    if (each === ancestor) return true
  }
  return false
}

/** Whether one of two types derives from the other, or they are the same: a row can be both. */
export function areInSameLineage(one: ResourceType, other: ResourceType): boolean {
  return isA(one, other) || isA(other, one)
}

export function rootOf(type: ResourceType): ResourceType {
  return type.base === undefined ? type : rootOf(type.base)
}

export function isStoredType(type: ResourceType): type is StoredType {
  return !type.isAbstract
}

/** The type and all types below it. */
export function selfAndDescendants(type: ResourceType): readonly ResourceType[] {
  return [type, ...type.derived.flatMap(selfAndDescendants)]
}

/** The type, then its base, then the base of that. */
export function selfAndAncestors(type: ResourceType): readonly ResourceType[] {
  return type.base === undefined ? [type] : [type, ...selfAndAncestors(type.base)]
}

/**
 * The fields that a name stands for at a type: its own or inherited one, else those of its derived branches.
 * Two branches that have a field of this name give two.
 */
export function findFields(type: ResourceType, name: string): readonly Field[] {
  const own = type.fields.get(name)
  if (own !== undefined) return [own]
  return [...new Set(type.derived.flatMap((derived) => findFields(derived, name)))]
}

/** Every name that `findFields` finds something for. */
export function allFieldNames(type: ResourceType): readonly string[] {
  return [...new Set(selfAndDescendants(type).flatMap((each) => [...each.fields.keys()]))]
}

/** Whether rows of this type have the field. */
export function hasField(type: ResourceType, field: Field): boolean {
  return type.fields.get(field.name) === field
}
