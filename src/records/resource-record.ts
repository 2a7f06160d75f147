import type { Attribute, StoredType } from '../graph/model/resource-graph'

/**
 * A resource with its stored type, whichever endpoint, base type or relationship it was read through.
 *
 * `record.instance instanceof Woman` and `record.type.name === 'women'` are equivalent.
 */
export interface ResourceRecord<Resource extends object = object> {
  readonly type: StoredType
  /** The id as clients see it. Empty for a resource that is being created and has no id yet. */
  readonly id: string
  /** A frozen instance of the class of the stored type, with its attributes by property. */
  readonly instance: Readonly<Resource>
}

/** Creates a record from values in the order of `attributes`. */
export function buildResourceRecordFromValues(
  type: StoredType,
  id: string,
  attributes: readonly Attribute[],
  values: readonly unknown[],
): ResourceRecord {
  const properties = new Map(attributes.map((attribute, index) => [attribute.property, values[index]]))
  return { type, id, instance: createFrozenEntity(type, properties) }
}

/** Creates a frozen instance of the class of a type, without running its constructor. */
export function createFrozenEntity(type: StoredType, properties: ReadonlyMap<string, unknown>): object {
  const instance = Object.create(type.resourceClass.prototype as object) as Record<string, unknown>
  for (const [property, value] of properties) instance[property] = value
  return Object.freeze(instance)
}
