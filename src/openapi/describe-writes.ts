import { assertNever } from '../errors/invariant'
import { isWritable, writeOf } from '../graph/model/capabilities'
import { areInSameLineage } from '../graph/model/inheritance'
import { keyFields } from '../graph/model/key-fields'
import type { Attribute, Field, Relationship, ResourceType, StoredType } from '../graph/model/resource-graph'
import { type ApiFacts, storedTypes } from './api-facts'
import { nameOf } from './component-names'
import { describeRemoved, describeSentId, describeSentIdentifier, LOCAL_ID, without } from './describe-ids'
import { describeNotes } from './describe-notes'
import { byName, describeChoice, describeTypeNames, typesOnBranch } from './describe-resources'
import { defaultOf, requestSchema } from './describe-values'
import { arrayOf, objectOf, orNull, type Schema, type Schemas, schemaRef, withSentence } from './schema'

/** What a resource object is sent for. `createAny`, `updateAny`: in an operation, where local ids may name what others create. */
export type WriteKindOfSchema = (typeof WRITE_KINDS)[number]

/**
 * Resources as requests send them: for each type that rows are stored as, and for each type that others derive from the choice between
 * those. The type that the body names decides about its fields, at the endpoints of its bases too.
 */
export function describeWrites(facts: ApiFacts): Schemas {
  return Object.fromEntries([
    ...storedTypes(facts).flatMap((type) =>
      WRITE_KINDS.map((writing) => [exactWriteName(type, writing), describeWrite(type, writing, facts)] as const),
    ),
    ...[...facts.graph.types.values()].flatMap((type) => [
      ...(type.derived.length > 0
        ? WRITE_KINDS.map((writing) => [nameOf(type, writing), anyWrite(type, writing)] as const)
        : []),
      ...identifiersOf(type, facts),
    ]),
  ])
}

const WRITE_KINDS = ['create', 'createAny', 'update', 'updateAny'] as const

/** The name of the schema for this very type, if something derives from it too. */
export function exactWriteName(type: StoredType, writing: WriteKindOfSchema): string {
  return nameOf(type, type.derived.length > 0 ? `exact.${writing}` : writing)
}

/** The document around what is sent. `included` may only name resources. */
export function sentDocument(data: Schema): Schema {
  return objectOf({ data }, ['data'])
}

/** What a relationship endpoint is sent: it may name resources by abstract types too. */
export function describeSentLinkage(relationship: Relationship, write: 'set' | 'add' | 'remove'): Schema {
  const { target } = relationship
  return linkageOf(relationship, schemaRef(nameOf(target, write === 'remove' ? 'removed' : 'address')))
}

function anyWrite(type: ResourceType, writing: WriteKindOfSchema): Schema {
  return describeChoice(type.concreteTypes, (each) => exactWriteName(each, writing))
}

/** https://jsonapi.org/format/1.1/#crud-creating */
function describeWrite(type: StoredType, writing: WriteKindOfSchema, facts: ApiFacts): Schema {
  const request = writing === 'create' || writing === 'createAny' ? 'create' : 'update'
  const isWritten = (field: Field) => isWritable(field, writeOf(field, request))
  const attributes = type.attributes.filter(isWritten)
  const relationships = type.relationships.filter(isWritten)
  const demanded = request === 'create' ? requiredFieldsOf(type, facts) : []
  const names = (fields: readonly Field[]) => fields.filter((field) => demanded.includes(field)).map(({ name }) => name)
  const members = (fields: Schemas, required: readonly string[]): Schema => ({
    ...objectOf(fields, required),
    ...(type.unknownFields === 'reject' && ONLY_KNOWN),
  })
  const { properties: naming, limits } = describeIdentity(type, writing)
  const properties = {
    type: describeTypeNames([type]),
    ...naming,
    attributes: members(
      byName(attributes, (each) => describeAttribute(each, request)),
      names(attributes),
    ),
    relationships: members(
      byName(relationships, (each) => describeRelationship(each, type, writing)),
      names(relationships),
    ),
  }
  const required = [
    'type',
    ...(writing === 'update' || (request === 'create' && isIdRequired(type)) ? ['id'] : []),
    ...(names(attributes).length > 0 ? ['attributes'] : []),
    ...(names(relationships).length > 0 ? ['relationships'] : []),
  ]
  return { ...describeNotes(type), ...objectOf(properties, required), ...limits }
}

/** Clients that may leave it out must send it where nothing else gives it. */
function isIdRequired(type: StoredType): boolean {
  if (type.clientGeneratedIds !== 'allowed') return type.clientGeneratedIds === 'required'
  return type.id.isRequired && keyFields(type).length === 0
}

interface IdentitySchema {
  readonly properties: Schemas
  /** What these members may not be together. */
  readonly limits: Schema
}

/** Who is meant, by an id or by a local id. A new resource can have a local id, by which other parts of the document name it. */
function describeIdentity(type: StoredType, writing: WriteKindOfSchema): IdentitySchema {
  const lid = LOCAL_ID
  switch (writing) {
    case 'create':
    case 'createAny': {
      if (type.clientGeneratedIds === 'forbidden') return { properties: { lid }, limits: without('id') }
      return { properties: { id: describeSentId(type, 'new'), lid }, limits: { not: { required: ['id', 'lid'] } } }
    }
    case 'update':
      return { properties: { id: describeSentId(type, 'existing') }, limits: without('lid') }
    case 'updateAny':
      return {
        properties: { id: describeSentId(type, 'existing'), lid },
        limits: { oneOf: [{ required: ['id'] }, { required: ['lid'] }] },
      }
    default:
      return assertNever(writing)
  }
}

/** What a request must give: what can't be left to defaults or rules, and does not follow from the id. */
function requiredFieldsOf(type: StoredType, { definitions }: ApiFacts): readonly Field[] {
  if (definitions.providesDefaults(type)) return []
  const told = type.clientGeneratedIds === 'forbidden' ? [] : keyFields(type)
  return [...type.fields.values()].filter((field) => isRequired(field) && !told.includes(field))
}

function isRequired(field: Field): boolean {
  return field.kind === 'attribute' ? field.isRequired : field.kind === 'toOne' && !field.isNullable
}

function describeAttribute(attribute: Attribute, request: 'create' | 'update'): Schema {
  const described = { ...requestSchema(attribute), ...describeNotes(attribute) }
  const instead = request === 'create' ? defaultOf(attribute) : undefined
  // Tools that make types take what has a `default` for something that is always there.
  return instead === undefined ? described : withSentence(described, `Without it: \`${JSON.stringify(instead)}\`.`)
}

/** The only resource that a request for one creates is that itself. */
function describeRelationship(relationship: Relationship, type: StoredType, writing: WriteKindOfSchema): Schema {
  const { target } = relationship
  const isCreatedHere = writing === 'create' && areInSameLineage(type, target)
  const isLocal = isCreatedHere || writing === 'createAny' || writing === 'updateAny'
  const data = linkageOf(relationship, schemaRef(nameOf(target, isLocal ? 'sent' : 'existing')))
  return { ...describeNotes(relationship), ...objectOf({ data }, ['data']) }
}

function linkageOf(relationship: Relationship, identifier: Schema): Schema {
  if (relationship.kind === 'toMany') return arrayOf(identifier)
  return relationship.isNullable ? orNull(identifier) : identifier
}

/** How requests name what is related: by any type on its branch, and within resource objects by none that is abstract. */
function identifiersOf(type: ResourceType, facts: ApiFacts): readonly (readonly [string, Schema])[] {
  const types = typesOnBranch(type, facts)
  const concrete = types.filter(({ isAbstract }) => !isAbstract)
  return [
    [nameOf(type, 'sent'), describeSentIdentifier(concrete, 'byIdOrLocalId')],
    [nameOf(type, 'existing'), describeSentIdentifier(concrete, 'byId')],
    [nameOf(type, 'address'), describeSentIdentifier(types, 'byId')],
    [nameOf(type, 'removed'), describeRemoved(types)],
  ]
}

/** Names that start with `@` are ignored wherever they stand. https://jsonapi.org/format/1.1/#document-member-names-at-members */
const ONLY_KNOWN: Schema = { patternProperties: { '^@': {} }, additionalProperties: false }
