import { isWritable, writeOf } from '../graph/capabilities'
import { keyFields } from '../graph/key-fields'
import type { Attribute, Field, Relationship, ResourceType, StoredType } from '../graph/resource-graph'
import { type ApiFacts, storedTypes } from './api-facts'
import { nameOf } from './component-names'
import { describeNotes } from './describe-notes'
import { byName, describeChoice, describeTypeNames, typesOnBranch } from './describe-resources'
import { defaultOf, describeSent } from './describe-values'
import { arrayOf, objectOf, orNull, type Schema, type Schemas, schemaRef, withSentence } from './schema'

/** What a resource object is sent for. `updateAny`: in an operation, which may name it by a local id. */
export type Writing = 'create' | 'update' | 'updateAny'

/**
 * Resources as requests send them: for each type that rows are stored as, and for each type that others derive from the choice between
 * those. The type that the body names decides about its fields, at the endpoints of its bases too.
 */
export function describeWrites(facts: ApiFacts): Schemas {
  return Object.fromEntries([
    ...storedTypes(facts).flatMap((type) =>
      WRITINGS.map((writing) => [exactWriteName(type, writing), describeWrite(type, writing, facts)] as const),
    ),
    ...[...facts.graph.types.values()].flatMap((type) => [
      ...(type.derived.length > 0
        ? WRITINGS.map((writing) => [nameOf(type, writing), anyWrite(type, writing)] as const)
        : []),
      ...identifiersOf(type, facts),
    ]),
  ])
}

const WRITINGS = ['create', 'update', 'updateAny'] as const

/** The name of the schema for this very type, if something derives from it too. */
export function exactWriteName(type: StoredType, writing: Writing): string {
  return nameOf(type, type.derived.length > 0 ? `exact.${writing}` : writing)
}

/** The document around what is sent. `included` may only name resources. */
export function sentDocument(data: Schema): Schema {
  return objectOf({ data }, ['data'])
}

/** What a relationship endpoint is sent: it may name resources by abstract types too. */
export function describeSentLinkage(relationship: Relationship): Schema {
  return linkageOf(relationship, schemaRef(nameOf(relationship.target, 'address')))
}

function anyWrite(type: ResourceType, writing: Writing): Schema {
  return describeChoice(type.concreteTypes, (each) => exactWriteName(each, writing))
}

/** https://jsonapi.org/format/1.1/#crud-creating */
function describeWrite(type: StoredType, writing: Writing, facts: ApiFacts): Schema {
  const request = writing === 'create' ? 'create' : 'update'
  const isWritten = (field: Field) => isWritable(field, writeOf(field, request))
  const attributes = type.attributes.filter(isWritten)
  const relationships = type.relationships.filter(isWritten)
  const demanded = request === 'create' ? demandedOf(type, facts) : []
  const names = (fields: readonly Field[]) => fields.filter((field) => demanded.includes(field)).map(({ name }) => name)
  const members = (fields: Schemas, required: readonly string[]): Schema => ({
    ...objectOf(fields, required),
    ...(type.unknownFields === 'refused' && ONLY_KNOWN),
  })
  const properties = {
    type: describeTypeNames([type]),
    ...describeNaming(type, writing),
    attributes: members(
      byName(attributes, (each) => describeAttribute(each, request)),
      names(attributes),
    ),
    relationships: members(byName(relationships, describeRelationship), names(relationships)),
  }
  const required = [
    'type',
    ...(writing === 'update' || (writing === 'create' && isIdRequired(type)) ? ['id'] : []),
    ...(names(attributes).length > 0 ? ['attributes'] : []),
    ...(names(relationships).length > 0 ? ['relationships'] : []),
  ]
  return { ...describeNotes(type), ...objectOf(properties, required) }
}

/** Clients that may leave it out must send it where nothing else gives it. */
function isIdRequired(type: StoredType): boolean {
  if (type.clientIds !== 'allowed') return type.clientIds === 'required'
  return type.id.isRequired && keyFields(type).length === 0
}

/** Who is meant. A new resource can have a local id, by which other parts of the document name it. */
function describeNaming({ clientIds }: StoredType, writing: Writing): Schemas {
  switch (writing) {
    case 'create':
      return { ...(clientIds !== 'forbidden' && { id: ID }), lid: LOCAL_ID }
    case 'update':
      return { id: ID }
    case 'updateAny':
      return { id: ID, lid: LOCAL_ID }
  }
}

/** What a request must give: what can't be left to defaults or rules, and does not follow from the id. */
function demandedOf(type: StoredType, { definitions }: ApiFacts): readonly Field[] {
  if (definitions.fillsIn(type)) return []
  const told = type.clientIds === 'forbidden' ? [] : keyFields(type)
  return [...type.fields.values()].filter((field) => isRequired(field) && !told.includes(field))
}

function isRequired(field: Field): boolean {
  return field.kind === 'attribute' ? field.isRequired : field.kind === 'toOne' && !field.isNullable
}

function describeAttribute(attribute: Attribute, request: 'create' | 'update'): Schema {
  const described = { ...describeSent(attribute), ...describeNotes(attribute) }
  const instead = request === 'create' ? defaultOf(attribute) : undefined
  // Tools that make types take what has a `default` for something that is always there.
  return instead === undefined ? described : withSentence(described, `Without it: \`${JSON.stringify(instead)}\`.`)
}

function describeRelationship(relationship: Relationship): Schema {
  const data = linkageOf(relationship, schemaRef(nameOf(relationship.target, 'sent')))
  return { ...describeNotes(relationship), ...objectOf({ data }, ['data']) }
}

function linkageOf(relationship: Relationship, identifier: Schema): Schema {
  if (relationship.kind === 'toMany') return arrayOf(identifier)
  return relationship.isNullable ? orNull(identifier) : identifier
}

/** How requests name what is related: by any type on its branch, and within resource objects by none that is abstract. */
function identifiersOf(type: ResourceType, facts: ApiFacts): readonly (readonly [string, Schema])[] {
  const types = typesOnBranch(type, facts)
  return [
    [nameOf(type, 'sent'), describeSentIdentifier(types.filter(({ isAbstract }) => !isAbstract))],
    [nameOf(type, 'address'), describeSentIdentifier(types)],
  ]
}

/** https://jsonapi.org/format/1.1/#document-resource-identifier-objects */
export function describeSentIdentifier(types: readonly ResourceType[]): Schema {
  const type = describeTypeNames(types)
  return {
    oneOf: [
      objectOf({ type, id: { type: 'string' } }, ['type', 'id']),
      objectOf({ type, lid: LOCAL_ID }, ['type', 'lid']),
    ],
  }
}

/** Names that start with `@` are ignored wherever they stand. https://jsonapi.org/format/1.1/#document-member-names-at-members */
const ONLY_KNOWN: Schema = { patternProperties: { '^@': {} }, additionalProperties: false }

const ID: Schema = { type: 'string', minLength: 1 }
export const LOCAL_ID: Schema = { type: 'string', description: 'A name within this document.' }
