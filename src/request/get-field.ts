import type { Pointer } from '../document/pointer'
import { JsonApiError, problem } from '../errors/json-api-error'
import { suggestName } from '../errors/nearest-name'
import { isViewable, isWritable, writeOf } from '../graph/capabilities'
import type { Attribute, Field, Relationship, ResourceType, StoredType } from '../graph/resource-graph'
import { describeFound } from './describe-found'

/** For what a field of a resource object is read. */
export interface FieldContext {
  readonly type: StoredType
  readonly request: 'create' | 'update'
}

/** Whether the name stands for a field that a client may know of. */
export function isKnownField(name: string, kind: 'attribute' | 'relationship', context: KnownContext): boolean {
  const field = context.type.fields.get(name)
  return field !== undefined && (field.kind === 'attribute') === (kind === 'attribute') && !isOutOfSight(field, context)
}

interface KnownContext extends Pick<FieldContext, 'request'> {
  readonly type: ResourceType
}

interface FieldPlace extends FieldContext {
  readonly pointer: Pointer
}

/** The attribute that a name among `attributes` stands for, if clients may write it. */
export function getAttribute(name: string, place: FieldPlace): Attribute {
  const field = place.type.fields.get(name)
  if (field?.kind !== 'attribute' || isOutOfSight(field, place)) throw unknownAttribute(name, place)
  if (!isWritable(field, writeOf(field, place.request))) throw readOnlyAttribute(field, place)
  return field
}

/** The relationship that a name among `relationships` stands for, if clients may write it. */
export function getRelationship(name: string, place: FieldPlace): Relationship {
  const field = place.type.fields.get(name)
  if (field === undefined || field.kind === 'attribute' || isOutOfSight(field, place)) {
    throw unknownRelationship(name, place)
  }
  if (!isWritable(field, writeOf(field, place.request))) throw readOnlyRelationship(field, place)
  return field
}

/** What can neither be seen nor written is to clients as if it did not exist. */
function isOutOfSight(field: Field, { request }: Pick<FieldContext, 'request'>): boolean {
  return !isViewable(field) && !isWritable(field, writeOf(field, request))
}

function unknownAttribute(name: string, { type, pointer }: FieldPlace): JsonApiError {
  const hint = attributeHint(name, type)
  const detail = `Expected an attribute of '${type.name}', found ${describeFound(name)}.${hint}`
  return new JsonApiError([problem('attribute.unknown', detail, { pointer })])
}

function attributeHint(name: string, type: ResourceType): string {
  if (name === 'id' || name === 'type') return ` It stands beside 'attributes', not among them.`
  if (isShownField(name, type)) return ` It is a relationship: send it under 'relationships'.`
  return suggestName(name, type.attributes.filter(isViewable).map(nameOf))
}

function unknownRelationship(name: string, { type, pointer }: FieldPlace): JsonApiError {
  const isAttribute = isShownField(name, type)
  const hint = isAttribute
    ? ` It is an attribute: send it under 'attributes'.`
    : suggestName(name, type.relationships.filter(isViewable).map(nameOf))
  const detail = `Expected a relationship of '${type.name}', found ${describeFound(name)}.${hint}`
  return new JsonApiError([problem('relationship.unknown', detail, { pointer })])
}

function readOnlyAttribute({ name, upkeep }: Attribute, { type, request, pointer }: FieldPlace): JsonApiError {
  const why =
    upkeep === 'client' ? `can't be given in a request that ${request}s '${type.name}'` : 'the server maintains'
  const detail = `Expected no value for '${name}', which ${why}.`
  return new JsonApiError([problem('attribute.read-only', detail, { pointer })])
}

function readOnlyRelationship({ name }: Relationship, { type, request, pointer }: FieldPlace): JsonApiError {
  const detail = `Expected nothing for '${name}', which can't be given in a request that ${request}s '${type.name}'.`
  return new JsonApiError([problem('relationship.read-only', detail, { pointer })])
}

/** Hints must not tell of fields that only those who know them can write. */
function isShownField(name: string, type: ResourceType): boolean {
  const field = type.fields.get(name)
  return field !== undefined && isViewable(field)
}

function nameOf({ name }: Attribute | Relationship): string {
  return name
}
