import { decodeId, encodeId } from './record-id'
import type { Attribute, Field, ResourceType, ToOne } from './resource-graph'

/** The fields that an id of several parts, or one that is a foreign key, is made of. */
export function keyFields(type: ResourceType): readonly Field[] {
  return [...keyAttributes(type), ...keyRelationships(type)]
}

/** What an id says of the attributes that it is made of; nothing, if it is none of the type. */
export function attributesOfId(type: ResourceType, id: string): ReadonlyMap<Attribute, unknown> {
  const parts = partsOf(type, id)
  if (parts === undefined) return new Map()
  return new Map(keyAttributes(type).map((attribute) => [attribute, parts[type.key.indexOf(attribute.property)]]))
}

/** And of relationships: the ids of what they lead to. */
export function relatedOfId(type: ResourceType, id: string): ReadonlyMap<ToOne, string> {
  const parts = partsOf(type, id)
  if (parts === undefined) return new Map()
  return new Map(
    keyRelationships(type).map((relationship) => {
      const far = relationship.keyPlaces.map((place) => parts[place])
      return [relationship, encodeId(far.length === 1 ? far[0] : far, relationship.target.id.range)]
    }),
  )
}

/** Whether the id follows from these fields. */
export function isIdWithin(type: ResourceType, fields: ReadonlySet<Field>): boolean {
  const said = keyFields(type).filter((field) => fields.has(field))
  const places = said.flatMap((field) => (field.kind === 'toOne' ? field.keyPlaces : type.key.indexOf(field.property)))
  return type.key.every((_, place) => places.includes(place))
}

function keyAttributes(type: ResourceType): readonly Attribute[] {
  return type.attributes.filter(({ property }) => type.key.includes(property))
}

function keyRelationships(type: ResourceType): readonly ToOne[] {
  return type.relationships.filter((each) => each.kind === 'toOne').filter(({ keyPlaces }) => keyPlaces.length > 0)
}

function partsOf(type: ResourceType, id: string): readonly unknown[] | undefined {
  const held = decodeId(id, type.id.range)
  return held === undefined ? undefined : [held].flat()
}
