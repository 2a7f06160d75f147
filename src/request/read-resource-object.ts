import type { JsonValue } from '../document/json'
import { type Pointer, pointerTo } from '../document/pointer'
import { collectProblems, JsonApiError, problem } from '../errors/json-api-error'
import { suggestName } from '../errors/nearest-name'
import { isViewable } from '../graph/capabilities'
import type { Attribute, Field, Relationship, ResourceGraph, ResourceType, StoredType } from '../graph/resource-graph'
import type { RequestedLinkage, ResourceChange } from '../records/change'
import { canonicalId } from './canonical-id'
import { checkRequired } from './check-required'
import { describeFound } from './describe-found'
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
}

/** The second phase of reading: what a resource object in a create request asks for. */
export function readNewResource(
  shape: ResourceShape,
  endpointType: ResourceType,
  { graph, isFilledIn, document }: Creating,
): ResourceChange {
  const { pointer, id, lid } = shape
  const type = readStoredType({ name: shape.type, pointer }, endpointType, graph)
  const created = lid === undefined ? undefined : { type, lid }
  const { missing: _, ...change } = readAll({
    id: () => readClientId(id, type, pointer),
    attributes: () => readAttributes(shape, type),
    relationships: () => readRelationships(shape, { type, graph, created }),
    missing: () => (isFilledIn(type) ? undefined : checkRequired(type, sentFields(shape, type), { document, pointer })),
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
      attributes: () => readAttributes(shape, type),
      relationships: () => readRelationships(shape, { type, graph, created: undefined }),
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

function readAttributes({ attributes, pointer }: ResourceShape, type: StoredType): ReadonlyMap<Attribute, unknown> {
  const values = collectProblems(attributes, ([name, value]) => {
    return readAttribute(name, value, { type, pointer: pointerTo(pointer, 'attributes', name) })
  })
  return new Map(values)
}

interface FieldPlace {
  readonly type: StoredType
  readonly pointer: Pointer
}

function readAttribute(name: string, value: JsonValue, { type, pointer }: FieldPlace): readonly [Attribute, unknown] {
  const field = type.fields.get(name)
  if (field?.kind !== 'attribute') throw unknownAttribute(name, { type, pointer })
  if (field.upkeep !== 'client') throw readOnlyAttribute(field, pointer)
  return [field, readAttributeValue(value, field, pointer)]
}

interface RelationshipsContext {
  readonly type: StoredType
  readonly graph: ResourceGraph
  readonly created: CreatedResource | undefined
}

function readRelationships(
  { relationships, pointer }: ResourceShape,
  { type, graph, created }: RelationshipsContext,
): ReadonlyMap<Relationship, RequestedLinkage> {
  const place = 'resourceObject'
  const linkages = collectProblems(relationships, ([name, linkage]: readonly [string, LinkageShape]) => {
    const relationship = getRelationship(name, { type, pointer: pointerTo(pointer, 'relationships', name) })
    return [relationship, readLinkage(linkage, { relationship, graph, place, created })] as const
  })
  return new Map(linkages)
}

function getRelationship(name: string, { type, pointer }: FieldPlace): Relationship {
  const field = type.fields.get(name)
  if (field !== undefined && field.kind !== 'attribute') return field
  throw unknownRelationship(name, { type, pointer })
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

function readOnlyAttribute({ name }: Attribute, pointer: Pointer): JsonApiError {
  const detail = `Expected no value for '${name}', which the server maintains.`
  return new JsonApiError([problem('attribute.read-only', detail, { pointer })])
}

/** Hints must not tell of fields that only those who know them can write. */
function isShownField(name: string, type: ResourceType): boolean {
  const field = type.fields.get(name)
  return field !== undefined && isViewable(field)
}

function nameOf({ name }: Attribute | Relationship): string {
  return name
}
