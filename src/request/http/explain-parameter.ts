import { formatValue } from '../../document/format-value'
import { clientError, JsonApiError } from '../../errors/json-api-error'
import type { Options } from '../../graph/options/options'
import { splitPairs } from '../../query/parameters/parameters'
import type { HttpRequest } from './http-request'

/** The query parameter that asks for what a read would do in place of doing it. JSON:API leaves names with a capital letter to servers. */
export const EXPLAIN = 'explainRead'

/** The same request without the parameter; `undefined`: it is not asked for, or means nothing here. */
export function withoutExplainParameter(
  request: HttpRequest,
  options: Pick<Options, 'explain'>,
): HttpRequest | undefined {
  if (!isExplaining(options) || !request.queryString.includes(EXPLAIN)) return undefined
  const pairs = splitPairs(request.queryString)
  const own = pairs.filter(isExplain)
  if (own.length === 0) return undefined
  const wrong = own.find((pair) => pair !== `${EXPLAIN}=true`)
  if (wrong !== undefined) throw refusal(`Expected '${EXPLAIN}=true', found ${formatValue(wrong)}.`)
  return { ...request, queryString: pairs.filter((pair) => !isExplain(pair)).join('&') }
}

/** A write would be done by whoever wants to know what it does. */
export function assertNotExplained(request: HttpRequest, options: Pick<Options, 'explain'>): void {
  if (withoutExplainParameter(request, options) !== undefined)
    throw refusal(`Found it with ${request.method}: only reads are explained.`)
}

/** In production only where the option says so in so many words. */
export function isExplaining({ explain }: Pick<Options, 'explain'>): boolean {
  if (explain === false) return false
  return explain === 'always' || process.env.NODE_ENV !== 'production'
}

function isExplain(pair: string): boolean {
  return pair === EXPLAIN || pair.startsWith(`${EXPLAIN}=`)
}

function refusal(detail: string): JsonApiError {
  return new JsonApiError([clientError('query.not-explainable', detail, { parameter: EXPLAIN })])
}
