import type { PageOptions, Pagination, TotalOption } from '../declarations/field-options'
import { JsonApiError } from '../errors/json-api-error'
import { type IsHidden, NOTHING_HIDDEN } from '../graph/capabilities'
import type { Options } from '../graph/options'
import type { Relationship, ResourceGraph, ResourceType } from '../graph/resource-graph'
import { elementsOf } from './cursor'
import { dropRepeatedKeys } from './drop-repeated'
import { isPageCursorName, type PageCursorName, type PagePart } from './page-part'
import { CODES, type DecodedParameter, type Range } from './parameters'
import { fieldKey, parseFieldFilter, parseFilteredField } from './parse-field-filter'
import { parseFieldset, parseFieldsetType } from './parse-fields'
import { parseFilter } from './parse-filter'
import { parseInclude, parseRelationshipInclude } from './parse-include'
import { parsePage, parsePageCursor } from './parse-page'
import { isScope, parseScope } from './parse-scope'
import { parseSort } from './parse-sort'
import type { FieldsPart, FilterPart, IncludePart, Part } from './part'
import { showText } from './query-syntax-error'
import type { Path } from './relationship-path'
import { suggestFilter, suggestSame } from './suggest-filter'
import { toProblem, translateMistakes } from './to-problem'

/** Which parameters an endpoint takes. `collection`: all. `single`: those that speak of included resources or of fields. */
export type AllowedParameters = 'collection' | 'single'

/** The options, and what was negotiated for one request. */
export interface RequestOptions extends Options {
  /** The kind of pages that the client wants wherever its parameters do not tell. */
  readonly wanted?: Pagination
  /** What rules hide from who is asking; left out: nothing. */
  readonly isHidden?: IsHidden
}

/** What the parameters of an endpoint are read against. */
export interface Reading {
  readonly allowed: AllowedParameters
  readonly type: ResourceType
  readonly graph: ResourceGraph
  readonly options: RequestOptions
  /** The limits of the primary data. */
  readonly page: PageOptions | 'off'
  /** How the primary data are counted. */
  readonly totals: TotalOption
  /** How the primary data are cut. */
  readonly pagination: Pagination
  /** That of a relationship endpoint. */
  readonly relationship?: Relationship
}

export function isHiddenIn({ options }: Pick<Reading, 'options'>): IsHidden {
  return options.isHidden ?? NOTHING_HIDDEN
}

/** Reads one parameter; a name that several branches have makes several parts of it. */
export function parsePart(parameter: DecodedParameter, reading: Reading): readonly Part[] {
  const { family } = parameter
  if (!reading.type.parameters.includes(family.kind)) throw notAllowed(parameter)
  switch (family.kind) {
    case 'filter':
      return parseFilterParts(parameter, family.scope, reading)
    case 'sort':
      return parseSortParts(parameter, family.scope, reading)
    case 'include':
      return [parseIncludePart(parameter, reading)]
    case 'fields':
      return [parseFieldsPart(parameter, family.type, reading)]
    case 'page':
      return isPageCursorName(family.part)
        ? parseCursorParts(parameter, family.part, reading)
        : parsePageParts(parameter, family.part, reading)
  }
}

function parseFilterParts(parameter: DecodedParameter, scope: Range | undefined, reading: Reading): readonly Part[] {
  const { type, graph, options } = reading
  if (
    scope !== undefined &&
    options.fieldFilters === 'on' &&
    !isScope(parameter.name, scope, type, isHiddenIn(reading))
  ) {
    return [parseFieldFilterPart(parameter, scope, reading)]
  }
  const depth = options.limits.filterDepth
  const scoped = parseScoped(parameter, scope, reading, (text, type) =>
    parseFilter(text, type, graph, depth, isHiddenIn(reading)),
  )
  return scoped.map(([path, filter]) => ({ kind: 'filter', parameter: parameter.name, path, filter }))
}

function parseFieldFilterPart(parameter: DecodedParameter, range: Range, reading: Reading): FilterPart {
  const { name, value } = parameter
  const { type, graph, allowed } = reading
  const isHidden = isHiddenIn(reading)
  const field = parseName(parameter, (text) => parseFilteredField(text, range, type, isHidden))
  if (allowed === 'single') throw notAllowed(parameter)
  const suggest = () => suggestSame({ name, value, type, graph, isHidden })
  const filter = translateMistakes(CODES.filter, { parameter: name, text: value, suggest }, () =>
    parseFieldFilter(value, field, type),
  )
  return { kind: 'filter', parameter: name, path: [], filter, field: fieldKey(field) }
}

function parseSortParts(parameter: DecodedParameter, scope: Range | undefined, reading: Reading): readonly Part[] {
  const { graph, options } = reading
  const depth = options.limits.filterDepth
  const scoped = parseScoped(parameter, scope, reading, (text, type) => {
    const keys = parseSort(text, type, graph, depth, isHiddenIn(reading))
    return { written: keys.length, keys: dropRepeatedKeys(keys, type) }
  })
  return scoped.map(([path, sort]) => ({ kind: 'sort', parameter: parameter.name, path, ...sort }))
}

function parseIncludePart(parameter: DecodedParameter, reading: Reading): IncludePart {
  const { type, relationship, graph, options } = reading
  const depth = options.limits.includeDepth
  const paths = parseValue(parameter, (text) =>
    relationship === undefined
      ? parseInclude(text, type, depth, isHiddenIn(reading))
      : parseRelationshipInclude(text, relationship, graph, depth, isHiddenIn(reading)),
  )
  return { kind: 'include', parameter: parameter.name, written: elementsOf(parameter.value).length, paths }
}

function parseFieldsPart(parameter: DecodedParameter, range: Range, reading: Reading): FieldsPart {
  const type = parseName(parameter, (name) => parseFieldsetType(name, range, reading.graph))
  return {
    kind: 'fields',
    type,
    names: parseValue(parameter, (text) => parseFieldset(text, type, isHiddenIn(reading))),
  }
}

function parsePageParts(parameter: DecodedParameter, part: PagePart, reading: Reading): readonly Part[] {
  const { type, page, allowed } = reading
  const elements = parseValue(parameter, (text) => parsePage(text, part, type, page, isHiddenIn(reading)))
  if (allowed === 'single' && elements.some(({ path }) => path.length === 0)) throw notAllowed(parameter)
  const place = { parameter: parameter.name, text: parameter.value }
  return elements.map((element) => ({ kind: 'page', path: element.path, part, element, place }))
}

/** A collection that is never paged ignores it, as it does all pages. */
function parseCursorParts(
  parameter: DecodedParameter,
  part: PageCursorName,
  { page, allowed }: Reading,
): readonly Part[] {
  if (allowed === 'single') throw notAllowed(parameter)
  const text = parseValue(parameter, parsePageCursor)
  const place = { parameter: parameter.name, text: parameter.value }
  return page === 'off' ? [] : [{ kind: 'pageCursor', path: [], part, text, place }]
}

/** A value is read once for each type that its scope leads to, and has to be right for all of them. */
function parseScoped<Value>(
  parameter: DecodedParameter,
  scope: Range | undefined,
  reading: Reading,
  parse: (text: string, type: ResourceType) => Value,
): readonly (readonly [path: Path, value: Value])[] {
  const paths = pathsByType(parameter, scope, reading)
  return [...paths].flatMap(([type, ofType]) => {
    const value = parseInScope({ parameter, text: parameter.value, reading }, (text) => parse(text, type))
    return ofType.map((path) => [path, value] as const)
  })
}

function pathsByType(
  parameter: DecodedParameter,
  scope: Range | undefined,
  reading: Reading,
): ReadonlyMap<ResourceType, readonly Path[]> {
  const { allowed, type } = reading
  if (scope === undefined && allowed === 'single') throw notAllowed(parameter)
  if (scope === undefined) return new Map([[type, [[]]]])
  const paths = parseInScope({ parameter, text: parameter.name, reading }, (name) =>
    parseScope(name, scope, type, isHiddenIn(reading)),
  )
  const types = new Set(paths.map(({ toMany }) => toMany.target))
  return new Map(
    [...types].map((each) => [each, paths.filter(({ toMany }) => toMany.target === each).map(({ path }) => path)]),
  )
}

interface Scoped {
  readonly parameter: DecodedParameter
  /** Its name or its value. */
  readonly text: string
  readonly reading: Reading
}

/** A mistake in `filter[name]=Ann` says how such a filter is written here. */
function parseInScope<Value>({ parameter, text, reading }: Scoped, parse: (text: string) => Value): Value {
  const { name, value, family } = parameter
  const { type, graph, allowed } = reading
  const isSuggested = family.kind === 'filter' && allowed === 'collection'
  const suggest = () => (isSuggested ? suggestFilter({ name, value, type, graph, isHidden: isHiddenIn(reading) }) : '')
  return translateMistakes(CODES[family.kind], { parameter: name, text, suggest }, () => parse(text))
}

function parseName<Value>({ name, family }: DecodedParameter, parse: (text: string) => Value): Value {
  return translateMistakes(CODES[family.kind], { parameter: name, text: name }, () => parse(name))
}

function parseValue<Value>({ name, value, family }: DecodedParameter, parse: (text: string) => Value): Value {
  return translateMistakes(CODES[family.kind], { parameter: name, text: value }, () => parse(value))
}

export function notAllowed({ name }: Pick<DecodedParameter, 'name'>): JsonApiError {
  const mistake = { position: 0, expected: 'a parameter that this endpoint takes', found: showText(name) }
  return new JsonApiError([toProblem('query.not-allowed', { parameter: name, text: name }, mistake)])
}
