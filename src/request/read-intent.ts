import type { Caches } from '../cache/caches'
import { assertNever, InvariantError } from '../errors/invariant'
import type { Relationship, ResourceGraph, ResourceType } from '../graph/model/resource-graph'
import { hiddenFieldPredicateOf, type QueryOptions } from '../query/parameters/parse-query-parameter'
import { parseCachedQuery } from '../query/parse-cached-query'
import { assertNoParameters, parseRelatedQuery, parseRelationshipQuery } from '../query/parse-query'
import type { Query } from '../query/tree/ast'
import { singleResourceLidScope } from './body/lid-scope'
import { readDocument } from './body/read-document'
import type { IdentifierContext } from './body/read-linkage'
import type { SentValue } from './body/read-members'
import { readLinkageToAddOrRemove, readReplacementLinkage } from './body/read-relationship-write'
import { type ReadNewResourceContext, readNewResource, readUpdatedResource } from './body/read-resource-object'
import { readPrimaryShape } from './body/read-resource-shape'
import type { HttpRequest } from './http/http-request'
import { readPrecondition } from './http/read-precondition'
import { readPreference } from './http/read-preference'
import type { CreateResource, Intent, RelationshipCandidates, RequestedResource, UpdateResource } from './intent/intent'
import {
  getRelationshipsByName,
  getRelationshipsToWrite,
  type RelationshipsToWrite,
  type RelationshipWriteMode,
  readRelationshipCandidates,
} from './intent/relationship-candidates'
import type { MatchedEndpoint } from './intent/routes'

/** The context in which every request is read. */
export interface IntentContext extends Pick<ReadNewResourceContext, 'graph' | 'providesDefaults' | 'onValues'> {
  readonly options: QueryOptions
  readonly caches: Caches
}

/** A request without its path. */
interface IntentInput extends IntentContext, Pick<HttpRequest, 'queryString' | 'headers' | 'body'> {}

/** Reads a negotiated request: first the names of the URL, then the query string, then the body. */
export function readIntent(matched: MatchedEndpoint, request: HttpRequest, sources: IntentContext): Intent {
  const { endpoint, type } = matched
  const { queryString, headers, body } = request
  const input: IntentInput = { ...sources, queryString, headers, body }
  switch (endpoint) {
    case 'getCollection':
      return { kind: endpoint, type, query: parseCachedQuery(queryString, 'collection', type, input) }
    case 'getResource':
      return { kind: endpoint, target: targetOf(matched), query: parseCachedQuery(queryString, 'single', type, input) }
    case 'getRelated':
      return { kind: endpoint, target: targetOf(matched), candidates: readQueries(matched, input, parseRelatedQuery) }
    case 'getRelationship':
      return {
        kind: endpoint,
        target: targetOf(matched),
        candidates: readQueries(matched, input, parseRelationshipQuery),
      }
    case 'createResource':
      return readCreateResource(type, input)
    case 'updateResource':
      return readUpdateResource(targetOf(matched), input)
    case 'deleteResource':
      assertNoParameters(queryString, sources.options)
      return { kind: endpoint, target: targetOf(matched), ...readConditional(input) }
    case 'setRelationship':
      return { kind: endpoint, ...readRelationshipWrite(matched, 'set', input, readReplacementLinkage) }
    case 'addToRelationship':
      return { kind: endpoint, ...readRelationshipWrite(matched, 'add', input, readLinkageToAddOrRemove) }
    case 'removeFromRelationship':
      return { kind: endpoint, ...readRelationshipWrite(matched, 'remove', input, readLinkageToAddOrRemove) }
    default:
      return assertNever(endpoint)
  }
}

function readQueries<Parsed extends Query>(
  matched: MatchedEndpoint,
  { queryString, graph, options }: IntentInput,
  parse: (queryString: string, relationship: Relationship, graph: ResourceGraph, options: QueryOptions) => Parsed,
): RelationshipCandidates<Relationship, Parsed> {
  const name = relationshipOf(matched)
  const relationships = getRelationshipsByName(matched.type, name, hiddenFieldPredicateOf({ options }))
  return readRelationshipCandidates(name, relationships, (relationship) => ({
    relationship,
    value: parse(queryString, relationship, graph, options),
  }))
}

function readCreateResource(type: ResourceType, input: IntentInput): CreateResource {
  const query = parseCachedQuery(input.queryString, 'single', type, input)
  const document = readDocument(input.body, input.options.limits.bodyDepth)
  const shape = readPrimaryShape(document, 'create', identifierContextOf(input))
  const { providesDefaults, onValues } = input
  const context = {
    ...identifierContextOf(input),
    providesDefaults,
    document,
    localsOf: singleResourceLidScope,
    onValues,
  }
  const change = readNewResource(shape, type, context)
  const preference = readPreference(input.headers)
  return { kind: 'createResource', type, change, query, sent: { document, pointer: DATA }, preference }
}

function readUpdateResource(target: RequestedResource, input: IntentInput): UpdateResource {
  const query = parseCachedQuery(input.queryString, 'single', target.type, input)
  const document = readDocument(input.body, input.options.limits.bodyDepth)
  const shape = readPrimaryShape(document, 'updateOne', identifierContextOf(input))
  const change = readUpdatedResource(shape, target, identifierContextOf(input))
  const conditional = readConditional(input)
  return { kind: 'updateResource', target, change, query, sent: { document, pointer: DATA }, ...conditional }
}

function readRelationshipWrite<Write extends RelationshipWriteMode, Found>(
  matched: MatchedEndpoint,
  write: Write,
  input: IntentInput,
  read: (relationshipToWrite: RelationshipsToWrite<Write>, data: SentValue, context: IdentifierContext) => Found,
) {
  const target = targetOf(matched)
  const relationshipToWrite = getRelationshipsToWrite(
    target.type,
    relationshipOf(matched),
    write,
    hiddenFieldPredicateOf(input),
  )
  assertNoParameters(input.queryString, input.options)
  const document = readDocument(input.body, input.options.limits.bodyDepth)
  const candidates = read(relationshipToWrite, { value: document.data, pointer: DATA }, identifierContextOf(input))
  return { target, candidates, sent: { document, pointer: DATA }, ...readConditional(input) }
}

/** Reads the headers for conditions and for the preferred response. */
function readConditional({ headers }: IntentInput): Pick<UpdateResource, 'condition' | 'preference'> {
  return { condition: readPrecondition(headers), preference: readPreference(headers) }
}

/** Returns the context for identifiers. Outside of a create request, a single request has no local ids. */
function identifierContextOf({ graph, options }: IntentInput): IdentifierContext {
  return {
    graph,
    isHidden: hiddenFieldPredicateOf({ options }),
    locals: NO_LOCALS,
    maxIdentifiers: options.limits.identifiers,
  }
}

const NO_LOCALS = singleResourceLidScope(undefined)

function targetOf({ endpoint, type, id }: MatchedEndpoint): RequestedResource {
  if (id === undefined) throw new InvariantError(`The route of ${endpoint} has no id.`)
  return { type, id }
}

function relationshipOf({ endpoint, relationship }: MatchedEndpoint): string {
  if (relationship === undefined) throw new InvariantError(`The route of ${endpoint} has no relationship.`)
  return relationship
}

/** The pointer of the primary data. */
const DATA = '/data'
