import { assertNever, InvariantError } from '../errors/invariant'
import type { ResourceType } from '../graph/resource-graph'
import type { Query } from '../query/ast'
import { parseQuery, parseRelatedQuery, parseRelationshipQuery, type RequestOptions } from '../query/parse-query'
import {
  getRelationships,
  readCandidates,
  readToManyCandidates,
  refuseOnlyReadOnly,
  refuseOnlyToOne,
  refuseReadOnly,
} from './candidates'
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
import { readCondition } from './read-condition'
import { readDocument } from './read-document'
import { readMemberIdentifiers, readSetLinkage } from './read-endpoint-linkage'
import { readPreference } from './read-preference'
import { type Creating, readNewResource, readUpdatedResource } from './read-resource-object'
import { readPrimaryShape } from './read-resource-shape'

/** What the routes have found in method and path. Id and relationship are decoded. */
export interface MatchedRoute {
  readonly endpoint: Intent['kind']
  readonly type: ResourceType
  readonly id?: string
  readonly relationship?: string
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
  const sent: Sent = { queryString, headers, body, ...sources }
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
      readQuery(sent, 'none', type)
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
  const candidates = readCandidates(name, getRelationships(matched.type, name), (relationship) => {
    return parseRelatedQuery(queryString, relationship, graph, options)
  })
  return { kind: 'getRelated', target: targetOf(matched), candidates }
}

function readGetRelationship(matched: MatchedRoute, { queryString, graph, options }: Sent): GetRelationship {
  const name = relationshipOf(matched)
  const candidates = readCandidates(name, getRelationships(matched.type, name), (relationship) => {
    return parseRelationshipQuery(queryString, relationship, graph, options)
  })
  return { kind: 'getRelationship', target: targetOf(matched), candidates }
}

function readCreateResource(type: ResourceType, sent: Sent): CreateResource {
  const query = readQuery(sent, 'single', type)
  const document = readDocument(sent.body)
  const change = readNewResource(readPrimaryShape(document, 'create', sent.graph), type, { ...sent, document })
  const preference = readPreference(sent.headers)
  return { kind: 'createResource', type, change, query, sent: { document, pointer: DATA }, preference }
}

function readUpdateResource(target: Target, sent: Sent): UpdateResource {
  const query = readQuery(sent, 'single', target.type)
  const document = readDocument(sent.body)
  const change = readUpdatedResource(readPrimaryShape(document, 'update', sent.graph), target, sent.graph)
  return {
    kind: 'updateResource',
    target,
    change,
    query,
    sent: { document, pointer: DATA },
    ...readConditional(sent),
  }
}

function readSetRelationship(matched: MatchedRoute, sent: Sent): SetRelationship {
  const name = relationshipOf(matched)
  const relationships = getRelationships(matched.type, name)
  readQuery(sent, 'none', matched.type)
  refuseOnlyReadOnly(relationships, 'set')
  const document = readDocument(sent.body)
  const data = { value: document.data, pointer: DATA }
  const candidates = readCandidates(name, relationships, (relationship) => {
    refuseReadOnly(relationship, 'set')
    return readSetLinkage(data, relationship, sent.graph)
  })
  return {
    kind: 'setRelationship',
    target: targetOf(matched),
    candidates,
    sent: { document, pointer: DATA },
    ...readConditional(sent),
  }
}

function readChangeOfMembers(
  kind: 'addToRelationship' | 'removeFromRelationship',
  matched: MatchedRoute,
  sent: Sent,
): AddToRelationship | RemoveFromRelationship {
  const name = relationshipOf(matched)
  const relationships = getRelationships(matched.type, name)
  readQuery(sent, 'none', matched.type)
  refuseOnlyToOne(relationships)
  const write = kind === 'addToRelationship' ? 'add' : 'remove'
  refuseOnlyReadOnly(relationships, write)
  const document = readDocument(sent.body)
  const data = { value: document.data, pointer: DATA }
  const candidates = readToManyCandidates(name, relationships, (relationship) => {
    refuseReadOnly(relationship, write)
    return readMemberIdentifiers(data, relationship, sent.graph)
  })
  return { kind, target: targetOf(matched), candidates, sent: { document, pointer: DATA }, ...readConditional(sent) }
}

/** In which states it may be written, and what is answered. */
function readConditional({ headers }: Sent): Pick<UpdateResource, 'condition' | 'preference'> {
  return { condition: readCondition(headers), preference: readPreference(headers) }
}

function readQuery(
  { queryString, graph, options }: Sent,
  allowed: 'collection' | 'single' | 'none',
  type: ResourceType,
): Query {
  return parseQuery(queryString, allowed, type, graph, options)
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
