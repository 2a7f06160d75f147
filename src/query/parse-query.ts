import { collectProblems } from '../errors/json-api-error'
import type { Relationship, ResourceGraph, ResourceType } from '../graph/resource-graph'
import type { Query, RelationshipQuery } from './ast'
import { checkLimits } from './check-limits'
import { joinParts, repeated } from './join-parts'
import { NO_QUERY } from './no-query'
import { type NamedParameter, readName, readValue, type Suggest, splitPairs } from './parameters'
import { type AllowedParameters, isHiddenIn, parsePart, type Reading, type RequestOptions } from './parse-part'
import { asOfProfile } from './profile-errors'
import { suggestFilter } from './suggest-filter'

export type { AllowedParameters, RequestOptions } from './parse-part'

/**
 * Reads a query string, without its question mark, against the type of the primary data. All of its mistakes come in one `JsonApiError`.
 *
 * `sort=-name&page[size]=5` -> `{ sort: [{ direction: 'descending', … }], page: { size: 5, number: undefined }, … }`
 */
export function parseQuery(
  queryString: string,
  allowed: AllowedParameters,
  type: ResourceType,
  graph: ResourceGraph,
  options: RequestOptions,
): Query {
  const { includesPrimary: _, ...query } = readQuery(queryString, {
    allowed,
    type,
    graph,
    options,
    ...pagingOf(type, queryString, options),
  })
  return query
}

/** At `/articles/1/comments`: as `parseQuery`, with the pages that the relationship allows. */
export function parseRelatedQuery(
  queryString: string,
  relationship: Relationship,
  graph: ResourceGraph,
  options: RequestOptions,
): Query {
  const reading = readingOf(relationship, queryString, graph, options)
  const { includesPrimary: _, ...query } = readQuery(queryString, reading)
  return query
}

/** At `/articles/1/relationships/comments`: the paths of `include` start with `comments`. */
export function parseRelationshipQuery(
  queryString: string,
  relationship: Relationship,
  graph: ResourceGraph,
  options: RequestOptions,
): RelationshipQuery {
  return readQuery(queryString, { ...readingOf(relationship, queryString, graph, options), relationship })
}

function readingOf(
  relationship: Relationship,
  queryString: string,
  graph: ResourceGraph,
  options: RequestOptions,
): Reading {
  const { target: type } = relationship
  const isToMany = relationship.kind === 'toMany'
  const paging = pagingOf(isToMany ? relationship : type, queryString, options)
  return { allowed: isToMany ? 'collection' : 'single', type, graph, options, ...paging }
}

type Paging = Pick<Reading, 'page' | 'pagination' | 'totals'>

/** What the parameters say comes first, then what was negotiated, then the options of the collection. */
function pagingOf({ page, pagination, totals }: Paging, queryString: string, { wanted }: RequestOptions): Paging {
  const said = CURSOR.test(queryString) ? 'cursors' : wanted
  return { page, totals, pagination: said ?? pagination }
}

function readQuery(queryString: string, reading: Reading): RelationshipQuery {
  try {
    const query = queryString === '' ? NOTHING_ASKED : readParameters(queryString, reading)
    const { wanted } = reading.options
    return wanted === undefined ? query : { ...query, page: { ...query.page, wanted } }
  } catch (error) {
    throw reading.pagination === 'cursors' ? asOfProfile(error) : error
  }
}

const NOTHING_ASKED: RelationshipQuery = { ...NO_QUERY, includesPrimary: false }

function readParameters(queryString: string, reading: Reading): RelationshipQuery {
  const names = new Set<string>()
  const suggest: Suggest = (name, value) =>
    reading.allowed === 'collection' ? suggestFilter({ name, value, isHidden: isHiddenIn(reading), ...reading }) : ''
  const parts = collectProblems(splitPairs(queryString), (pair) => {
    const parameter = readName(pair, reading.options.unknownParameters, suggest)
    if (parameter === undefined) return []
    checkOnce(parameter, names)
    names.add(parameter.name)
    return parsePart(readValue(parameter), reading)
  })
  const query = joinParts(parts.flat())
  checkLimits(parts.flat(), query, reading)
  return query
}

/** Filters, includes and fieldsets may come in several parameters; a sort or a page may not. */
function checkOnce({ name, family }: NamedParameter, names: ReadonlySet<string>): void {
  const isOnce = family.kind === 'sort' || family.kind === 'page'
  if (isOnce && names.has(name)) throw repeated({ parameter: name, text: name }, 'it again')
}

/** A page cursor is among the parameters, in whatever way its name is encoded. */
const CURSOR = /(?:^|&)page(?:\[|%5B)(?:after|before)(?:\]|%5D)/i
