import type { PageOptions, PaginationKind, TotalOption } from '../../declarations/field-options'
import { JsonApiError } from '../../errors/json-api-error'
import { type IsFieldHidden, NO_FIELD_HIDDEN_PREDICATE } from '../../graph/model/capabilities'
import type { Relationship, ResourceGraph, ResourceType } from '../../graph/model/resource-graph'
import type { ResolvedApiOptions } from '../../graph/options/options'
import { equivalentFilterHint, foreignFilterSyntaxHint } from '../parsing/foreign-filter-syntax-hint'
import {
  deduplicationKeyOfFilteredField,
  parseFieldFilter,
  parseFilterParameterField,
} from '../parsing/parse-field-filter'
import { parseFieldset, parseFieldsetType } from '../parsing/parse-fields'
import { parseFilter } from '../parsing/parse-filter'
import { parseAndResolveIncludePaths, parseRelationshipEndpointIncludes } from '../parsing/parse-include'
import { assertPageCursorCharacters, parsePageParameterPerCollection } from '../parsing/parse-page'
import {
  isPathEndingInToMany,
  parseRelationshipPathEndingInToMany,
} from '../parsing/parse-relationship-path-ending-in-to-many'
import { parseSort } from '../parsing/parse-sort'
import { quoteAndTruncate } from '../parsing/query-syntax-error'
import { parseOrThrowQueryError, toQueryParameterErrorDetails } from '../parsing/to-query-error'
import { rangesOfQueryListElements, type TextRange } from '../parsing/token-cursor'
import type { CursorParameterName, NumericPageParameterName } from '../tree/ast'
import { deduplicateSort } from '../tree/deduplicate'
import type { AllRowsOrRowsOfSomeParents } from '../tree/filter-cost'
import type { RelationshipChain } from '../tree/path'
import type { ParsedFieldset, ParsedFilter, ParsedIncludePaths, ParsedParameter } from './parsed-parameter'
import { type DecodedParameter, isPageCursorName, PARAMETER_ERROR_CODES } from './recognize-query-parameter'

/** The parameters that an endpoint accepts. `collection`: all. `single`: those for included resources and fields. */
export type PrimaryDataCardinality = 'collection' | 'single'

/** The options of the API, and values that are determined for each request. */
export interface QueryParsingOptions extends ResolvedApiOptions {
  /** The kind of pages that the client negotiated with a profile. Page parameters take precedence. */
  readonly negotiatedPagination?: PaginationKind
  /** The fields that rules hide from the client; default: none. */
  readonly isHidden?: IsFieldHidden
}

/** The context in which the parameters of an endpoint are parsed. */
export interface QueryParsingContext {
  readonly allowed: PrimaryDataCardinality
  readonly type: ResourceType
  readonly graph: ResourceGraph
  readonly options: QueryParsingOptions
  /** The rows that a filter of the primary data tests: all rows of the type, or those of one relationship. */
  readonly tested: AllRowsOrRowsOfSomeParents
  /** The page options of the primary data. */
  readonly page: PageOptions | false
  /** Whether and how the primary data are counted. */
  readonly totals: TotalOption
  /** The kind of pages of the primary data. */
  readonly pagination: PaginationKind
  /** The relationship of a relationship endpoint. */
  readonly relationship?: Relationship
}

/** Returns the test of the request for hidden fields; without rules, one that hides nothing. */
export function hiddenFieldPredicateOf({ options }: Pick<QueryParsingContext, 'options'>): IsFieldHidden {
  return options.isHidden ?? NO_FIELD_HIDDEN_PREDICATE
}

type ParsedParameters = readonly ParsedParameter[]

/** Parses one parameter. Returns several parts if its name means fields of several derived types. */
export function parseQueryParameterByFamily(
  parameter: DecodedParameter,
  context: QueryParsingContext,
): ParsedParameters {
  const { family } = parameter
  if (!context.type.parameters.includes(family.kind)) throw parameterNotAllowedError(parameter)
  switch (family.kind) {
    case 'filter':
      return parseFilterParts(parameter, family.scope, context)
    case 'sort':
      return parseSortParts(parameter, family.scope, context)
    case 'include':
      return [parseIncludePart(parameter, context)]
    case 'fields':
      return [parseFieldsPart(parameter, family.type, context)]
    case 'page':
      return isPageCursorName(family.part)
        ? parseCursorParts(parameter, family.part, context)
        : parsePageParts(parameter, family.part, context)
  }
}

function parseFilterParts(
  parameter: DecodedParameter,
  scope: TextRange | undefined,
  context: QueryParsingContext,
): ParsedParameters {
  const { type, graph, options } = context
  if (
    scope !== undefined &&
    options.fieldFilters === true &&
    !isPathEndingInToMany(parameter.name, scope, type, hiddenFieldPredicateOf(context))
  ) {
    return [parseFieldFilterPart(parameter, scope, context)]
  }
  const depth = options.limits.filterDepth
  const scoped = parseScoped(parameter, scope, context, (text, type) =>
    parseFilter(text, type, graph, depth, hiddenFieldPredicateOf(context)),
  )
  return scoped.map(([path, filter]) => ({ kind: 'filter', parameter: parameter.name, path, filter }))
}

function parseFieldFilterPart(
  parameter: DecodedParameter,
  range: TextRange,
  context: QueryParsingContext,
): ParsedFilter {
  const { name, value } = parameter
  const { type, graph, allowed } = context
  const isHidden = hiddenFieldPredicateOf(context)
  const field = parseText(parameter, parameter.name, (text) => parseFilterParameterField(text, range, type, isHidden))
  if (allowed === 'single') throw parameterNotAllowedError(parameter)
  const suggest = () => equivalentFilterHint({ name, value, type, graph, isHidden })
  const filter = parseText(parameter, value, (text) => parseFieldFilter(text, field, type), suggest)
  return { kind: 'filter', parameter: name, path: [], filter, field: deduplicationKeyOfFilteredField(field) }
}

function parseSortParts(
  parameter: DecodedParameter,
  scope: TextRange | undefined,
  context: QueryParsingContext,
): ParsedParameters {
  const { graph, options } = context
  const depth = options.limits.filterDepth
  const scoped = parseScoped(parameter, scope, context, (text, type) => {
    const keys = parseSort(text, type, graph, depth, hiddenFieldPredicateOf(context))
    return { written: keys.length, keys: deduplicateSort(keys, type) }
  })
  return scoped.map(([path, sort]) => ({ kind: 'sort', parameter: parameter.name, path, ...sort }))
}

function parseIncludePart(parameter: DecodedParameter, context: QueryParsingContext): ParsedIncludePaths {
  const { type, relationship, graph, options } = context
  const depth = options.limits.includeDepth
  const paths = parseText(parameter, parameter.value, (text) =>
    relationship === undefined
      ? parseAndResolveIncludePaths(text, type, depth, hiddenFieldPredicateOf(context))
      : parseRelationshipEndpointIncludes(text, relationship, graph, depth, hiddenFieldPredicateOf(context)),
  )
  return {
    kind: 'include',
    parameter: parameter.name,
    written: rangesOfQueryListElements(parameter.value).length,
    paths,
  }
}

function parseFieldsPart(parameter: DecodedParameter, range: TextRange, context: QueryParsingContext): ParsedFieldset {
  const type = parseText(parameter, parameter.name, (name) => parseFieldsetType(name, range, context.graph))
  return {
    kind: 'fields',
    type,
    names: parseText(parameter, parameter.value, (text) => parseFieldset(text, type, hiddenFieldPredicateOf(context))),
  }
}

function parsePageParts(
  parameter: DecodedParameter,
  part: NumericPageParameterName,
  context: QueryParsingContext,
): ParsedParameters {
  const { type, page, allowed } = context
  const elements = parseText(parameter, parameter.value, (text) =>
    parsePageParameterPerCollection(text, part, type, page, hiddenFieldPredicateOf(context)),
  )
  if (allowed === 'single' && elements.some(({ path }) => path.length === 0)) throw parameterNotAllowedError(parameter)
  const parameterText = { parameter: parameter.name, text: parameter.value }
  return elements.map((element) => ({ kind: 'page', path: element.path, part, element, parameterText }))
}

/** Parses a cursor. Collections without pages ignore it. */
function parseCursorParts(
  parameter: DecodedParameter,
  part: CursorParameterName,
  { page, allowed }: QueryParsingContext,
): ParsedParameters {
  if (allowed === 'single') throw parameterNotAllowedError(parameter)
  const text = parseText(parameter, parameter.value, assertPageCursorCharacters)
  const parameterText = { parameter: parameter.name, text: parameter.value }
  return page === false ? [] : [{ kind: 'pageCursor', path: [], part, text, parameterText }]
}

/** Parses a value once for each type that its scope can mean. It must be valid for all of them. */
function parseScoped<Value>(
  parameter: DecodedParameter,
  scope: TextRange | undefined,
  context: QueryParsingContext,
  parse: (text: string, type: ResourceType) => Value,
): readonly (readonly [path: RelationshipChain, value: Value])[] {
  const paths = pathsByType(parameter, scope, context)
  return [...paths].flatMap(([type, typePaths]) => {
    const value = parseText(parameter, parameter.value, (text) => parse(text, type), suggestionOf(parameter, context))
    return typePaths.map((path) => [path, value] as const)
  })
}

function pathsByType(
  parameter: DecodedParameter,
  scope: TextRange | undefined,
  context: QueryParsingContext,
): ReadonlyMap<ResourceType, readonly RelationshipChain[]> {
  const { allowed, type } = context
  if (scope === undefined && allowed === 'single') throw parameterNotAllowedError(parameter)
  if (scope === undefined) return new Map([[type, [[]]]])
  const parse = (name: string) =>
    parseRelationshipPathEndingInToMany(name, scope, type, hiddenFieldPredicateOf(context))
  const paths = parseText(parameter, parameter.name, parse, suggestionOf(parameter, context))
  const types = new Set(paths.map(({ toMany }) => toMany.target))
  return new Map(
    [...types].map((each) => [each, paths.filter(({ toMany }) => toMany.target === each).map(({ path }) => path)]),
  )
}

/** Parses the name or the value of a parameter. */
function parseText<Value>(
  { name, family }: DecodedParameter,
  text: string,
  parse: (text: string) => Value,
  suggest?: () => string,
): Value {
  const parameterText = { parameter: name, text, ...(suggest !== undefined && { suggest }) }
  return parseOrThrowQueryError(PARAMETER_ERROR_CODES[family.kind], parameterText, () => parse(text))
}

/** Errors in `filter[name]=Ann` suggest the equivalent filter. */
function suggestionOf({ name, value, family }: DecodedParameter, context: QueryParsingContext): () => string {
  const isSuggested = family.kind === 'filter' && context.allowed === 'collection'
  return () =>
    isSuggested ? foreignFilterSyntaxHint({ name, value, isHidden: hiddenFieldPredicateOf(context), ...context }) : ''
}

export function parameterNotAllowedError({ name }: Pick<DecodedParameter, 'name'>): JsonApiError {
  const issue = { position: 0, expected: 'a parameter that this endpoint takes', found: quoteAndTruncate(name) }
  return new JsonApiError([toQueryParameterErrorDetails('query.not-allowed', { parameter: name, text: name }, issue)])
}
