import type { Links } from '../document/document'
import type { NumberRange } from '../plan/read-plan'
import { printParameters, type QueryParameters, withoutParameter, withParameter } from './query-string'

/** What is known of the pages of a collection. */
export interface Pages {
  readonly range: NumberRange
  readonly total: number | undefined
  readonly hasMore: boolean
}

/**
 * Links to the other pages of a collection; `null` where there is none. Without a total the last page isn't known, and left out.
 * https://jsonapi.org/format/1.1/#fetching-pagination
 */
export function pageLinks(path: string, parameters: QueryParameters, { range, total, hasMore }: Pages): Links {
  const size = range.size.value
  const number = range.offset.value / size + 1
  const last = total === undefined ? undefined : Math.ceil(total / size)
  const to = (page: number) => `${path}${printParameters(withNumber(parameters, page))}`
  const next = last === undefined ? hasMore : number < last
  const previous = Math.min(number - 1, last ?? number)
  const first = to(1)
  const around = { prev: previous < 1 ? null : to(previous), next: next ? to(number + 1) : null }
  return last === undefined ? { first, ...around } : { first, last: last === 0 ? null : to(last), ...around }
}

/**
 * `page[number]=2,children:3`: the element without a path is the one of the primary data, and says nothing for the first page; the
 * others stay.
 */
function withNumber(parameters: QueryParameters, number: number): QueryParameters {
  const sent = parameters.pairs.find(({ name }) => name === NUMBER)?.value
  const scoped = sent?.split(',').filter((element) => element.includes(':')) ?? []
  const elements = number === 1 ? scoped : [String(number), ...scoped]
  return elements.length === 0
    ? withoutParameter(parameters, NUMBER)
    : withParameter(parameters, NUMBER, elements.join(','))
}

const NUMBER = 'page[number]'
