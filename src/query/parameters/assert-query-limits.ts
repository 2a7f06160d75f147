import type { ErrorCode } from '../../errors/catalogue'
import { createErrorDetails, type ErrorDetails, JsonApiError } from '../../errors/json-api-error'
import type { RequestLimits } from '../../graph/options/limits'
import type { FilterNode, Literal, NonLiteralOperand, ParsedQuery } from '../tree/ast'
import { type CostPart, estimateCostParts, PAGE_SIZE_PARAMETER, sumCostParts } from '../tree/estimate-cost-parts'
import type { QueryParsingContext } from './parse-query-parameter-by-family'
import type { ParsedIncludePaths, ParsedParameter, ParsedSortParameter } from './parsed-parameter'

/** Throws the errors of all exceeded limits; without any, checks the cost of the query. */
export function assertQueryLimits(
  parts: readonly ParsedParameter[],
  query: ParsedQuery,
  { options, allowed, tested, page, totals }: QueryParsingContext,
): void {
  const { limits } = options
  const tooMany = findExceededLimits(parts, limits)
  if (tooMany.length > 0) throw new JsonApiError(tooMany)
  const primary = allowed === 'single' ? 'single' : { page, totals, tested, rule: undefined }
  assertCost(estimateCostParts(query, primary), limits.cost)
}

function findExceededLimits(
  parts: readonly ParsedParameter[],
  { filterSize, includes, sortKeys }: RequestLimits,
): readonly ErrorDetails[] {
  const filters = parts.flatMap((part) =>
    part.kind === 'filter' ? { parameter: part.parameter, count: sizeOfFilter(part.filter) } : [],
  )
  const included = parts.filter((part) => part.kind === 'include').map(toCount)
  const sorts = parts.filter((part) => part.kind === 'sort').map(toCount)
  return [
    limitErrorOf('query.filter', 'functions and values in filters', filters, filterSize),
    limitErrorOf('query.include', 'paths to include', included, includes),
    ...sorts.map((sort) => limitErrorOf('query.sort', 'sort keys', [sort], sortKeys)),
  ].filter((each) => each !== undefined)
}

interface ParameterCount {
  readonly parameter: string
  readonly count: number
}

function toCount({ parameter, written }: ParsedIncludePaths | ParsedSortParameter): ParameterCount {
  return { parameter, count: written }
}

/** Returns the error for an exceeded limit, at the parameter with the largest count. `undefined`: the limit is met. */
function limitErrorOf(
  code: ErrorCode,
  named: string,
  counts: readonly ParameterCount[],
  maximum: number | null,
): ErrorDetails | undefined {
  const found = counts.reduce((sum, { count }) => sum + count, 0)
  const [largest] = counts.toSorted((one, other) => other.count - one.count)
  if (maximum === null || largest === undefined || found <= maximum) return undefined
  const { parameter } = largest
  return {
    ...createErrorDetails(code, `Expected at most ${maximum} ${named}, found ${found}.`, { parameter }),
    meta: { limit: maximum, found },
  }
}

/**
 * Throws `query.cost` if a request costs more than the budget. The API's own filter of the primary data counts at most half of the budget, and at most
 * what the page leaves of it, because clients can't shorten the filter. So the error always names a parameter that a client can change.
 * `included`: what else the cost of a parameter contains.
 */
export function assertCost(estimated: readonly CostPart[], budget: number | null, included = ''): void {
  if (budget === null || sumCostParts(estimated) <= budget) return
  const page = estimated.find(({ parameter }) => parameter === PAGE_SIZE_PARAMETER)?.cost ?? 0
  const maximum = Math.max(0, Math.min(Math.floor(budget / 2), budget - page))
  const parts = estimated.map((part) => (part.parameter === undefined ? capCost(part, maximum) : part))
  const cost = sumCostParts(parts)
  const sorted = parts.toSorted((one, other) => other.cost - one.cost)
  const largest = sorted.find(hasParameter)
  if (cost <= budget || largest === undefined) return
  const detail =
    `Expected a request that costs at most ${budget}, found one that costs ${cost}. Of that ${largest.named} makes up ${largest.cost}${included}: ` +
    `leave it out, or ${DEPENDS_ON_PAGE_SIZE.test(largest.parameter) ? 'ask for smaller pages' : 'shorten it'}.`
  const shownParts = sorted.slice(0, MAX_SHOWN_PARTS).map(({ parameter, named, cost: ofPart }) => ({
    ...(parameter !== undefined && { parameter }),
    part: named,
    cost: ofPart,
  }))
  const error = createErrorDetails('query.cost', detail, { parameter: largest.parameter })
  throw new JsonApiError([{ ...error, meta: { limit: budget, cost, parts: shownParts } }])
}

function capCost(part: CostPart, cost: number): CostPart {
  return { ...part, cost: Math.min(part.cost, cost) }
}

function hasParameter(part: CostPart): part is CostPart & { readonly parameter: string } {
  return part.parameter !== undefined
}

/** Parameters whose cost depends on page sizes. */
const DEPENDS_ON_PAGE_SIZE = /^(?:include|page)/

const MAX_SHOWN_PARTS = 5

/** Counts the functions and values of a filter: `and(has(children),equals(name,'Ada'))` -> 4 */
function sizeOfFilter(node: FilterNode | NonLiteralOperand | Literal): number {
  switch (node.kind) {
    case 'attributePath':
      return 0
    case 'comparison':
      return 1 + sizeOfFilter(node.left) + sizeOfFilter(node.right)
    case 'isNull':
      return 1 + sizeOfFilter(node.left)
    case 'textMatch':
      return 2 + sizeOfFilter(node.left)
    case 'equalsAny':
      return 1 + sizeOfFilter(node.left) + node.values.length
    case 'logical':
      return node.terms.reduce((sum, term) => sum + sizeOfFilter(term), 1)
    case 'functionCall':
      return node.arguments.reduce((sum, each) => sum + sizeOfFilter(each), 1)
    case 'not':
      return 1 + sizeOfFilter(node.term)
    case 'truth':
      return sizeOfFilter(node.filter)
    case 'has':
    case 'isType':
      return 1 + (node.filter === undefined ? 0 : sizeOfFilter(node.filter))
    case 'constant':
    case 'count':
    case 'hasNone':
    case 'isExactly':
    case 'literal':
      return 1
  }
}
