import type { Attribute, StoredType } from '../graph/model/resource-graph'

/**
 * A resource as it is stored, under its stored type: whatever endpoint, base type or relationship it was reached by.
 *
 * `record.instance instanceof Woman` and `record.type.name === 'women'` say the same.
 */
export interface StoredRecord<Resource extends object = object> {
  readonly type: StoredType
  /** As clients see it. Empty for a resource that is being created and has no id yet. */
  readonly id: string
  /** An instance of the class of the stored type, with its attributes by property; frozen. */
  readonly instance: Readonly<Resource>
}

/** A record from values in the order of `attributes`. */
export function toRecord(
  type: StoredType,
  id: string,
  attributes: readonly Attribute[],
  values: readonly unknown[],
): StoredRecord {
  const properties = new Map(attributes.map((attribute, index) => [attribute.property, values[index]]))
  return { type, id, instance: toInstance(type, properties) }
}

/** A frozen instance of the class of a type; its constructor does not run. */
export function toInstance(type: StoredType, properties: ReadonlyMap<string, unknown>): object {
  const instance = Object.create(type.resourceClass.prototype as object) as Record<string, unknown>
  for (const [property, value] of properties) instance[property] = value
  return Object.freeze(instance)
}
