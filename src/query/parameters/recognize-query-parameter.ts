import type { UnknownParametersOption } from '../../declarations/field-options'
import { isReservedParameter } from '../../document/member-names'
import type { ErrorCode } from '../../errors/catalogue'
import { JsonApiError } from '../../errors/json-api-error'
import { didYouMean } from '../../errors/nearest-name'
import { QuerySyntaxError, quoteAndTruncate } from '../parsing/query-syntax-error'
import { parseOrThrowQueryError, toQueryParameterErrorDetails } from '../parsing/to-query-error'
import type { TextRange } from '../parsing/token-cursor'
import type { CursorParameterName, NumericPageParameterName } from '../tree/ast'

/** The family of a parameter, from its name. A range is the position of the text between the brackets. */
type ParameterFamily =
  | { readonly kind: 'filter' | 'sort'; readonly scope: TextRange | undefined }
  | { readonly kind: 'include' }
  | { readonly kind: 'fields'; readonly type: TextRange }
  | { readonly kind: 'page'; readonly part: NumericPageParameterName | CursorParameterName }

/** A known parameter whose value is not decoded yet. */
interface NamedParameter {
  readonly name: string
  readonly family: ParameterFamily
  readonly raw: string
}

export interface DecodedParameter {
  readonly name: string
  readonly family: ParameterFamily
  readonly value: string
}

/** Splits a query string into its pairs and skips empty ones. */
export function splitQueryStringAtAmpersands(queryString: string): readonly string[] {
  return queryString.split('&').filter((pair) => pair !== '')
}

/** Returns a hint for an unknown parameter, or `''`. */
export type GetHintForUnknownParameter = (name: string, value: string) => string

/**
 * Reads the name of a `name=value` pair, without checking whether the endpoint allows it. Returns `undefined` for an unknown parameter that
 * the option `unknownParameters` accepts.
 */
export function recognizeQueryParameter(
  pair: string,
  unknown: UnknownParametersOption,
  suggest: GetHintForUnknownParameter,
): NamedParameter | undefined {
  const equals = pair.indexOf('=')
  const [rawName, raw] = equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)]
  const name = decode(rawName, 'query.invalid-name', rawName)
  if (isAcceptedUnknown(name, unknown)) return undefined
  assertLegalName(name)
  const family = findParameterFamily(name)
  if (family === undefined) {
    const known = typeof unknown === 'string' ? KNOWN_NAMES : [...KNOWN_NAMES, ...unknown]
    throw unknownParameterError(name, suggest(name, decode(raw, 'query.unknown', name)), known)
  }
  return { name, family, raw }
}

/** Names that JSON:API reserves are never accepted: `page[sise]` and `filters` are errors. */
function isAcceptedUnknown(name: string, unknown: UnknownParametersOption): boolean {
  if (unknown === 'reject' || name === '' || isReservedParameter(name)) return false
  return unknown === 'ignore' || unknown.includes(name)
}

export function decodeParameter({ name, family, raw }: NamedParameter): DecodedParameter {
  return { name, family, value: decode(raw, PARAMETER_ERROR_CODES[family.kind], name) }
}

/** The error code of each family. */
export const PARAMETER_ERROR_CODES = {
  filter: 'query.filter',
  sort: 'query.sort',
  include: 'query.include',
  fields: 'query.fields',
  page: 'query.page',
} as const satisfies Record<ParameterFamily['kind'], ErrorCode>

function findParameterFamily(name: string): ParameterFamily | undefined {
  const [, base = '', inner] = FAMILY.exec(name) ?? []
  const range: TextRange | undefined = inner === undefined ? undefined : [base.length + 1, name.length - 1]
  if (base === 'filter' || base === 'sort') return { kind: base, scope: range }
  if (base === 'fields' && range !== undefined) return { kind: base, type: range }
  if (base === 'page' && isPagePart(inner)) return { kind: base, part: inner }
  return base === 'include' && range === undefined ? { kind: base } : undefined
}

function isPagePart(name: string | undefined): name is NumericPageParameterName | CursorParameterName {
  return name === 'size' || name === 'number' || isPageCursorName(name)
}

export function isPageCursorName(name: string | undefined): name is CursorParameterName {
  return name === 'after' || name === 'before'
}

function unknownParameterError(name: string, suggestion: string, known: readonly string[]): JsonApiError {
  const expected = `one of ${known.join(', ')}`
  const hint = suggestion === '' ? suggestParameter(name, known) : suggestion
  const issue = { position: 0, expected, found: quoteAndTruncate(name), hint }
  return new JsonApiError([toQueryParameterErrorDetails('query.unknown', { parameter: name, text: name }, issue)])
}

/** FamilyName : memberName { '[' [ memberPath ] ']' }. https://jsonapi.org/format/1.1/#query-parameters-families */
function assertLegalName(name: string): void {
  const position = legalPrefixLength(name)
  if (position === name.length && position > 0) return
  const expected = position === 0 ? 'a parameter name' : "'[', a name and ']'"
  const found = position === name.length ? 'the end' : quoteAndTruncate(name.slice(position))
  throw new JsonApiError([
    toQueryParameterErrorDetails('query.invalid-name', { parameter: name, text: name }, { position, expected, found }),
  ])
}

function legalPrefixLength(name: string): number {
  MEMBER.lastIndex = 0
  if (!MEMBER.test(name)) return 0
  BRACKETS.lastIndex = MEMBER.lastIndex
  BRACKETS.test(name)
  return BRACKETS.lastIndex
}

function decode(raw: string, code: ErrorCode, parameter: string): string {
  return parseOrThrowQueryError(code, { parameter, text: raw }, () => decodeText(raw))
}

/** Decodes application/x-www-form-urlencoded text. https://jsonapi.org/format/1.1/#appendix-query-details-parsing */
function decodeText(raw: string): string {
  const text = raw.includes('+') ? raw.replaceAll('+', ' ') : raw
  return text.includes('%') ? text.replace(/(?:%[\da-f]{2})+|%/gi, decodeRun) : text
}

function decodeRun(run: string, position: number): string {
  try {
    return decodeURIComponent(run)
  } catch {
    throw new QuerySyntaxError({ position, expected: 'percent-encoded UTF-8', found: quoteAndTruncate(run) })
  }
}

const KNOWN_NAMES = [
  'filter',
  'sort',
  'include',
  'fields[type]',
  'page[size]',
  'page[number]',
  'page[after]',
  'page[before]',
]

const FAMILY = /^([^[]*)(?:\[([^[\]]*)\])?$/
const NAME = '[a-zA-Z\\d\\u0080-\\uffff](?:[-\\w \\u0080-\\uffff]*[a-zA-Z\\d\\u0080-\\uffff])?'
const MEMBER = new RegExp(NAME, 'y')
/** A colon selects a derived type, an extension of this library: `filter[men:friends]`. */
const BRACKETS = new RegExp(`(?:\\[(?:${NAME}(?:[.:]${NAME})*)?\\])*`, 'y')

/** Suggests a parameter for an unknown name: the equivalent of another server's parameter, or the most similar name. */
function suggestParameter(name: string, known: readonly string[]): string {
  const alias = PARAMETER_ALIASES.get(name.toLowerCase().replaceAll(/[_-]/g, ''))
  return alias === undefined ? didYouMean(name, known) : ` Did you mean '${alias}'?`
}

/** Parameter names of other servers, in lower case and without `_` and `-`, with their equivalents here. */
const PARAMETER_ALIASES: ReadonlyMap<string, string> = new Map([
  ['page', 'page[number]'],
  ['offset', 'page[number]'],
  ['page[offset]', 'page[number]'],
  ['limit', 'page[size]'],
  ['perpage', 'page[size]'],
  ['pagesize', 'page[size]'],
  ['page[limit]', 'page[size]'],
  ['page[cursor]', 'page[after]'],
  ['order', 'sort'],
  ['orderby', 'sort'],
  ['sortby', 'sort'],
  ['expand', 'include'],
  ['embed', 'include'],
  ['with', 'include'],
  ['select', 'fields[type]'],
  ['fields', 'fields[type]'],
])
