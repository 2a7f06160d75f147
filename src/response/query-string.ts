import type { Caches } from '../cache/caches'
import type { CacheDefinition } from '../cache/segmented-lru-cache'

/** The parameters of a query string in order, for links. */
export interface QueryParameters {
  readonly pairs: readonly QueryParameter[]
}

export interface QueryParameter {
  readonly name: string
  readonly value: string
  /** Encoded for a link: commas and parentheses stay readable. */
  readonly text: string
}

/** Clients repeat query strings. Parsing takes 4 µs for a page by its number. */
export function parseQueryParameters(queryString: string, caches: Caches): QueryParameters {
  if (queryString === '') return NO_PARAMETERS
  return caches.of(LINK_PARAMETERS).getOrCompute(queryString, () => ({
    pairs: [...new URLSearchParams(queryString)].map(([name, value]) => toQueryParameter(name, value)),
  }))
}

export const NO_PARAMETERS: QueryParameters = { pairs: [] }

const LINK_PARAMETERS: CacheDefinition<QueryParameters> = {
  name: 'link parameters',
  maxEntries: 200,
  maxKeyLength: 300,
}

export function toQueryParameter(name: string, value: string): QueryParameter {
  return { name, value, text: `${encode(name)}=${encode(value)}` }
}

/** Replaces the value of a parameter, or appends the parameter. */
export function withParameter({ pairs }: QueryParameters, name: string, value: string): QueryParameters {
  const pair = toQueryParameter(name, value)
  if (!pairs.some((each) => each.name === name)) return { pairs: [...pairs, pair] }
  return { pairs: pairs.map((each) => (each.name === name ? pair : each)) }
}

/** Removes a parameter. */
export function withoutParameter({ pairs }: QueryParameters, name: string): QueryParameters {
  return { pairs: pairs.filter((each) => each.name !== name) }
}

/** Returns `?page%5Bsize%5D=2`, or an empty string without parameters. */
export function printParameters({ pairs }: QueryParameters): string {
  return pairs.length === 0 ? '' : `?${pairs.map(({ text }) => text).join('&')}`
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27').replaceAll('%2C', ',')
}
