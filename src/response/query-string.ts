import { Kept } from '../kept/kept'

/** The parameters of a query string that was read already, in their order, to be written into links. */
export interface Parameters {
  readonly pairs: readonly Pair[]
}

export interface Pair {
  readonly name: string
  readonly value: string
  /** As it stands in a link: brackets, colons and quotes are encoded; commas and parentheses stay readable. */
  readonly text: string
}

export function toParameters(queryString: string): Parameters {
  if (queryString === '') return NONE
  const known = RECENT.get(queryString)
  if (known !== undefined) return known
  const parameters = { pairs: [...new URLSearchParams(queryString)].map(([name, value]) => toPair(name, value)) }
  if (queryString.length <= LONGEST) RECENT.set(queryString, parameters)
  return parameters
}

const NONE: Parameters = { pairs: [] }

/** Clients ask for the same pages again and again, and each document asks twice: 4 µs for a page by its number. */
const RECENT = new Kept<Parameters>({ most: 200 })
const LONGEST = 300

export function toPair(name: string, value: string): Pair {
  return { name, value, text: `${encode(name)}=${encode(value)}` }
}

/** The same parameters with one of another value: in its place if it was there, else at the end. */
export function withParameter({ pairs }: Parameters, name: string, value: string): Parameters {
  const pair = toPair(name, value)
  if (!pairs.some((each) => each.name === name)) return { pairs: [...pairs, pair] }
  return { pairs: pairs.map((each) => (each.name === name ? pair : each)) }
}

/** The same parameters without one. */
export function withoutParameter({ pairs }: Parameters, name: string): Parameters {
  return { pairs: pairs.filter((each) => each.name !== name) }
}

/** Behind a path: `?page%5Bsize%5D=2`, or nothing. */
export function printParameters({ pairs }: Parameters): string {
  return pairs.length === 0 ? '' : `?${pairs.map(({ text }) => text).join('&')}`
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27').replaceAll('%2C', ',')
}
