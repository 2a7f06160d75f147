import type { ErrorCode } from '../../errors/catalogue'
import { clientError, type ErrorDetails, JsonApiError } from '../../errors/json-api-error'
import type { Limits } from '../../graph/options/limits'
import type { Query } from '../tree/ast'
import { type CostPart, estimateCost, sumOf } from '../tree/estimate-cost'
import { sizeOfFilter } from '../tree/filter-size'
import type { QueryContext } from './parse-part'
import type { ParameterPart } from './part'

/** Throws the errors of all exceeded limits; without any, checks the cost of the query. */
export function checkLimits(
  parts: readonly ParameterPart[],
  query: Query,
  { options, allowed, page, totals }: QueryContext,
): void {
  const { limits } = options
  const tooMany = findTooMany(parts, limits)
  if (tooMany.length > 0) throw new JsonApiError(tooMany)
  checkCost(estimateCost(query, allowed === 'single' ? 'single' : { page, totals }), limits.cost)
}

function findTooMany(
  parts: readonly ParameterPart[],
  { filterSize, includes, sortKeys }: Limits,
): readonly ErrorDetails[] {
  const filters = parts.filter((part) => part.kind === 'filter')
  const included = parts.filter((part) => part.kind === 'include')
  const sorts = parts.filter((part) => part.kind === 'sort')
  return [
    tooManyOf({
      code: 'query.filter',
      named: 'functions and values in filters',
      counts: filters.map(({ parameter, filter }) => ({ parameter, count: sizeOfFilter(filter) })),
      maximum: filterSize,
    }),
    tooManyOf({
      code: 'query.include',
      named: 'paths to include',
      counts: included.map(({ parameter, written: count }) => ({ parameter, count })),
      maximum: includes,
    }),
    ...sorts.map(({ parameter, written }) =>
      tooManyOf({
        code: 'query.sort',
        named: 'sort keys',
        counts: [{ parameter, count: written }],
        maximum: sortKeys,
      }),
    ),
  ].filter((each) => each !== undefined)
}

interface CountedLimit {
  readonly code: ErrorCode
  readonly named: string
  readonly counts: readonly { readonly parameter: string; readonly count: number }[]
  readonly maximum: number | null
}

/** The error points to the parameter with the largest count. */
function tooManyOf({ code, named, counts, maximum }: CountedLimit): ErrorDetails | undefined {
  const found = counts.reduce((sum, { count }) => sum + count, 0)
  const [largest] = counts.toSorted((one, other) => other.count - one.count)
  if (maximum === null || largest === undefined || found <= maximum) return undefined
  const { parameter } = largest
  return {
    ...clientError(code, `Expected at most ${maximum} ${named}, found ${found}.`, { parameter }),
    meta: { limit: maximum, found },
  }
}

/** Throws if a request costs more than the limit. */
export function checkCost(parts: readonly CostPart[], budget: number | null): void {
  const cost = sumOf(parts)
  if (budget === null || cost <= budget) return
  const [largest, ...others] = parts.toSorted((one, other) => other.cost - one.cost)
  if (largest === undefined) return
  const detail =
    `Expected a request that costs at most ${budget}, found one that costs ${cost}. Of that ${largest.named} makes up ${largest.cost}: ` +
    `leave it out, or ${SIZED.test(largest.parameter) ? 'ask for smaller pages' : 'shorten it'}.`
  const most = [largest, ...others]
    .slice(0, SHOWN)
    .map(({ parameter, named, cost: ofPart }) => ({ parameter, part: named, cost: ofPart }))
  throw new JsonApiError([
    {
      ...clientError('query.cost', detail, { parameter: largest.parameter }),
      meta: { limit: budget, cost, parts: most },
    },
  ])
}

/** Parameters whose cost depends on page sizes. */
const SIZED = /^(?:include|page)/

const SHOWN = 5
