import { decodeIdToRuntimeKey, encodeRuntimeKeyToId } from './record-id'
import type { Attribute, Field, ResourceType, ToOneRelationship } from './resource-graph'

/** Returns the fields that the id is made of: parts of a composite key, and relationships whose foreign key is part of the key. */
export function keyFields(type: ResourceType): readonly Field[] {
  return [...keyAttributes(type), ...keyRelationships(type)]
}

/** Returns the values of the attributes that an id contains. Returns an empty map if the id is invalid. */
export function decodeAttributeValuesFromId(type: ResourceType, id: string): ReadonlyMap<Attribute, unknown> {
  const parts = partsOf(type, id)
  if (parts === undefined) return new Map()
  return new Map(keyAttributes(type).map((attribute) => [attribute, parts[type.key.indexOf(attribute.property)]]))
}

/** Returns the related ids that an id contains. */
export function decodeRelatedIdsFromId(type: ResourceType, id: string): ReadonlyMap<ToOneRelationship, string> {
  const parts = partsOf(type, id)
  if (parts === undefined) return new Map()
  return new Map(
    keyRelationships(type).map((relationship) => {
      const keyParts = relationship.primaryKeyIndexes.map((index) => parts[index])
      return [
        relationship,
        encodeRuntimeKeyToId(keyParts.length === 1 ? keyParts[0] : keyParts, relationship.target.id.constraints),
      ]
    }),
  )
}

/** Returns true if these fields determine the id. */
export function fieldsDetermineId(type: ResourceType, fields: ReadonlySet<Field>): boolean {
  const presentFields = keyFields(type).filter((field) => fields.has(field))
  const coveredIndexes = presentFields.flatMap((field) =>
    field.kind === 'toOne' ? field.primaryKeyIndexes : type.key.indexOf(field.property),
  )
  return type.key.every((_, index) => coveredIndexes.includes(index))
}

function keyAttributes(type: ResourceType): readonly Attribute[] {
  return type.attributes.filter(({ property }) => type.key.includes(property))
}

function keyRelationships(type: ResourceType): readonly ToOneRelationship[] {
  return type.relationships
    .filter((each) => each.kind === 'toOne')
    .filter(({ primaryKeyIndexes }) => primaryKeyIndexes.length > 0)
}

function partsOf(type: ResourceType, id: string): readonly unknown[] | undefined {
  const key = decodeIdToRuntimeKey(id, type.id.constraints)
  return key === undefined ? undefined : [key].flat()
}
