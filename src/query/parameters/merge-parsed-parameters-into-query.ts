import { JsonApiError, mapCollectingErrors } from '../../errors/json-api-error'
import { assertPageOffsetIsSafeInteger } from '../parsing/parse-page'
import { quoteAndTruncate } from '../parsing/query-syntax-error'
import {
  type ParameterNameAndText,
  parseOrThrowQueryError,
  toQueryParameterErrorDetails,
} from '../parsing/to-query-error'
import {
  EMPTY_QUERY,
  type Fieldsets,
  type FilterNode,
  type IncludedRelationshipQuery,
  type LogicalNode,
  type PageRequest,
  type RelationshipEndpointQuery,
} from '../tree/ast'
import { deduplicateFilter } from '../tree/deduplicate'
import { type RelationshipChain, relationshipPathKey, toIncludeTree } from '../tree/path'
import type { ParsedFieldset, ParsedFilter, ParsedParameter } from './parsed-parameter'

/** Merges all parameters into one query. See `joinFilters` for several filters of one collection. */
export function mergeParsedParametersIntoQuery(parts: readonly ParsedParameter[]): RelationshipEndpointQuery {
  const collections = mapCollectingErrors(groupByPath(parts), ([path, pathParts]) => joinCollection(path, pathParts))
  const { filter, sort, page } = collections.find(({ path }) => path.length === 0) ?? EMPTY_QUERY
  const includes = parts.filter((part) => part.kind === 'include')
  const paths = includes.flatMap((part) => part.paths)
  return {
    filter,
    sort,
    page,
    include: includes.length === 0 ? undefined : toIncludeTree(paths),
    fields: joinFieldsets(parts.filter((part) => part.kind === 'fields')),
    includePaths: collections.filter(({ path }) => path.length > 0),
    includesPrimary: paths.some((path) => path.length === 0),
  }
}

/** Creates the error for a parameter that was sent twice. */
export function repeatedParameterError({ parameter, text }: ParameterNameAndText, found: string): JsonApiError {
  const issue = { position: 0, expected: 'it once', found }
  return new JsonApiError([toQueryParameterErrorDetails('query.repeated', { parameter, text }, issue)])
}

type CollectionPart = Exclude<ParsedParameter, { kind: 'include' | 'fields' }>

/** Groups the parameters by collection, sorted by path, so that the order of parameters makes no difference. */
function groupByPath(
  parts: readonly ParsedParameter[],
): readonly (readonly [RelationshipChain, readonly CollectionPart[]])[] {
  const groups = new Map<string, readonly [RelationshipChain, CollectionPart[]]>()
  for (const part of parts) {
    if (part.kind === 'include' || part.kind === 'fields') continue
    const key = relationshipPathKey(part.path)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [part.path, [part]])
    else group[1].push(part)
  }
  return [...groups].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, group]) => group)
}

function joinCollection(path: RelationshipChain, parts: readonly CollectionPart[]): IncludedRelationshipQuery {
  const [sort, another] = parts.filter((part) => part.kind === 'sort')
  if (another !== undefined) {
    const { parameter } = another
    throw repeatedParameterError({ parameter, text: parameter }, 'another of the same collection')
  }
  return {
    path,
    filter: joinFilters(parts.filter((part) => part.kind === 'filter')),
    sort: sort?.keys ?? [],
    page: joinPage(parts),
  }
}

function joinPage(parts: readonly CollectionPart[]): PageRequest {
  const pages = parts.filter((part) => part.kind === 'page')
  const size = pages.find(({ part }) => part === 'size')?.element
  const number = pages.find(({ part }) => part === 'number')
  if (number !== undefined)
    parseOrThrowQueryError('query.page', number.parameterText, () =>
      assertPageOffsetIsSafeInteger(number.element, size),
    )
  const cursors = parts.filter((part) => part.kind === 'pageCursor')
  if (number !== undefined && cursors.length > 0) {
    // Both set the start of the page, so they would contradict each other.
    const issue = {
      position: 0,
      expected: 'no page number beside a cursor',
      found: quoteAndTruncate(number.parameterText.text),
    }
    throw new JsonApiError([toQueryParameterErrorDetails('query.page', number.parameterText, issue)])
  }
  return {
    size: size?.value,
    number: number?.element.value,
    ...Object.fromEntries(cursors.map(({ part, text }) => [part, text])),
  }
}

/** Joins filters by one field with `or`, and expressions with `or`; then joins these groups with `and`. */
function joinFilters(parts: readonly ParsedFilter[]): FilterNode | undefined {
  const groups = new Map<ParsedFilter['field'], FilterNode[]>()
  for (const { field, filter } of parts) groups.set(field, [...(groups.get(field) ?? []), filter])
  const joined = joinTerms(
    'and',
    [...groups.values()].flatMap((terms) => joinTerms('or', terms) ?? []),
  )
  return joined && deduplicateFilter(joined)
}

function joinTerms(operator: LogicalNode['operator'], terms: readonly FilterNode[]): FilterNode | undefined {
  return terms.length > 1 ? { kind: 'logical', operator, terms } : terms[0]
}

function joinFieldsets(parts: readonly ParsedFieldset[]): Fieldsets {
  const fieldsets = new Map<ParsedFieldset['type'], ReadonlySet<string>>()
  for (const { type, names } of parts) {
    fieldsets.set(type, new Set([...(fieldsets.get(type) ?? []), ...names]))
  }
  return fieldsets
}
