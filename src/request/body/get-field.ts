import { formatValue } from '../../document/format-value'
import { type Pointer, pointerTo } from '../../document/pointer'
import { clientError, collectErrors, JsonApiError } from '../../errors/json-api-error'
import { suggestName } from '../../errors/nearest-name'
import { type IsHidden, isViewable, isWritable, writeOf } from '../../graph/model/capabilities'
import type { Attribute, Field, Relationship, ResourceType, StoredType } from '../../graph/model/resource-graph'
import type { ResourceInput } from '../../records/resource-input'

/** For what a field of a resource object is read. */
export interface FieldContext {
  readonly type: StoredType
  readonly request: 'create' | 'update'
  readonly isHidden: IsHidden
}

/** Whether the name stands for a field that a client may know of. */
export function isKnownField(name: string, kind: 'attribute' | 'relationship', context: KnownFieldContext): boolean {
  const field = context.type.fields.get(name)
  return field !== undefined && (field.kind === 'attribute') === (kind === 'attribute') && !isOutOfSight(field, context)
}

interface KnownFieldContext extends Pick<FieldContext, 'request' | 'isHidden'> {
  readonly type: ResourceType
}

interface FieldLocation extends FieldContext {
  readonly pointer: Pointer
}

/** The attribute that a name among `attributes` stands for, if clients may write it. */
export function getAttribute(name: string, place: FieldLocation): Attribute {
  const field = place.type.fields.get(name)
  if (field?.kind !== 'attribute' || isOutOfSight(field, place)) throw unknownAttribute(name, place)
  if (!isWritable(field, writeOf(field, place.request))) throw readOnlyAttribute(field, place)
  return field
}

/** The relationship that a name among `relationships` stands for, if clients may write it. */
export function getRelationship(name: string, place: FieldLocation): Relationship {
  const field = place.type.fields.get(name)
  if (field === undefined || field.kind === 'attribute' || isOutOfSight(field, place)) {
    throw unknownRelationship(name, place)
  }
  if (!isWritable(field, writeOf(field, place.request))) throw readOnlyRelationship(field, place)
  return field
}

/** Refuses what the rules of the stored type hide, where a base of it was named in which others show it. */
export function assertNotHidden(
  { attributes, relationships }: Pick<ResourceInput, 'attributes' | 'relationships'>,
  context: FieldContext,
  pointer: Pointer,
): void {
  collectErrors([...attributes.keys()], ({ name }) =>
    getAttribute(name, { ...context, pointer: pointerTo(pointer, 'attributes', name) }),
  )
  collectErrors([...relationships.keys()], ({ name }) =>
    getRelationship(name, { ...context, pointer: pointerTo(pointer, 'relationships', name) }),
  )
}

/** What can neither be seen nor written is to clients as if it did not exist. */
function isOutOfSight(field: Field, { type, request, isHidden }: KnownFieldContext): boolean {
  return isHidden(type, field) || (!isViewable(field) && !isWritable(field, writeOf(field, request)))
}

function unknownAttribute(name: string, place: FieldLocation): JsonApiError {
  const { type, pointer } = place
  const hint = attributeHint(name, place)
  const detail = `Expected an attribute of '${type.name}', found ${formatValue(name)}.${hint}`
  return new JsonApiError([clientError('attribute.unknown', detail, { pointer })])
}

function attributeHint(name: string, place: FieldLocation): string {
  if (name === 'id' || name === 'type') return ` It stands beside 'attributes', not among them.`
  if (isShownField(name, place)) return ` It is a relationship: send it under 'relationships'.`
  return suggestName(name, namesShown(place.type.attributes, place))
}

function unknownRelationship(name: string, place: FieldLocation): JsonApiError {
  const { type, pointer } = place
  const isAttribute = isShownField(name, place)
  const hint = isAttribute
    ? ` It is an attribute: send it under 'attributes'.`
    : suggestName(name, namesShown(type.relationships, place))
  const detail = `Expected a relationship of '${type.name}', found ${formatValue(name)}.${hint}`
  return new JsonApiError([clientError('relationship.unknown', detail, { pointer })])
}

function readOnlyAttribute({ name, valueOrigin }: Attribute, { type, request, pointer }: FieldLocation): JsonApiError {
  const why =
    valueOrigin === 'client' ? `can't be given in a request that ${request}s '${type.name}'` : 'the server maintains'
  const detail = `Expected no value for '${name}', which ${why}.`
  return new JsonApiError([clientError('attribute.read-only', detail, { pointer })])
}

function readOnlyRelationship({ name }: Relationship, { type, request, pointer }: FieldLocation): JsonApiError {
  const detail = `Expected nothing for '${name}', which can't be given in a request that ${request}s '${type.name}'.`
  return new JsonApiError([clientError('relationship.read-only', detail, { pointer })])
}

/** Hints must not tell of fields that only those who know them can write. */
function isShownField(name: string, { type, isHidden }: FieldLocation): boolean {
  const field = type.fields.get(name)
  return field !== undefined && isViewable(field) && !isHidden(type, field)
}

function namesShown(fields: readonly Field[], { type, isHidden }: FieldLocation): readonly string[] {
  return fields.filter((field) => isViewable(field) && !isHidden(type, field)).map(({ name }) => name)
}
