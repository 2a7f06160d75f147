import { formatValue } from '../../document/format-value'
import { type Pointer, pointerTo } from '../../document/pointer'
import { collectErrors, createJsonApiError, type JsonApiError } from '../../errors/json-api-error'
import { didYouMean } from '../../errors/nearest-name'
import { capabilityToWriteField, type IsHidden, isViewable, isWritable } from '../../graph/model/capabilities'
import type { Attribute, Field, Relationship, ResourceType, StoredType } from '../../graph/model/resource-graph'
import type { ParsedResourceObject } from '../../records/parsed-resource-object'

/** The context in which a field of a resource object is read. */
export interface WritableFieldContext {
  readonly type: StoredType
  readonly request: 'create' | 'update'
  readonly isHidden: IsHidden
}

/** Returns true if the client can see or write a field with this name. */
export function isFieldKnownToClient(
  name: string,
  kind: 'attribute' | 'relationship',
  context: KnownFieldContext,
): boolean {
  const field = context.type.fields.get(name)
  return field !== undefined && (field.kind === 'attribute') === (kind === 'attribute') && !isInvisible(field, context)
}

interface KnownFieldContext extends Pick<WritableFieldContext, 'request' | 'isHidden'> {
  readonly type: ResourceType
}

interface FieldLocation extends WritableFieldContext {
  readonly pointer: Pointer
}

/** Returns the attribute for a name in `attributes`. Throws if clients can't write it. */
export function getWritableAttribute(name: string, pointer: Pointer, context: WritableFieldContext): Attribute {
  const field = context.type.fields.get(name)
  if (field?.kind !== 'attribute' || isInvisible(field, context))
    throw unknownFieldError(name, 'attribute', { ...context, pointer })
  if (!isWritable(field, capabilityToWriteField(field, context.request)))
    throw readOnlyAttribute(field, { ...context, pointer })
  return field
}

/** Returns the relationship for a name in `relationships`. Throws if clients can't write it. */
export function getWritableRelationship(name: string, pointer: Pointer, context: WritableFieldContext): Relationship {
  const field = context.type.fields.get(name)
  if (field === undefined || field.kind === 'attribute' || isInvisible(field, context)) {
    throw unknownFieldError(name, 'relationship', { ...context, pointer })
  }
  if (!isWritable(field, capabilityToWriteField(field, context.request)))
    throw readOnlyRelationship(field, { ...context, pointer })
  return field
}

/** Throws for fields that the stored type hides. The request may use the name of a base type that shows them. */
export function assertInputFieldsNotHidden(
  { attributes, relationships }: Pick<ParsedResourceObject, 'attributes' | 'relationships'>,
  context: WritableFieldContext,
  pointer: Pointer,
): void {
  collectErrors([...attributes.keys()], ({ name }) =>
    getWritableAttribute(name, pointerTo(pointer, 'attributes', name), context),
  )
  collectErrors([...relationships.keys()], ({ name }) =>
    getWritableRelationship(name, pointerTo(pointer, 'relationships', name), context),
  )
}

/** Returns true for a field that clients can neither view nor write. For them, it does not exist. */
function isInvisible(field: Field, { type, request, isHidden }: KnownFieldContext): boolean {
  return isHidden(type, field) || (!isViewable(field) && !isWritable(field, capabilityToWriteField(field, request)))
}

function unknownFieldError(name: string, kind: 'attribute' | 'relationship', location: FieldLocation): JsonApiError {
  const { type, pointer } = location
  const hint = unknownFieldHint(name, kind, location)
  const detail = `Expected ${WITH_ARTICLE[kind]} of '${type.name}', found ${formatValue(name)}.${hint}`
  return createJsonApiError(kind === 'attribute' ? 'attribute.unknown' : 'relationship.unknown', detail, { pointer })
}

/** Returns a hint for an unknown field. It must not reveal fields that clients can't view. */
function unknownFieldHint(name: string, kind: 'attribute' | 'relationship', location: FieldLocation): string {
  const other = kind === 'attribute' ? 'relationship' : 'attribute'
  if (kind === 'attribute' && (name === 'id' || name === 'type'))
    return " It is a member of the resource object, beside 'attributes'."
  const isShown = (field: Field) => isViewable(field) && !location.isHidden(location.type, field)
  const field = location.type.fields.get(name)
  if (field !== undefined && isShown(field)) return ` It is ${WITH_ARTICLE[other]}: send it under '${other}s'.`
  const known: readonly Field[] = location.type[`${kind}s`]
  return didYouMean(
    name,
    known.filter(isShown).map((each) => each.name),
  )
}

const WITH_ARTICLE = { attribute: 'an attribute', relationship: 'a relationship' } as const

function readOnlyAttribute({ name, valueOrigin }: Attribute, { type, request, pointer }: FieldLocation): JsonApiError {
  const reason =
    valueOrigin === 'client' ? `can't be given in a request that ${request}s '${type.name}'` : 'the server maintains'
  const detail = `Expected no value for '${name}', which ${reason}.`
  return createJsonApiError('attribute.read-only', detail, { pointer })
}

function readOnlyRelationship({ name }: Relationship, { type, request, pointer }: FieldLocation): JsonApiError {
  const detail = `Expected nothing for '${name}', which can't be given in a request that ${request}s '${type.name}'.`
  return createJsonApiError('relationship.read-only', detail, { pointer })
}
