import { type Pointer, pointerTo } from '../document/pointer'
import { collectProblems, JsonApiError, problem } from '../errors/json-api-error'
import type { Attribute, Field, Relationship, ResourceGraph, ResourceType, StoredType } from '../graph/resource-graph'
import type { RequestedLinkage, ResourceChange } from '../records/change'
import { canonicalId } from './canonical-id'
import { checkRequired } from './check-required'
import { describeFound } from './describe-found'
import { type FieldContext, getAttribute, getRelationship } from './get-field'
import type { SentDocument, Target } from './intent'
import { readAttributeValue } from './read-attribute-value'
import { readClientId } from './read-client-id'
import { type CreatedResource, readLinkage } from './read-linkage'
import type { LinkageShape } from './read-linkage-shape'
import type { ResourceShape } from './read-resource-shape'
import { readStoredType } from './read-resource-type'
import { readAll } from './read-shape'

/** What a resource object in a create request is read with. */
export interface Creating {
  readonly graph: ResourceGraph
  /** Whether the rules of a type may give what the request leaves out. */
  readonly isFilledIn: (type: StoredType) => boolean
  readonly document: SentDocument['document']
  /** Told of the values that could be read: what else the application says of them is found out later, and told with the rest. */
  readonly noteValues: (values: SentValues) => void
}

/** The attributes of a resource object. */
export interface SentValues {
  readonly type: StoredType
  /** Those that were sent, and could be read or not. */
  readonly sent: ReadonlySet<Field>
  readonly values: ReadonlyMap<Attribute, unknown>
  readonly place: SentDocument
}

/** The second phase of reading: what a resource object in a create request asks for. */
export function readNewResource(
  shape: ResourceShape,
  endpointType: ResourceType,
  { graph, isFilledIn, document, noteValues }: Creating,
): ResourceChange {
  const { pointer, id, lid } = shape
  const type = readStoredType({ name: shape.type, pointer }, endpointType, graph)
  const created = lid === undefined ? undefined : { type, lid }
  const sent = sentFields(shape, type)
  const place = { document, pointer }
  const values = new Map<Attribute, unknown>()
  const {
    missing: _,
    noted: __,
    ...change
  } = readAll({
    id: () => readClientId(id, type, pointer),
    attributes: () =>
      readAttributes(shape, { type, request: 'create' }, (attribute, value) => values.set(attribute, value)),
    relationships: () => readRelationships(shape, { type, graph, created, request: 'create' }),
    missing: () => (isFilledIn(type) ? undefined : checkRequired(type, sent, place)),
    noted: () => noteValues({ type, sent, values, place }),
  })
  return { type, ...change }
}

/** The second phase of reading: what a resource object in an update request asks for. */
export function readUpdatedResource(shape: ResourceShape, target: Target, graph: ResourceGraph): ResourceChange {
  const { pointer, id } = shape
  const type = readStoredType({ name: shape.type, pointer }, target.type, graph)
  return {
    type,
    ...readAll({
      id: () => readSameId(id, target, pointer),
      attributes: () => readAttributes(shape, { type, request: 'update' }),
      relationships: () => readRelationships(shape, { type, graph, created: undefined, request: 'update' }),
    }),
  }
}

function sentFields({ attributes, relationships }: ResourceShape, type: StoredType): ReadonlySet<Field> {
  const names = [...attributes, ...relationships].map(([name]) => name)
  return new Set(names.flatMap((name) => type.fields.get(name) ?? []))
}

function readSameId(id: string | undefined, target: Target, pointer: Pointer): string {
  if (id !== undefined && canonicalId(target.type, id) === canonicalId(target.type, target.id)) return target.id
  const detail = `Expected the id of the URL, ${describeFound(target.id)}, found ${describeFound(id)}.`
  throw new JsonApiError([problem('document.id-conflict', detail, { pointer: pointerTo(pointer, 'id') })])
}

function readAttributes(
  { attributes, pointer }: ResourceShape,
  context: FieldContext,
  noteValue: (attribute: Attribute, value: unknown) => void = () => undefined,
): ReadonlyMap<Attribute, unknown> {
  const place = pointerTo(pointer, 'attributes')
  const values = collectProblems(attributes, ([name, sent]) => {
    const at = { ...context, pointer: pointerTo(place, name) }
    const attribute = getAttribute(name, at)
    const value = readAttributeValue(sent, attribute, at.pointer)
    noteValue(attribute, value)
    return [attribute, value] as const
  })
  return new Map(values)
}

interface RelationshipsContext extends FieldContext {
  readonly graph: ResourceGraph
  readonly created: CreatedResource | undefined
}

function readRelationships(
  { relationships, pointer }: ResourceShape,
  { graph, created, ...context }: RelationshipsContext,
): ReadonlyMap<Relationship, RequestedLinkage> {
  const place = 'resourceObject'
  const linkages = collectProblems(relationships, ([name, linkage]: readonly [string, LinkageShape]) => {
    const relationship = getRelationship(name, { ...context, pointer: pointerTo(pointer, 'relationships', name) })
    return [relationship, readLinkage(linkage, { relationship, graph, place, created })] as const
  })
  return new Map(linkages)
}
