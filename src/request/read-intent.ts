import { assertNever, InvariantError } from '../errors/invariant'
import type { ResourceType } from '../graph/model/resource-graph'
import { isHiddenOf } from '../query/parameters/parse-part'
import { parseCachedQuery } from '../query/parse-cached-query'
import { assertNoParameters, parseRelatedQuery, parseRelationshipQuery, type QueryOptions } from '../query/parse-query'
import type { Query } from '../query/tree/ast'
import { selfReferenceOnly } from './body/local-references'
import { readDocument } from './body/read-document'
import type { IdentifierContext } from './body/read-linkage'
import { nameRelationship, readMembers, readNewLinkage } from './body/read-relationship-write'
import { type CreateContext, readNewResource, readUpdatedResource } from './body/read-resource-object'
import { readPrimaryShape } from './body/read-resource-shape'
import type { HttpRequest } from './http/http-request'
import { readCondition } from './http/read-condition'
import { readPreference } from './http/read-preference'
import { getRelationships, readCandidates } from './intent/candidates'
import type {
  AddToRelationship,
  CreateResource,
  GetRelated,
  GetRelationship,
  Intent,
  RemoveFromRelationship,
  SetRelationship,
  Target,
  UpdateResource,
} from './intent/intent'
import type { MatchedRoute } from './intent/routes'

/** What every request is read with. */
export interface IntentSources extends Pick<CreateContext, 'graph' | 'providesDefaults' | 'onValues'> {
  readonly options: QueryOptions
}

/** A request without its path. */
interface IntentInput extends IntentSources, Pick<HttpRequest, 'queryString' | 'headers' | 'body'> {}

/** From a negotiated request to what it asks for. The query string is read before the body, and what the URL names before both. */
export function readIntent(matched: MatchedRoute, request: HttpRequest, sources: IntentSources): Intent {
  const { endpoint, type } = matched
  const { queryString, headers, body } = request
  const { graph, providesDefaults, onValues, options } = sources
  const sent: IntentInput = { queryString, headers, body, graph, providesDefaults, onValues, options }
  switch (endpoint) {
    case 'getCollection':
      return { kind: endpoint, type, query: readQuery(sent, 'collection', type) }
    case 'getResource':
      return { kind: endpoint, target: targetOf(matched), query: readQuery(sent, 'single', type) }
    case 'getRelated':
      return readGetRelated(matched, sent)
    case 'getRelationship':
      return readGetRelationship(matched, sent)
    case 'createResource':
      return readCreateResource(type, sent)
    case 'updateResource':
      return readUpdateResource(targetOf(matched), sent)
    case 'deleteResource':
      assertNoParameters(queryString, sent.options)
      return { kind: endpoint, target: targetOf(matched), ...readConditional(sent) }
    case 'setRelationship':
      return readSetRelationship(matched, sent)
    case 'addToRelationship':
    case 'removeFromRelationship':
      return readChangeOfMembers(endpoint, matched, sent)
    default:
      return assertNever(endpoint)
  }
}

function readGetRelated(matched: MatchedRoute, { queryString, graph, options }: IntentInput): GetRelated {
  const name = relationshipOf(matched)
  const candidates = readCandidates(
    name,
    getRelationships(matched.type, name, isHiddenOf({ options })),
    (relationship) => {
      return parseRelatedQuery(queryString, relationship, graph, options)
    },
  )
  return { kind: 'getRelated', target: targetOf(matched), candidates }
}

function readGetRelationship(matched: MatchedRoute, { queryString, graph, options }: IntentInput): GetRelationship {
  const name = relationshipOf(matched)
  const candidates = readCandidates(
    name,
    getRelationships(matched.type, name, isHiddenOf({ options })),
    (relationship) => {
      return parseRelationshipQuery(queryString, relationship, graph, options)
    },
  )
  return { kind: 'getRelationship', target: targetOf(matched), candidates }
}

function readCreateResource(type: ResourceType, sent: IntentInput): CreateResource {
  const query = readQuery(sent, 'single', type)
  const document = readDocument(sent.body, sent.options.limits.bodyDepth)
  const { graph, providesDefaults, onValues, options } = sent
  const mostIdentifiers = options.limits.identifiers
  const isHidden = isHiddenOf(sent)
  const creating = {
    graph,
    isHidden,
    providesDefaults,
    document,
    localsOf: selfReferenceOnly,
    onValues,
    mostIdentifiers,
  }
  const change = readNewResource(readPrimaryShape(document, 'create', { graph, isHidden }), type, creating)
  const preference = readPreference(sent.headers)
  return { kind: 'createResource', type, change, query, sent: { document, pointer: DATA }, preference }
}

function readUpdateResource(target: Target, sent: IntentInput): UpdateResource {
  const query = readQuery(sent, 'single', target.type)
  const document = readDocument(sent.body, sent.options.limits.bodyDepth)
  const shape = readPrimaryShape(document, 'updateOne', identifierContextOf(sent))
  const change = readUpdatedResource(shape, target, identifierContextOf(sent))
  const conditional = readConditional(sent)
  return { kind: 'updateResource', target, change, query, sent: { document, pointer: DATA }, ...conditional }
}

function readSetRelationship(matched: MatchedRoute, sent: IntentInput): SetRelationship {
  const target = targetOf(matched)
  const named = nameRelationship(target, relationshipOf(matched), 'set', isHiddenOf(sent))
  assertNoParameters(sent.queryString, sent.options)
  const document = readDocument(sent.body, sent.options.limits.bodyDepth)
  const data = { value: document.data, pointer: DATA }
  const candidates = readNewLinkage(named, data, identifierContextOf(sent))
  const conditional = readConditional(sent)
  return { kind: 'setRelationship', target, candidates, sent: { document, pointer: DATA }, ...conditional }
}

function readChangeOfMembers(
  kind: 'addToRelationship' | 'removeFromRelationship',
  matched: MatchedRoute,
  sent: IntentInput,
): AddToRelationship | RemoveFromRelationship {
  const target = targetOf(matched)
  const named = nameRelationship(
    target,
    relationshipOf(matched),
    kind === 'addToRelationship' ? 'add' : 'remove',
    isHiddenOf(sent),
  )
  assertNoParameters(sent.queryString, sent.options)
  const document = readDocument(sent.body, sent.options.limits.bodyDepth)
  const candidates = readMembers(named, { value: document.data, pointer: DATA }, identifierContextOf(sent))
  return { kind, target, candidates, sent: { document, pointer: DATA }, ...readConditional(sent) }
}

/** In which states it may be written, and what is answered. */
function readConditional({ headers }: IntentInput): Pick<UpdateResource, 'condition' | 'preference'> {
  return { condition: readCondition(headers), preference: readPreference(headers) }
}

/** What is there already can have no local id. */
function identifierContextOf({ graph, options }: IntentInput): IdentifierContext {
  return { graph, isHidden: isHiddenOf({ options }), locals: NO_LOCALS, mostIdentifiers: options.limits.identifiers }
}

const NO_LOCALS = selfReferenceOnly(undefined)

function readQuery(
  { queryString, graph, options }: IntentInput,
  allowed: 'collection' | 'single',
  type: ResourceType,
): Query {
  return parseCachedQuery(queryString, allowed, type, graph, options)
}

function targetOf({ endpoint, type, id }: MatchedRoute): Target {
  if (id === undefined) throw new InvariantError(`The route of ${endpoint} has no id.`)
  return { type, id }
}

function relationshipOf({ endpoint, relationship }: MatchedRoute): string {
  if (relationship === undefined) throw new InvariantError(`The route of ${endpoint} has no relationship.`)
  return relationship
}

/** Where the primary data of a document stands. */
const DATA = '/data'
