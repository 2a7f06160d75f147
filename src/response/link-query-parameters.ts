import type { Caches } from '../cache/caches'
import type { LruCacheDefinition } from '../cache/segmented-lru-cache'

/** The parameters of a query string in order, for links. */
export interface LinkQueryParameters {
  readonly pairs: readonly LinkQueryParameter[]
}

interface LinkQueryParameter {
  readonly name: string
  readonly value: string
  /** Encoded for a link: commas and parentheses stay readable. */
  readonly text: string
}

/** Parses a query string for links. Cached, because clients repeat query strings, and parsing takes 4 µs for a page number. */
export function parseQueryStringForLinks(queryString: string, caches: Caches): LinkQueryParameters {
  if (queryString === '') return NO_LINK_QUERY_PARAMETERS
  return caches.of(LINK_QUERY_PARAMETERS).getOrCompute(queryString, () => ({
    pairs: [...new URLSearchParams(queryString)].map(([name, value]) => toLinkQueryParameter(name, value)),
  }))
}

export const NO_LINK_QUERY_PARAMETERS: LinkQueryParameters = { pairs: [] }

const LINK_QUERY_PARAMETERS: LruCacheDefinition<LinkQueryParameters> = {
  name: 'link parameters',
  maxEntries: 200,
  maxKeyLength: 300,
}

export function toLinkQueryParameter(name: string, value: string): LinkQueryParameter {
  return { name, value, text: `${encode(name)}=${encode(value)}` }
}

/** Replaces the value of a parameter, or appends the parameter. */
export function withLinkQueryParameter(
  { pairs }: LinkQueryParameters,
  name: string,
  value: string,
): LinkQueryParameters {
  const pair = toLinkQueryParameter(name, value)
  if (!pairs.some((each) => each.name === name)) return { pairs: [...pairs, pair] }
  return { pairs: pairs.map((each) => (each.name === name ? pair : each)) }
}

/** Removes a parameter. */
export function omitFromLinkQueryParameters({ pairs }: LinkQueryParameters, name: string): LinkQueryParameters {
  return { pairs: pairs.filter((each) => each.name !== name) }
}

/** Returns `?page%5Bsize%5D=2`, or an empty string without parameters. */
export function printLinkQueryParameters({ pairs }: LinkQueryParameters): string {
  return pairs.length === 0 ? '' : `?${pairs.map(({ text }) => text).join('&')}`
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27').replaceAll('%2C', ',')
}
