import { formatValueForError } from '../../document/format-value-for-error'
import { appendToPointer, type JsonPointer } from '../../document/pointer'
import { createJsonApiError, type JsonApiError, mapCollectingErrors } from '../../errors/json-api-error'
import { isSameOrDerivedType } from '../../graph/model/inheritance'
import {
  decodeAttributeValuesFromId,
  decodeRelatedIdsFromId,
  keyFields,
  keyFieldsNotWritableOnCreate,
} from '../../graph/model/key-fields'
import { canonicalId } from '../../graph/model/record-id'
import type { Attribute, Field, Relationship, ResourceType, StoredType } from '../../graph/model/resource-graph'
import type {
  LocalResourceIdentifier,
  ParsedResourceObject,
  RequestedIdentifierOrSelf,
  RequestedLinkage,
} from '../../records/parsed-resource-object'
import type { DocumentWithDataPointer, RequestedResourceIdentifier } from '../intent/intent'
import { assertRequiredFields } from './assert-required-fields'
import { getWritableAttribute, getWritableRelationship, type WritableFieldContext } from './get-writable-field'
import type { LidScope } from './lid-scope'
import { readClientGeneratedId } from './read-client-id'
import { runReadersCollectingErrors } from './read-members'
import { readResourceObjectType } from './read-resource-type'
import type { UnresolvedLinkage } from './read-unresolved-linkage'
import type { ResourceObjectWithUnresolvedNames } from './read-unresolved-resource-object'
import { type IdentifierResolutionContext, resolveLinkageIdentifiers, toRequestLinkageContext } from './resolve-linkage'

/** The context in which a resource object of a create request is read. */
export interface ResolveCreateResourceObjectContext
  extends Pick<IdentifierResolutionContext, 'graph' | 'isHidden' | 'maxIdentifiers'> {
  /** Returns true if rules of a type may set fields that the request leaves out. */
  readonly providesDefaults: (type: StoredType) => boolean
  readonly document: DocumentWithDataPointer['document']
  /** Returns the local ids that it may refer to. `created` is the resource itself. */
  readonly localsOf: (created: LocalResourceIdentifier | undefined) => LidScope
  /** Called with the valid values, so that validators run and all errors are reported together. */
  readonly onValues: (values: SentAttributes) => void
}

/** The attributes of a resource object. */
export interface SentAttributes {
  readonly type: StoredType
  /** All fields that were sent, valid or not. */
  readonly sent: ReadonlySet<Field>
  readonly values: ReadonlyMap<Attribute, unknown>
  readonly location: DocumentWithDataPointer
}

/** Resolves the names and values of a resource object in a create request, after `readUnresolvedResourceObject`. */
export function resolveCreateResourceObject(
  shape: ResourceObjectWithUnresolvedNames,
  endpointType: ResourceType,
  {
    graph,
    isHidden,
    providesDefaults,
    document,
    localsOf,
    onValues,
    maxIdentifiers,
  }: ResolveCreateResourceObjectContext,
): ParsedResourceObject {
  const { pointer, id, lid } = shape
  const type = readResourceObjectType({ name: shape.type, pointer }, endpointType, graph)
  const locals = localsOf(lid === undefined ? undefined : { type, lid })
  const readOnly = id === undefined ? NO_FIELDS : keyFieldsNotWritableOnCreate(type, isHidden)
  const sent = sentFields(shape, type, readOnly)
  const location = { document, pointer }
  const values = new Map<Attribute, unknown>()
  const read = runReadersCollectingErrors({
    id: () => readClientGeneratedId(id, type, pointer),
    attributes: () =>
      readAttributes(shape, { type, isHidden, request: 'create' }, (attribute, value) => values.set(attribute, value)),
    relationships: () => readRelationships(shape, { type, graph, isHidden, locals, maxIdentifiers, request: 'create' }),
    missing: () => (providesDefaults(type) ? undefined : assertRequiredFields(type, sent, location, isHidden)),
    noted: () => onValues({ type, sent, values: withId(values, { type, id, readOnly }), location }),
  })
  const { attributes, relationships } = read
  const input = { type, id: read.id, attributes, relationships }
  return read.id === undefined
    ? input
    : resolveSelfReferences(fillFromCompositeId(input, { type, id: read.id, readOnly }, pointer))
}

/** An id of the client, with the fields of the key that the client may not write. */
interface SentId {
  readonly type: StoredType
  readonly id: string | undefined
  readonly readOnly: ReadonlySet<Field>
}

const NO_FIELDS: SentId['readOnly'] = new Set()

function withId(values: SentAttributes['values'], { type, id, readOnly }: SentId): SentAttributes['values'] {
  if (id === undefined) return values
  return new Map([...withoutFields(decodeAttributeValuesFromId(type, id), readOnly), ...values])
}

function withoutFields<Key extends Field, Value>(
  values: ReadonlyMap<Key, Value>,
  removed: ReadonlySet<Field>,
): readonly (readonly [Key, Value])[] {
  return [...values].filter(([field]) => !removed.has(field))
}

/** Resolves the names and values of a resource object in an update request, after `readUnresolvedResourceObject`. */
export function resolveUpdateResourceObject(
  shape: ResourceObjectWithUnresolvedNames,
  target: RequestedResourceIdentifier,
  identifierContext: IdentifierResolutionContext,
): ParsedResourceObject {
  const { graph, isHidden, locals, maxIdentifiers } = identifierContext
  const type = readResourceObjectType({ name: shape.type, pointer: shape.pointer }, target.type, graph)
  const context = { graph, isHidden, locals, maxIdentifiers, type, request: 'update' } as const
  const { id, attributes, relationships } = runReadersCollectingErrors({
    id: () => readTargetId(shape, target, context),
    attributes: () => readAttributes(shape, context),
    relationships: () => readRelationships(shape, context),
  })
  return { type, id, attributes, relationships }
}

function sentFields(
  { id, attributes, relationships }: ResourceObjectWithUnresolvedNames,
  type: StoredType,
  readOnly: SentId['readOnly'],
): ReadonlySet<Field> {
  const sent = new Set(id === undefined ? [] : keyFields(type).filter((field) => !readOnly.has(field)))
  for (const members of [attributes, relationships]) {
    for (const [name] of members) {
      const field = type.fields.get(name)
      if (field !== undefined) sent.add(field)
    }
  }
  return sent
}

interface TargetIdContext extends IdentifierResolutionContext {
  readonly type: StoredType
}

function readTargetId(
  { id, lid, pointer }: ResourceObjectWithUnresolvedNames,
  target: RequestedResourceIdentifier,
  { type, locals }: TargetIdContext,
): string {
  if (lid !== undefined) {
    if (locals.find({ type, lid, pointer }) === target.local) return target.id
    throw idConflict(
      `Expected ${nameOf(target)}, found the local id ${formatValueForError(lid)}.`,
      appendToPointer(pointer, 'lid'),
    )
  }
  if (id !== undefined && target.local === undefined && isSameId(id, target)) return target.id
  throw idConflict(`Expected ${nameOf(target)}, found ${formatValueForError(id)}.`, appendToPointer(pointer, 'id'))
}

function isSameId(id: string, target: RequestedResourceIdentifier): boolean {
  return canonicalId(target.type, id) === canonicalId(target.type, target.id)
}

function nameOf({ id, local, pointer }: RequestedResourceIdentifier): string {
  if (local !== undefined) return `the local id of the target, ${formatValueForError(local.lid)}`
  return `the id of ${pointer === undefined ? 'the URL' : 'the target'}, ${formatValueForError(id)}`
}

function idConflict(detail: string, pointer: JsonPointer): JsonApiError {
  return createJsonApiError('document.id-conflict', detail, { pointer })
}

function readAttributes(
  { attributes, pointer }: ResourceObjectWithUnresolvedNames,
  context: WritableFieldContext,
  onValue: (attribute: Attribute, value: unknown) => void = () => undefined,
): ReadonlyMap<Attribute, unknown> {
  const values = new Map<Attribute, unknown>()
  mapCollectingErrors(attributes, ([name, sent]) => {
    const { attribute, read } = getWritableAttribute(name, context, pointer)
    const value = read(sent, pointer)
    values.set(attribute, value)
    onValue(attribute, value)
  })
  return values
}

interface RelationshipsContext extends WritableFieldContext, IdentifierResolutionContext {}

function readRelationships(
  { relationships, pointer }: ResourceObjectWithUnresolvedNames,
  context: RelationshipsContext,
): ReadonlyMap<Relationship, RequestedLinkage> {
  const linkages = new Map<Relationship, RequestedLinkage>()
  mapCollectingErrors(relationships, ([name, linkage]: readonly [string, UnresolvedLinkage]) => {
    const relationship = getWritableRelationship(name, context, pointer)
    linkages.set(
      relationship,
      resolveLinkageIdentifiers(linkage, toRequestLinkageContext(context, relationship, 'resourceObject')),
    )
  })
  return linkages
}

/**
 * Adds the values of the fields that a composite id contains, so that clients need not send them. The store compares the parts of read-only
 * fields with the values that the server sets.
 */
function fillFromCompositeId(
  change: ParsedResourceObject,
  { type, id, readOnly }: SentId & { readonly id: string },
  pointer: JsonPointer,
): ParsedResourceObject {
  const { attributes, relationships } = change
  const idPointer = appendToPointer(pointer, 'id')
  const linkages = withoutFields(decodeRelatedIdsFromId(type, id), readOnly).map(([relationship, relatedId]) => {
    const identifier = { kind: 'existing', type: relationship.target, id: relatedId, pointer: idPointer } as const
    return [relationship, { kind: 'toOne', identifier, pointer: idPointer }] as const
  })
  return {
    ...change,
    attributes: new Map([...withoutFields(decodeAttributeValuesFromId(type, id), readOnly), ...attributes]),
    relationships: new Map<Relationship, RequestedLinkage>([...linkages, ...relationships]),
  }
}

/** Resolves references of a new resource to itself by its client-generated id, like those by a local id. */
function resolveSelfReferences(change: ParsedResourceObject): ParsedResourceObject {
  const relationships = [...change.relationships].map(
    ([relationship, linkage]) => [relationship, linkageOf(linkage, relationship, change)] as const,
  )
  return { ...change, relationships: new Map(relationships) }
}

function linkageOf(
  linkage: RequestedLinkage,
  { target }: Relationship,
  { type, id }: ParsedResourceObject,
): RequestedLinkage {
  if (!isSameOrDerivedType(type, target)) return linkage
  const toRequested = (identifier: RequestedIdentifierOrSelf): RequestedIdentifierOrSelf =>
    identifier.kind === 'existing' && identifier.id === id && isSameOrDerivedType(type, identifier.type)
      ? { kind: 'created', pointer: identifier.pointer }
      : identifier
  if (linkage.kind === 'toMany') return { ...linkage, identifiers: linkage.identifiers.map(toRequested) }
  return { ...linkage, identifier: linkage.identifier && toRequested(linkage.identifier) }
}
