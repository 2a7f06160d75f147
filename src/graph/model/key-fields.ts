import { getOrCompute } from '../../cache/get-or-compute'
import type { IsFieldHidden } from './capabilities'
import { decodeIdToRuntimeKey, encodeRuntimeKeyToId } from './record-id'
import type { Attribute, Field, ResourceType, ToOneRelationship } from './resource-graph'

/** Returns the fields that the id is made of: parts of a composite key, and relationships whose foreign key is part of the key. */
export function keyFields(type: ResourceType): readonly Field[] {
  return getOrCompute(KEY_FIELDS, type, () => [...keyAttributes(type), ...keyRelationships(type)])
}

const KEY_FIELDS = new WeakMap<ResourceType, readonly Field[]>()

/** Returns the fields of the key that a client may not write in a POST, neither as fields nor by the id. */
export function keyFieldsNotWritableOnCreate(type: ResourceType, isHidden: IsFieldHidden): ReadonlySet<Field> {
  // Generated parts have the capability: `clientGeneratedIds` allows clients to send them within an id.
  const isReadOnly = (field: Field) =>
    isHidden(type, field) || !(field.capabilities as readonly string[]).includes('create')
  return new Set(keyFields(type).filter(isReadOnly))
}

/** Returns the indexes of the parts of the key that have only read-only fields, so that the server has to set them. */
export function indexesOfServerSetKeyParts(type: ResourceType, readOnly: ReadonlySet<Field>): ReadonlySet<number> {
  if (readOnly.size === 0) return NO_PARTS
  const indexes = new Set([...readOnly].flatMap((field) => keyIndexesOf(type, field)))
  for (const field of keyFields(type)) {
    if (!readOnly.has(field)) for (const index of keyIndexesOf(type, field)) indexes.delete(index)
  }
  return indexes
}

const NO_PARTS: ReadonlySet<number> = new Set()

function keyIndexesOf(type: ResourceType, field: Field): readonly number[] {
  return field.kind === 'toOne' ? field.primaryKeyIndexes : [type.key.indexOf(field.property)]
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
export function fieldSetCoversPrimaryKey(type: ResourceType, fields: ReadonlySet<Field>): boolean {
  const presentFields = keyFields(type).filter((field) => fields.has(field))
  const coveredIndexes = presentFields.flatMap((field) => keyIndexesOf(type, field))
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
