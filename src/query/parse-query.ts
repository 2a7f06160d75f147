import { MAX_SIZE_EXCEEDED_URI } from '../document/cursor-profile'
import { type ErrorDetails, JsonApiError, mapCollectingErrors } from '../errors/json-api-error'
import type { Relationship, ResourceGraph, ResourceType } from '../graph/model/resource-graph'
import { assertQueryLimits } from './parameters/assert-query-limits'
import { mergeParsedParametersIntoQuery, repeatedParameterError } from './parameters/merge-parsed-parameters-into-query'
import {
  hiddenFieldPredicateOf,
  type PrimaryDataCardinality,
  parameterNotAllowedError,
  parseQueryParameterByFamily,
  type QueryParsingContext,
  type QueryParsingOptions,
} from './parameters/parse-query-parameter-by-family'
import {
  decodeParameter,
  type GetHintForUnknownParameter,
  recognizeQueryParameter,
  splitQueryStringAtAmpersands,
} from './parameters/recognize-query-parameter'
import { foreignFilterSyntaxHint } from './parsing/foreign-filter-syntax-hint'
import type { ParsedQuery, RelationshipEndpointQuery } from './tree/ast'
import { EMPTY_QUERY } from './tree/ast'

export type { PrimaryDataCardinality, QueryParsingOptions } from './parameters/parse-query-parameter-by-family'

/**
 * Parses a query string, without its question mark, for the type of the primary data. Throws one `JsonApiError` with all errors.
 *
 * `sort=-name&page[size]=5` -> `{ sort: [{ direction: 'descending', … }], page: { size: 5, number: undefined }, … }`
 */
export function parseQuery(
  queryString: string,
  allowed: PrimaryDataCardinality,
  type: ResourceType,
  graph: ResourceGraph,
  options: QueryParsingOptions,
): ParsedQuery {
  if (queryString === '' && options.negotiatedPagination === undefined) return EMPTY_QUERY
  const { includesPrimary: _, ...query } = readQuery(queryString, {
    allowed,
    type,
    graph,
    options,
    tested: 'all',
    ...pageOptionsOf(type, queryString, options),
  })
  return query
}

/** Parses the query of `/articles/1/comments`, with the page options of the relationship. */
export function parseRelatedQuery(
  queryString: string,
  relationship: Relationship,
  graph: ResourceGraph,
  options: QueryParsingOptions,
): ParsedQuery {
  const context = queryContextOf(relationship, queryString, graph, options)
  const { includesPrimary: _, ...query } = readQuery(queryString, context)
  return query
}

/** Parses the query of `/articles/1/relationships/comments`. The paths of `include` start with `comments`. */
export function parseRelationshipEndpointQuery(
  queryString: string,
  relationship: Relationship,
  graph: ResourceGraph,
  options: QueryParsingOptions,
): RelationshipEndpointQuery {
  return readQuery(queryString, { ...queryContextOf(relationship, queryString, graph, options), relationship })
}

/** Throws `query.not-allowed` for any known parameter. For endpoints whose response has no document. */
export function assertNoQueryParameters(
  queryString: string,
  { unknownParameters }: Pick<QueryParsingOptions, 'unknownParameters'>,
): void {
  mapCollectingErrors(splitQueryStringAtAmpersands(queryString), (pair) => {
    const parameter = recognizeQueryParameter(pair, unknownParameters, () => '')
    if (parameter !== undefined) throw parameterNotAllowedError(parameter)
  })
}

function queryContextOf(
  relationship: Relationship,
  queryString: string,
  graph: ResourceGraph,
  options: QueryParsingOptions,
): QueryParsingContext {
  const { target: type } = relationship
  const isToMany = relationship.kind === 'toMany'
  const paging = pageOptionsOf(isToMany ? relationship : type, queryString, options)
  return { allowed: isToMany ? 'collection' : 'single', type, graph, options, tested: 'some', ...paging }
}

type PrimaryPageOptions = Pick<QueryParsingContext, 'page' | 'pagination' | 'totals'>

/** Chooses the kind of pages: page parameters take precedence over negotiation, and negotiation over the options of the collection. */
function pageOptionsOf(
  { page, pagination, totals }: PrimaryPageOptions,
  queryString: string,
  { negotiatedPagination }: QueryParsingOptions,
): PrimaryPageOptions {
  const requested = CURSOR_PARAMETER.test(queryString) ? 'cursors' : negotiatedPagination
  return { page, totals, pagination: requested ?? pagination }
}

function readQuery(queryString: string, context: QueryParsingContext): RelationshipEndpointQuery {
  try {
    const query = queryString === '' ? EMPTY_RELATIONSHIP_QUERY : readParameters(queryString, context)
    const { negotiatedPagination } = context.options
    return negotiatedPagination === undefined ? query : { ...query, page: { ...query.page, negotiatedPagination } }
  } catch (error) {
    if (context.pagination !== 'cursors' || !(error instanceof JsonApiError)) throw error
    throw new JsonApiError(error.errors.map(withErrorType))
  }
}

/** Adds the error type of the cursor pagination profile. */
function withErrorType(error: ErrorDetails): ErrorDetails {
  return error.meta?.page === undefined ? error : { ...error, links: { type: MAX_SIZE_EXCEEDED_URI } }
}

const EMPTY_RELATIONSHIP_QUERY: RelationshipEndpointQuery = { ...EMPTY_QUERY, includesPrimary: false }

function readParameters(queryString: string, context: QueryParsingContext): RelationshipEndpointQuery {
  const names = new Set<string>()
  const suggest: GetHintForUnknownParameter = (name, value) =>
    context.allowed === 'collection'
      ? foreignFilterSyntaxHint({ name, value, isHidden: hiddenFieldPredicateOf(context), ...context })
      : ''
  const parts = mapCollectingErrors(splitQueryStringAtAmpersands(queryString), (pair) => {
    const parameter = recognizeQueryParameter(pair, context.options.unknownParameters, suggest)
    if (parameter === undefined) return []
    const { name, family } = parameter
    // Filters, includes and fieldsets may be sent in several parameters.
    const isSingle = family.kind === 'sort' || family.kind === 'page'
    if (isSingle && names.has(name)) throw repeatedParameterError({ parameter: name, text: name }, 'it again')
    names.add(name)
    return parseQueryParameterByFamily(decodeParameter(parameter), context)
  })
  const query = mergeParsedParametersIntoQuery(parts.flat())
  assertQueryLimits(parts.flat(), query, context)
  return query
}

/** Matches if a page cursor is among the parameters, encoded or not. */
const CURSOR_PARAMETER = /(?:^|&)page(?:\[|%5B)(?:after|before)(?:\]|%5D)/i
