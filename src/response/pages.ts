import type { PaginationKind } from '../declarations/field-options'
import type { JsonObject } from '../document/json'
import type { Links } from '../document/response-document'
import { assertNever } from '../errors/invariant'
import type { OffsetRange } from '../plan/read-plan'
import type { Total } from '../store/read-result'
import {
  type LinkQueryParameters,
  omitFromLinkQueryParameters,
  printLinkQueryParameters,
  withLinkQueryParameter,
} from './link-query-parameters'

/** A page of a collection by its number. */
interface NumberedPage {
  readonly range: OffsetRange
  readonly total: number | undefined
  readonly hasMore: boolean
  /** The kind of pages at the same URL without a page number. */
  readonly fallback: PaginationKind
}

/**
 * Returns links to the other pages of a collection, `null` for a page that doesn't exist. Without a total, `last` is left out.
 * https://jsonapi.org/format/1.1/#fetching-pagination
 */
export function numberedPageLinks(
  path: string,
  parameters: LinkQueryParameters,
  { range, total, hasMore, fallback }: NumberedPage,
): Links {
  const size = range.size
  const number = range.offset.value / size + 1
  const last = total === undefined ? undefined : Math.ceil(total / size)
  const to = (page: number) => `${path}${printLinkQueryParameters(withNumber(parameters, page, fallback))}`
  const next = last === undefined ? hasMore : number < last
  const previous = Math.min(number - 1, last ?? number)
  const first = to(1)
  const neighbours = { prev: previous < 1 ? null : to(previous), next: next ? to(number + 1) : null }
  return last === undefined ? { first, ...neighbours } : { first, last: last === 0 ? null : to(last), ...neighbours }
}

/**
 * Replaces the number of the primary data's page, which is the element without a path in `page[number]=2,children:3`. The first page needs no
 * number unless pages are by cursors without one. Elements of included relationships stay.
 */
function withNumber(parameters: LinkQueryParameters, number: number, fallback: PaginationKind): LinkQueryParameters {
  const sent = parameters.pairs.find(({ name }) => name === NUMBER)?.value
  const scoped = sent?.split(',').filter((element) => element.includes(':')) ?? []
  const elements = number === 1 && fallback === 'numbers' ? scoped : [String(number), ...scoped]
  return elements.length === 0
    ? omitFromLinkQueryParameters(parameters, NUMBER)
    : withLinkQueryParameter(parameters, NUMBER, elements.join(','))
}

const NUMBER = 'page[number]'

/** Returns the members of `meta` with a total. Only an exact number is called `total`. */
export function totalMeta(total: Total | undefined): JsonObject {
  if (total === undefined) return {}
  const { kind, count } = total
  switch (kind) {
    case 'exact':
      return { total: count }
    case 'over':
      return { totalOver: count }
    case 'estimated':
      return { estimatedTotal: { bestGuess: count } }
    default:
      return assertNever(kind)
  }
}

/** Returns the total as the profile for cursors defines it, without `over`. https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#collection-sizes */
export function cursorProfileTotalMeta(total: Total | undefined): JsonObject {
  return total?.kind === 'over' ? {} : totalMeta(total)
}
