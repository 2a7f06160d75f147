import type { Field, ResourceType, StoredType } from './resource-graph'

/** Returns true if a type is the other one or derives from it. */
export function isSameOrDerivedType(type: ResourceType, ancestor: ResourceType): boolean {
  for (let each: ResourceType | undefined = type; each !== undefined; each = each.base) {
    if (each === ancestor) return true
  }
  return false
}

/** Returns true if a row can be of both types: they are the same, or one derives from the other. */
export function areInSameLineage(one: ResourceType, other: ResourceType): boolean {
  return isSameOrDerivedType(one, other) || isSameOrDerivedType(other, one)
}

export function rootTypeOf(type: ResourceType): ResourceType {
  return type.base === undefined ? type : rootTypeOf(type.base)
}

export function isStoredType(type: ResourceType): type is StoredType {
  return !type.isAbstract
}

/** Returns the type and all types below it. */
export function selfAndDescendants(type: ResourceType): readonly ResourceType[] {
  return [type, ...type.derived.flatMap(selfAndDescendants)]
}

/** Returns the type, its base, the base of that, and so on. */
export function selfAndAncestors(type: ResourceType): readonly ResourceType[] {
  return type.base === undefined ? [type] : [type, ...selfAndAncestors(type.base)]
}

/**
 * Finds the fields that a name can mean at a type: its own or inherited one, else those of its derived types.
 * Two derived types may have different fields of one name.
 */
export function findOwnOrDerivedFields(type: ResourceType, name: string): readonly Field[] {
  const own = type.fields.get(name)
  if (own !== undefined) return [own]
  return [...new Set(type.derived.flatMap((derived) => findOwnOrDerivedFields(derived, name)))]
}

/** Returns a hint for a rule that names the property of a field instead of its public name, or an empty string. */
export function publicNameHint(type: ResourceType, property: string): string {
  const fields = selfAndDescendants(type).flatMap((each) => [...each.fields.values()])
  const field = fields.find((each) => each.property === property && each.name !== property)
  return field === undefined ? '' : ` The property '${property}' has the public name '${field.name}'.`
}

/** Returns every name for which `findOwnOrDerivedFields` finds a field. */
export function fieldNamesOfSelfAndDescendants(type: ResourceType): readonly string[] {
  return [...new Set(selfAndDescendants(type).flatMap((each) => [...each.fields.keys()]))]
}

/** Returns true if rows of this type have the field. */
export function isFieldOfType(type: ResourceType, field: Field): boolean {
  return type.fields.get(field.name) === field
}
