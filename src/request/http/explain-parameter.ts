import { formatValueForError } from '../../document/format-value-for-error'
import { createJsonApiError, type JsonApiError } from '../../errors/json-api-error'
import type { ResolvedApiOptions } from '../../graph/options/options'
import { splitQueryStringAtAmpersands } from '../../query/parameters/recognize-query-parameter'
import type { HttpRequest } from './http-request'

/** The query parameter that returns the plan of a read in place of its result. JSON:API requires a capital letter in custom names. */
export const EXPLAIN_PARAMETER = 'explainRead'

/** Returns the request without the parameter; `undefined` if it was not sent or the option `explain` is off. */
export function findRequestWithoutExplainParameter(
  request: HttpRequest,
  options: Pick<ResolvedApiOptions, 'explain'>,
): HttpRequest | undefined {
  if (!request.queryString.includes(EXPLAIN_PARAMETER) || !optionsAllowExplain(options)) return undefined
  const pairs = splitQueryStringAtAmpersands(request.queryString)
  const explainPairs = pairs.filter(isExplainPair)
  if (explainPairs.length === 0) return undefined
  const invalidPair = explainPairs.find((pair) => pair !== `${EXPLAIN_PARAMETER}=true`)
  if (invalidPair !== undefined)
    throw notExplainableError(`Expected '${EXPLAIN_PARAMETER}=true', found ${formatValueForError(invalidPair)}.`)
  return { ...request, queryString: pairs.filter((pair) => !isExplainPair(pair)).join('&') }
}

/** Throws if a write has the parameter. Otherwise the write would run. */
export function assertNoExplainParameter(request: HttpRequest, options: Pick<ResolvedApiOptions, 'explain'>): void {
  if (findRequestWithoutExplainParameter(request, options) !== undefined)
    throw notExplainableError(`Expected a GET or HEAD, found ${request.method}. Only reads can be explained.`)
}

/** Returns true if reads can be explained: in production only with `always`. */
export function optionsAllowExplain({ explain }: Pick<ResolvedApiOptions, 'explain'>): boolean {
  if (explain === false) return false
  return explain === 'always' || process.env.NODE_ENV !== 'production'
}

function isExplainPair(pair: string): boolean {
  return pair === EXPLAIN_PARAMETER || pair.startsWith(`${EXPLAIN_PARAMETER}=`)
}

function notExplainableError(detail: string): JsonApiError {
  return createJsonApiError('query.not-explainable', detail, { parameter: EXPLAIN_PARAMETER })
}
