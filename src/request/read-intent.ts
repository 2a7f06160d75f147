import { assertNever, InvariantError } from '../errors/invariant'
import type { ResourceType } from '../graph/resource-graph'
import type { Query } from '../query/ast'
import { isHiddenIn } from '../query/parse-part'
import { parseRelatedQuery, parseRelationshipQuery, type RequestOptions } from '../query/parse-query'
import { refuseParameters } from '../query/refuse-parameters'
import { getRelationships, readCandidates } from './candidates'
import type { HttpRequest } from './http-request'
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
} from './intent'
import { onlyItself } from './local-names'
import { readCondition } from './read-condition'
import { readDocument } from './read-document'
import type { Naming } from './read-linkage'
import { readPreference } from './read-preference'
import { nameRelationship, readMembers, readNewLinkage } from './read-relationship-write'
import { type Creating, readNewResource, readUpdatedResource } from './read-resource-object'
import { readPrimaryShape } from './read-resource-shape'
import { readRecent } from './recent-queries'

/** What the routes have found in method and path. Id and relationship are decoded. */
export interface MatchedRoute {
  readonly endpoint: Intent['kind']
  readonly type: ResourceType
  readonly id?: string | undefined
  readonly relationship?: string | undefined
}

/** What every request is read with. */
export interface IntentSources extends Pick<Creating, 'graph' | 'isFilledIn' | 'noteValues'> {
  readonly options: RequestOptions
}

/** A request without its path. */
interface Sent extends IntentSources, Pick<HttpRequest, 'queryString' | 'headers' | 'body'> {}

/** From a negotiated request to what it asks for. The query string is read before the body, and what the URL names before both. */
export function readIntent(matched: MatchedRoute, request: HttpRequest, sources: IntentSources): Intent {
  const { endpoint, type } = matched
  const { queryString, headers, body } = request
  const { graph, isFilledIn, noteValues, options } = sources
  const sent: Sent = { queryString, headers, body, graph, isFilledIn, noteValues, options }
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
      refuseParameters(queryString, sent.options)
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

function readGetRelated(matched: MatchedRoute, { queryString, graph, options }: Sent): GetRelated {
  const name = relationshipOf(matched)
  const candidates = readCandidates(
    name,
    getRelationships(matched.type, name, isHiddenIn({ options })),
    (relationship) => {
      return parseRelatedQuery(queryString, relationship, graph, options)
    },
  )
  return { kind: 'getRelated', target: targetOf(matched), candidates }
}

function readGetRelationship(matched: MatchedRoute, { queryString, graph, options }: Sent): GetRelationship {
  const name = relationshipOf(matched)
  const candidates = readCandidates(
    name,
    getRelationships(matched.type, name, isHiddenIn({ options })),
    (relationship) => {
      return parseRelationshipQuery(queryString, relationship, graph, options)
    },
  )
  return { kind: 'getRelationship', target: targetOf(matched), candidates }
}

function readCreateResource(type: ResourceType, sent: Sent): CreateResource {
  const query = readQuery(sent, 'single', type)
  const document = readDocument(sent.body, sent.options.limits.bodyDepth)
  const { graph, isFilledIn, noteValues, options } = sent
  const mostIdentifiers = options.limits.identifiers
  const isHidden = isHiddenIn(sent)
  const creating = { graph, isHidden, isFilledIn, document, localsOf: onlyItself, noteValues, mostIdentifiers }
  const change = readNewResource(readPrimaryShape(document, 'create', { graph, isHidden }), type, creating)
  const preference = readPreference(sent.headers)
  return { kind: 'createResource', type, change, query, sent: { document, pointer: DATA }, preference }
}

function readUpdateResource(target: Target, sent: Sent): UpdateResource {
  const query = readQuery(sent, 'single', target.type)
  const document = readDocument(sent.body, sent.options.limits.bodyDepth)
  const shape = readPrimaryShape(document, 'updateOne', namingOf(sent))
  const change = readUpdatedResource(shape, target, namingOf(sent))
  const conditional = readConditional(sent)
  return { kind: 'updateResource', target, change, query, sent: { document, pointer: DATA }, ...conditional }
}

function readSetRelationship(matched: MatchedRoute, sent: Sent): SetRelationship {
  const target = targetOf(matched)
  const named = nameRelationship(target, relationshipOf(matched), 'set', isHiddenIn(sent))
  refuseParameters(sent.queryString, sent.options)
  const document = readDocument(sent.body, sent.options.limits.bodyDepth)
  const data = { value: document.data, pointer: DATA }
  const candidates = readNewLinkage(named, data, namingOf(sent))
  const conditional = readConditional(sent)
  return { kind: 'setRelationship', target, candidates, sent: { document, pointer: DATA }, ...conditional }
}

function readChangeOfMembers(
  kind: 'addToRelationship' | 'removeFromRelationship',
  matched: MatchedRoute,
  sent: Sent,
): AddToRelationship | RemoveFromRelationship {
  const target = targetOf(matched)
  const named = nameRelationship(
    target,
    relationshipOf(matched),
    kind === 'addToRelationship' ? 'add' : 'remove',
    isHiddenIn(sent),
  )
  refuseParameters(sent.queryString, sent.options)
  const document = readDocument(sent.body, sent.options.limits.bodyDepth)
  const candidates = readMembers(named, { value: document.data, pointer: DATA }, namingOf(sent))
  return { kind, target, candidates, sent: { document, pointer: DATA }, ...readConditional(sent) }
}

/** In which states it may be written, and what is answered. */
function readConditional({ headers }: Sent): Pick<UpdateResource, 'condition' | 'preference'> {
  return { condition: readCondition(headers), preference: readPreference(headers) }
}

/** What is there already can have no local id. */
function namingOf({ graph, options }: Sent): Naming {
  return { graph, isHidden: isHiddenIn({ options }), locals: NO_LOCALS, mostIdentifiers: options.limits.identifiers }
}

const NO_LOCALS = onlyItself(undefined)

function readQuery({ queryString, graph, options }: Sent, allowed: 'collection' | 'single', type: ResourceType): Query {
  return readRecent(queryString, allowed, type, graph, options)
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
