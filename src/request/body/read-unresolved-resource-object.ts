import type { JsonObject, JsonValue } from '../../document/json'
import { appendToPointer, type JsonPointer } from '../../document/pointer'
import { mapCollectingErrors } from '../../errors/json-api-error'
import { hasViewCapability, isFieldWritable } from '../../graph/model/capabilities'
import type { Field, ResourceType } from '../../graph/model/resource-graph'
import { isFieldVisibleOrWritable, type WritableFieldContext } from './get-writable-field'
import {
  assertJsonObject,
  documentShapeError,
  readMemberEntries,
  readOptionalString,
  readRequiredMember,
  readRequiredString,
  runReadersCollectingErrors,
  type ValueWithPointer,
} from './read-members'
import { readUnresolvedLinkage, type UnresolvedLinkage } from './read-unresolved-linkage'
import type { IdentifierResolutionContext } from './resolve-linkage'

/** A resource object that is syntactically valid. Its names are not resolved yet. */
export interface ResourceObjectWithUnresolvedNames {
  readonly pointer: JsonPointer
  readonly type: string
  readonly id: string | undefined
  readonly lid: string | undefined
  readonly attributes: readonly (readonly [name: string, value: JsonValue])[]
  readonly relationships: readonly (readonly [name: string, linkage: UnresolvedLinkage])[]
}

/** `updateOne`: the URL names the resource. `updateAny`: the resource object itself may name it, also by a local id. */
type ShapePurpose = 'create' | 'updateOne' | 'updateAny'

/**
 * Checks the syntax of a resource object, before names and values are resolved. Ignores members that JSON:API does not define.
 * https://jsonapi.org/format/1.1/#document-resource-objects
 */
export function readUnresolvedResourceObject(
  sent: ValueWithPointer,
  purpose: ShapePurpose,
  { graph, isHidden }: Pick<IdentifierResolutionContext, 'graph' | 'isHidden'>,
): ResourceObjectWithUnresolvedNames {
  const { pointer } = sent
  const object = assertJsonObject(readRequiredMember(sent, 'a resource object'), pointer)
  const context = {
    type: typeof object.type === 'string' ? graph.types.get(object.type) : undefined,
    isHidden,
    request: purpose === 'create' ? 'create' : 'update',
  } as const
  const { type, id, lid, attributes, relationships } = runReadersCollectingErrors({
    type: () => readRequiredString(object, 'type', pointer),
    id: () => readId(object, pointer, purpose),
    lid: () => readLocalId(object, pointer, purpose),
    attributes: () =>
      withoutIgnored(readMemberEntries(object.attributes, `${pointer}/attributes`), 'attribute', context),
    relationships: () => readRelationships(object, pointer, context),
  })
  return { pointer, type, id, lid, attributes, relationships }
}

/** Reads the resource object that is the primary data of a document. */
export function readUnresolvedPrimaryResourceObject(
  document: JsonObject,
  purpose: Exclude<ShapePurpose, 'updateAny'>,
  identifierContext: Pick<IdentifierResolutionContext, 'graph' | 'isHidden'>,
): ResourceObjectWithUnresolvedNames {
  const { shape } = runReadersCollectingErrors({
    included: () => assertIncludedHasNoFields(document),
    shape: () => readUnresolvedResourceObject({ value: document.data, pointer: '/data' }, purpose, identifierContext),
  })
  return shape
}

/**
 * Throws if `included` has fields. Some clients send identifiers there, which is harmless. A client that sends fields would expect them to
 * be written, but only primary data is written.
 */
export function assertIncludedHasNoFields({ included }: JsonObject): void {
  if (included === undefined) return
  if (!Array.isArray(included)) throw documentShapeError('/included', 'an array', included)
  mapCollectingErrors(included.entries(), ([index, value]) =>
    assertNoContent(value, appendToPointer('/included', index)),
  )
}

function assertNoContent(value: JsonValue, pointer: JsonPointer): void {
  const object = assertJsonObject(value, pointer)
  readRequiredString(object, 'type', pointer)
  readRequiredString(object, 'id', pointer)
  for (const name of ['attributes', 'relationships']) {
    const membersPointer = appendToPointer(pointer, name)
    if (readMemberEntries(object[name], membersPointer).length === 0) continue
    throw documentShapeError(
      membersPointer,
      `no '${name}' in included resources, which need their own requests`,
      object[name],
    )
  }
}

function readId(object: JsonObject, pointer: JsonPointer, purpose: ShapePurpose): string | undefined {
  const isRequired = purpose === 'updateOne' || (purpose === 'updateAny' && object.lid === undefined)
  return isRequired ? readRequiredString(object, 'id', pointer) : readOptionalString(object, 'id', pointer)
}

function readLocalId(object: JsonObject, pointer: JsonPointer, purpose: ShapePurpose): string | undefined {
  const lid = readOptionalString(object, 'lid', pointer)
  if (lid === undefined) return undefined
  if (purpose === 'updateOne') throw documentShapeError(appendToPointer(pointer, 'lid'), "no 'lid' in an update", lid)
  if (object.id !== undefined) throw documentShapeError(appendToPointer(pointer, 'lid'), "no 'lid' beside an 'id'", lid)
  return lid
}

interface ShapeContext extends Pick<WritableFieldContext, 'request' | 'isHidden'> {
  readonly type: ResourceType | undefined
}

function readRelationships(
  object: JsonObject,
  pointer: JsonPointer,
  context: ShapeContext,
): readonly (readonly [string, UnresolvedLinkage])[] {
  const membersPointer = `${pointer}/relationships`
  const members = withoutIgnored(readMemberEntries(object.relationships, membersPointer), 'relationship', context)
  return mapCollectingErrors(members, ([name, value]) => {
    assertNameLength(name, membersPointer)
    return [
      name,
      readRelationship(value, appendToPointer(membersPointer, name), findKnownField(name, context)),
    ] as const
  })
}

/** Limits the length of a name, because each error in its linkage repeats it: the response to a body of a megabyte could be half a gigabyte. */
function assertNameLength(name: string, pointer: JsonPointer): void {
  if (name.length <= MAX_NAME_LENGTH) return
  throw documentShapeError(pointer, `names of at most ${MAX_NAME_LENGTH} characters`, name)
}

const MAX_NAME_LENGTH = 1000

type Members = readonly (readonly [string, JsonValue])[]

/** Leaves out unknown members if the type ignores unknown fields. */
function withoutIgnored(members: Members, kind: 'attribute' | 'relationship', context: ShapeContext): Members {
  const { type, request, isHidden } = context
  if (type?.unknownFields !== 'ignore') return members
  return members.filter(([name]) => isFieldVisibleOrWritable(name, kind, { type, request, isHidden }))
}

/** https://jsonapi.org/format/1.1/#document-resource-object-relationships */
function readRelationship(value: JsonValue, pointer: JsonPointer, field: Field | undefined): UnresolvedLinkage {
  const { data } = assertJsonObject(value, pointer)
  if (data === undefined) throw documentShapeError(pointer, "a member 'data'", undefined)
  return readUnresolvedLinkage(data, `${pointer}/data`, field?.kind)
}

/** Returns the field for a name, unless clients can neither view nor write it: errors must not reveal such fields. */
function findKnownField(name: string, { type, isHidden }: ShapeContext): Field | undefined {
  const field = type?.fields.get(name)
  if (type === undefined || field === undefined || isHidden(type, field)) return undefined
  return hasViewCapability(field) || WRITES.some((write) => isFieldWritable(field, write)) ? field : undefined
}

const WRITES = ['create', 'set'] as const
