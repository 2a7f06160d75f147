import type { Caches } from '../cache/caches'
import type { CacheDefinition } from '../cache/segmented-lru-cache'

/** The parameters of a query string in order, for links. */
export interface LinkParameters {
  readonly pairs: readonly LinkParameter[]
}

interface LinkParameter {
  readonly name: string
  readonly value: string
  /** Encoded for a link: commas and parentheses stay readable. */
  readonly text: string
}

/** Parses a query string for links. Cached, because clients repeat query strings, and parsing takes 4 µs for a page number. */
export function parseLinkParameters(queryString: string, caches: Caches): LinkParameters {
  if (queryString === '') return NO_LINK_PARAMETERS
  return caches.of(LINK_PARAMETERS).getOrCompute(queryString, () => ({
    pairs: [...new URLSearchParams(queryString)].map(([name, value]) => toLinkParameter(name, value)),
  }))
}

export const NO_LINK_PARAMETERS: LinkParameters = { pairs: [] }

const LINK_PARAMETERS: CacheDefinition<LinkParameters> = {
  name: 'link parameters',
  maxEntries: 200,
  maxKeyLength: 300,
}

export function toLinkParameter(name: string, value: string): LinkParameter {
  return { name, value, text: `${encode(name)}=${encode(value)}` }
}

/** Replaces the value of a parameter, or appends the parameter. */
export function withParameter({ pairs }: LinkParameters, name: string, value: string): LinkParameters {
  const pair = toLinkParameter(name, value)
  if (!pairs.some((each) => each.name === name)) return { pairs: [...pairs, pair] }
  return { pairs: pairs.map((each) => (each.name === name ? pair : each)) }
}

/** Removes a parameter. */
export function withoutParameter({ pairs }: LinkParameters, name: string): LinkParameters {
  return { pairs: pairs.filter((each) => each.name !== name) }
}

/** Returns `?page%5Bsize%5D=2`, or an empty string without parameters. */
export function printLinkParameters({ pairs }: LinkParameters): string {
  return pairs.length === 0 ? '' : `?${pairs.map(({ text }) => text).join('&')}`
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27').replaceAll('%2C', ',')
}
