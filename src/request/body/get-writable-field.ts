import { getOrCompute } from '../../cache/get-or-compute'
import { formatValueForError } from '../../document/format-value-for-error'
import { appendToPointer, type JsonPointer } from '../../document/pointer'
import { createJsonApiError, type JsonApiError, mapCollectingErrors } from '../../errors/json-api-error'
import { didYouMean } from '../../errors/nearest-name'
import {
  hasViewCapability,
  type IsFieldHidden,
  isFieldWritable,
  requiredFieldWriteCapability,
} from '../../graph/model/capabilities'
import { selfAndAncestors, selfAndDescendants } from '../../graph/model/inheritance'
import type { Attribute, Field, Relationship, ResourceType, StoredType } from '../../graph/model/resource-graph'
import type { ParsedResourceObject } from '../../records/parsed-resource-object'
import { createRequestAttributeValueReader, type RequestAttributeReader } from '../values/read-json-value'
import { formatTypeNames } from './read-resource-type'

/** The context in which a field of a resource object is read. */
export interface WritableFieldContext {
  readonly type: StoredType
  readonly request: 'create' | 'update'
  readonly isHidden: IsFieldHidden
}

/** Returns true if the client can see or write a field with this name. */
export function isFieldVisibleOrWritable(
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

/** An attribute that clients may write, with the reader of its values. */
interface WritableAttribute {
  readonly attribute: Attribute
  readonly read: RequestAttributeReader
}

/** Returns the attribute for a name in `attributes`. Throws if clients can't write it. `pointer`: that of the resource object. */
export function getWritableAttribute(
  name: string,
  context: WritableFieldContext,
  pointer: JsonPointer,
): WritableAttribute {
  const writable = writableFieldsOf(context).attributes.get(name)
  if (writable !== undefined && !context.isHidden(context.type, writable.attribute)) return writable
  const location = { ...context, pointer: appendToPointer(pointer, 'attributes', name) }
  const field = context.type.fields.get(name)
  if (field?.kind !== 'attribute' || isInvisible(field, context)) throw unknownFieldError(name, 'attribute', location)
  throw readOnlyAttribute(field, location)
}

/** Returns the relationship for a name in `relationships`. Throws if clients can't write it. `pointer`: that of the resource object. */
export function getWritableRelationship(
  name: string,
  context: WritableFieldContext,
  pointer: JsonPointer,
): Relationship {
  const writable = writableFieldsOf(context).relationships.get(name)
  if (writable !== undefined && !context.isHidden(context.type, writable)) return writable
  const location = { ...context, pointer: appendToPointer(pointer, 'relationships', name) }
  const field = context.type.fields.get(name)
  if (field === undefined || field.kind === 'attribute' || isInvisible(field, context)) {
    throw unknownFieldError(name, 'relationship', location)
  }
  throw readOnlyRelationship(field, location)
}

/** The fields of a type that requests of one kind may contain, by name, unless rules hide them. */
interface WritableFields {
  readonly attributes: ReadonlyMap<string, WritableAttribute>
  readonly relationships: ReadonlyMap<string, Relationship>
}

/** Compiles the fields once for each type. */
function writableFieldsOf({ type, request }: Pick<WritableFieldContext, 'type' | 'request'>): WritableFields {
  return getOrCompute(WRITABLE_FIELDS[request], type, () => {
    const isWritableField = (field: Field) => isFieldWritable(field, requiredFieldWriteCapability(field, request))
    const attributes = type.attributes.filter(isWritableField)
    return {
      attributes: new Map(
        attributes.map((attribute) => [
          attribute.name,
          { attribute, read: createRequestAttributeValueReader(attribute) },
        ]),
      ),
      relationships: new Map(type.relationships.filter(isWritableField).map((each) => [each.name, each])),
    }
  })
}

const WRITABLE_FIELDS = {
  create: new WeakMap<StoredType, WritableFields>(),
  update: new WeakMap<StoredType, WritableFields>(),
} as const

interface FieldLocation extends WritableFieldContext {
  /** The pointer of the field. */
  readonly pointer: JsonPointer
}

/**
 * Returns the input for the stored type. The request may use the name of a base type, which can have fields that the stored type hides. They
 * are unknown fields: the named type decides whether they are left out, or an error is thrown.
 */
export function restrictInputToStoredType(
  input: ParsedResourceObject,
  context: WritableFieldContext,
  pointer: JsonPointer,
): ParsedResourceObject {
  const { attributes, relationships } = input
  const hidden = [...attributes.keys(), ...relationships.keys()].filter((field) => isInvisible(field, context))
  if (hidden.length === 0) return input
  if (input.type.unknownFields === 'ignore') {
    const isKept = ([field]: readonly [Field, unknown]) => !hidden.includes(field)
    return {
      ...input,
      attributes: new Map([...attributes].filter(isKept)),
      relationships: new Map([...relationships].filter(isKept)),
    }
  }
  mapCollectingErrors(hidden, ({ kind, name }) =>
    kind === 'attribute'
      ? getWritableAttribute(name, context, pointer)
      : getWritableRelationship(name, context, pointer),
  )
  return input
}

/** Returns true for a field that clients can neither view nor write. For them, it does not exist. */
function isInvisible(field: Field, { type, request, isHidden }: KnownFieldContext): boolean {
  return (
    isHidden(type, field) ||
    (!hasViewCapability(field) && !isFieldWritable(field, requiredFieldWriteCapability(field, request)))
  )
}

function unknownFieldError(name: string, kind: 'attribute' | 'relationship', location: FieldLocation): JsonApiError {
  const { type, pointer } = location
  const hint = unknownFieldHint(name, kind, location)
  const detail = `Expected ${WITH_ARTICLE[kind]} of '${type.name}', found ${formatValueForError(name)}.${hint}`
  return createJsonApiError(kind === 'attribute' ? 'attribute.unknown' : 'relationship.unknown', detail, { pointer })
}

/** Returns a hint for an unknown field. It must not reveal fields that clients can't view. */
function unknownFieldHint(name: string, kind: 'attribute' | 'relationship', location: FieldLocation): string {
  const other = kind === 'attribute' ? 'relationship' : 'attribute'
  if (kind === 'attribute' && (name === 'id' || name === 'type'))
    return " It is a member of the resource object, beside 'attributes'."
  const isShown = (field: Field, type: ResourceType = location.type) =>
    hasViewCapability(field) && !location.isHidden(type, field)
  const field = location.type.fields.get(name)
  if (field !== undefined && isShown(field)) return ` It is ${WITH_ARTICLE[other]}: send it under '${other}s'.`
  const ancestors = selfAndAncestors(location.type)
  const relatives = selfAndDescendants(ancestors.at(-1) ?? location.type).filter((each) => !ancestors.includes(each))
  const owners = relatives.filter((type) => {
    const own = type.fields.get(name)
    return own?.declaringType === type && (own.kind === 'attribute') === (kind === 'attribute') && isShown(own, type)
  })
  if (owners.length > 0) return ` It belongs to ${formatTypeNames(owners)}.`
  const known: readonly Field[] = location.type[`${kind}s`]
  return didYouMean(
    name,
    known.filter((each) => isShown(each)).map((each) => each.name),
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
