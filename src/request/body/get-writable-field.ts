import { formatValue } from '../../document/format-value'
import { type Pointer, pointerTo } from '../../document/pointer'
import { collectErrors, createJsonApiError, type JsonApiError } from '../../errors/json-api-error'
import { didYouMean } from '../../errors/nearest-name'
import { type IsHidden, isViewable, isWritable, requiredWriteCapability } from '../../graph/model/capabilities'
import type { Attribute, Field, Relationship, ResourceType, StoredType } from '../../graph/model/resource-graph'
import type { ResourceInput } from '../../records/resource-input'

/** The context in which a field of a resource object is read. */
export interface FieldWriteContext {
  readonly type: StoredType
  readonly request: 'create' | 'update'
  readonly isHidden: IsHidden
}

/** Returns true if the name is that of a field that exists for the client. */
export function isFieldKnownToClient(
  name: string,
  kind: 'attribute' | 'relationship',
  context: KnownFieldContext,
): boolean {
  const field = context.type.fields.get(name)
  return field !== undefined && (field.kind === 'attribute') === (kind === 'attribute') && !isInvisible(field, context)
}

interface KnownFieldContext extends Pick<FieldWriteContext, 'request' | 'isHidden'> {
  readonly type: ResourceType
}

interface FieldLocation extends FieldWriteContext {
  readonly pointer: Pointer
}

/** Returns the attribute of a name in `attributes`. Throws if clients can't write it. */
export function getWritableAttribute(name: string, place: FieldLocation): Attribute {
  const field = place.type.fields.get(name)
  if (field?.kind !== 'attribute' || isInvisible(field, place)) throw unknownFieldError(name, 'attribute', place)
  if (!isWritable(field, requiredWriteCapability(field, place.request))) throw readOnlyAttribute(field, place)
  return field
}

/** Returns the relationship of a name in `relationships`. Throws if clients can't write it. */
export function getWritableRelationship(name: string, place: FieldLocation): Relationship {
  const field = place.type.fields.get(name)
  if (field === undefined || field.kind === 'attribute' || isInvisible(field, place)) {
    throw unknownFieldError(name, 'relationship', place)
  }
  if (!isWritable(field, requiredWriteCapability(field, place.request))) throw readOnlyRelationship(field, place)
  return field
}

/** Refuses fields that the stored type hides. The request may name a base type that shows them. */
export function assertInputFieldsNotHidden(
  { attributes, relationships }: Pick<ResourceInput, 'attributes' | 'relationships'>,
  context: FieldWriteContext,
  pointer: Pointer,
): void {
  collectErrors([...attributes.keys()], ({ name }) =>
    getWritableAttribute(name, { ...context, pointer: pointerTo(pointer, 'attributes', name) }),
  )
  collectErrors([...relationships.keys()], ({ name }) =>
    getWritableRelationship(name, { ...context, pointer: pointerTo(pointer, 'relationships', name) }),
  )
}

/** For clients, a field that they can neither view nor write does not exist. */
function isInvisible(field: Field, { type, request, isHidden }: KnownFieldContext): boolean {
  return isHidden(type, field) || (!isViewable(field) && !isWritable(field, requiredWriteCapability(field, request)))
}

function unknownFieldError(name: string, kind: 'attribute' | 'relationship', place: FieldLocation): JsonApiError {
  const { type, pointer } = place
  const hint = unknownFieldHint(name, kind, place)
  const detail = `Expected ${WITH_ARTICLE[kind]} of '${type.name}', found ${formatValue(name)}.${hint}`
  return createJsonApiError(kind === 'attribute' ? 'attribute.unknown' : 'relationship.unknown', detail, { pointer })
}

/** Hints must not reveal fields that clients can't view. */
function unknownFieldHint(name: string, kind: 'attribute' | 'relationship', place: FieldLocation): string {
  const other = kind === 'attribute' ? 'relationship' : 'attribute'
  if (kind === 'attribute' && (name === 'id' || name === 'type'))
    return " It stands beside 'attributes', not among them."
  const isShown = (field: Field) => isViewable(field) && !place.isHidden(place.type, field)
  const field = place.type.fields.get(name)
  if (field !== undefined && isShown(field)) return ` It is ${WITH_ARTICLE[other]}: send it under '${other}s'.`
  const known: readonly Field[] = place.type[`${kind}s`]
  return didYouMean(
    name,
    known.filter(isShown).map((each) => each.name),
  )
}

const WITH_ARTICLE = { attribute: 'an attribute', relationship: 'a relationship' } as const

function readOnlyAttribute({ name, valueOrigin }: Attribute, { type, request, pointer }: FieldLocation): JsonApiError {
  const why =
    valueOrigin === 'client' ? `can't be given in a request that ${request}s '${type.name}'` : 'the server maintains'
  const detail = `Expected no value for '${name}', which ${why}.`
  return createJsonApiError('attribute.read-only', detail, { pointer })
}

function readOnlyRelationship({ name }: Relationship, { type, request, pointer }: FieldLocation): JsonApiError {
  const detail = `Expected nothing for '${name}', which can't be given in a request that ${request}s '${type.name}'.`
  return createJsonApiError('relationship.read-only', detail, { pointer })
}
