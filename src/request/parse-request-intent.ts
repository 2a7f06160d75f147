import type { Caches } from '../cache/caches'
import { assertNever, InvariantError } from '../errors/invariant'
import type { Relationship, ResourceGraph, ResourceType } from '../graph/model/resource-graph'
import { hiddenFieldPredicateOf, type QueryParsingOptions } from '../query/parameters/parse-query-parameter-by-family'
import { parseCachedQuery } from '../query/parse-cached-query'
import { assertNoQueryParameters, parseRelatedQuery, parseRelationshipEndpointQuery } from '../query/parse-query'
import type { ParsedQuery } from '../query/tree/ast'
import { singleResourceLidScope } from './body/lid-scope'
import { parseJsonObjectBody } from './body/parse-json-object-body'
import { runReadersCollectingErrors, type ValueWithPointer } from './body/read-members'
import { readLinkageToAddOrRemove, readReplacementLinkage } from './body/read-relationship-write'
import {
  type ResolveCreateResourceObjectContext,
  resolveCreateResourceObject,
  resolveUpdateResourceObject,
} from './body/read-resource-object'
import { assertIncludedHasNoFields, readUnresolvedPrimaryResourceObject } from './body/read-unresolved-resource-object'
import type { IdentifierResolutionContext } from './body/resolve-linkage'
import type { HttpRequest } from './http/http-request'
import { readPrecondition } from './http/read-precondition'
import { readReturnPreference } from './http/read-return-preference'
import type {
  CandidateRelationships,
  CreateResourceIntent,
  Intent,
  RequestedResourceIdentifier,
  UpdateResourceIntent,
} from './intent/intent'
import {
  getCandidateRelationshipsByName,
  getRelationshipsNamedOrThrowIfReadOnly,
  type RelationshipsMatchingNameInWrite,
  type RelationshipWriteMode,
  readSentDataPerCandidateRelationship,
} from './intent/relationship-candidates'
import type { MatchedEndpoint } from './intent/routes'

/** The context in which every request is read. */
export interface IntentParsingContext
  extends Pick<ResolveCreateResourceObjectContext, 'graph' | 'providesDefaults' | 'onValues'> {
  readonly options: QueryParsingOptions
  readonly caches: Caches
}

/** A request without its path. */
interface IntentInput extends IntentParsingContext, Pick<HttpRequest, 'queryString' | 'headers' | 'body'> {}

/** Reads a negotiated request: first the names of the URL, then the query string, then the body. */
export function parseRequestIntent(
  matched: MatchedEndpoint,
  request: HttpRequest,
  sources: IntentParsingContext,
): Intent {
  const { endpoint, type } = matched
  const { graph, options, caches, providesDefaults, onValues } = sources
  const { queryString, headers, body } = request
  // Lists the members, because each member that is added to a spread object takes a microsecond on Node.js 20.
  const input: IntentInput = { graph, options, caches, providesDefaults, onValues, queryString, headers, body }
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
        candidates: readQueries(matched, input, parseRelationshipEndpointQuery),
      }
    case 'createResource':
      return readCreateResource(type, input)
    case 'updateResource':
      return readUpdateResource(targetOf(matched), input)
    case 'deleteResource':
      assertNoQueryParameters(queryString, sources.options)
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

function readQueries<Parsed extends ParsedQuery>(
  matched: MatchedEndpoint,
  { queryString, graph, options }: IntentInput,
  parse: (
    queryString: string,
    relationship: Relationship,
    graph: ResourceGraph,
    options: QueryParsingOptions,
  ) => Parsed,
): CandidateRelationships<Relationship, Parsed> {
  const name = relationshipOf(matched)
  const relationships = getCandidateRelationshipsByName(matched.type, name, hiddenFieldPredicateOf({ options }))
  return readSentDataPerCandidateRelationship(name, relationships, (relationship) => ({
    relationship,
    value: parse(queryString, relationship, graph, options),
  }))
}

function readCreateResource(type: ResourceType, input: IntentInput): CreateResourceIntent {
  const query = parseCachedQuery(input.queryString, 'single', type, input)
  const document = parseJsonObjectBody(input.body, input.options.limits.bodyDepth)
  const shape = readUnresolvedPrimaryResourceObject(document, 'create', identifierContextOf(input))
  const { providesDefaults, onValues } = input
  const { graph, isHidden, maxIdentifiers } = identifierContextOf(input)
  const localsOf = singleResourceLidScope
  const context = { graph, isHidden, maxIdentifiers, providesDefaults, document, localsOf, onValues }
  const change = resolveCreateResourceObject(shape, type, context)
  const preference = readReturnPreference(input.headers)
  return { kind: 'createResource', type, change, query, sent: { document, pointer: DATA }, preference }
}

function readUpdateResource(target: RequestedResourceIdentifier, input: IntentInput): UpdateResourceIntent {
  const query = parseCachedQuery(input.queryString, 'single', target.type, input)
  const document = parseJsonObjectBody(input.body, input.options.limits.bodyDepth)
  const shape = readUnresolvedPrimaryResourceObject(document, 'updateOne', identifierContextOf(input))
  const change = resolveUpdateResourceObject(shape, target, identifierContextOf(input))
  const conditional = readConditional(input)
  return { kind: 'updateResource', target, change, query, sent: { document, pointer: DATA }, ...conditional }
}

function readRelationshipWrite<Write extends RelationshipWriteMode, Found>(
  matched: MatchedEndpoint,
  write: Write,
  input: IntentInput,
  read: (
    relationshipToWrite: RelationshipsMatchingNameInWrite<Write>,
    data: ValueWithPointer,
    context: IdentifierResolutionContext,
  ) => Found,
) {
  const target = targetOf(matched)
  const relationshipToWrite = getRelationshipsNamedOrThrowIfReadOnly(
    target.type,
    relationshipOf(matched),
    write,
    hiddenFieldPredicateOf(input),
  )
  assertNoQueryParameters(input.queryString, input.options)
  const document = parseJsonObjectBody(input.body, input.options.limits.bodyDepth)
  const { candidates } = runReadersCollectingErrors({
    included: () => assertIncludedHasNoFields(document),
    candidates: () => read(relationshipToWrite, { value: document.data, pointer: DATA }, identifierContextOf(input)),
  })
  return { target, candidates, sent: { document, pointer: DATA }, ...readConditional(input) }
}

/** Reads the headers for conditions and for the preferred response. */
function readConditional({ headers, options }: IntentInput): Pick<UpdateResourceIntent, 'condition' | 'preference'> {
  return { condition: readPrecondition(headers, options), preference: readReturnPreference(headers) }
}

/** Returns the context for identifiers. Outside of a create request, a single request has no local ids. */
function identifierContextOf({ graph, options }: IntentInput): IdentifierResolutionContext {
  return {
    graph,
    isHidden: hiddenFieldPredicateOf({ options }),
    locals: NO_LOCALS,
    maxIdentifiers: options.limits.identifiers,
  }
}

const NO_LOCALS = singleResourceLidScope(undefined)

function targetOf({ endpoint, type, id }: MatchedEndpoint): RequestedResourceIdentifier {
  if (id === undefined) throw new InvariantError(`The route of ${endpoint} has no id.`)
  return { type, id }
}

function relationshipOf({ endpoint, relationship }: MatchedEndpoint): string {
  if (relationship === undefined) throw new InvariantError(`The route of ${endpoint} has no relationship.`)
  return relationship
}

/** The pointer of the primary data. */
const DATA = '/data'
