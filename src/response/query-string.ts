/** The parameters of a query string that was read already, in their order, to be written into links. */
export interface Parameters {
  readonly pairs: readonly (readonly [name: string, value: string])[]
}

export function toParameters(queryString: string): Parameters {
  return { pairs: [...new URLSearchParams(queryString)] }
}

/** The same parameters with one of another value: in its place if it was there, else at the end. */
export function withParameter({ pairs }: Parameters, name: string, value: string): Parameters {
  if (!pairs.some(([each]) => each === name)) return { pairs: [...pairs, [name, value]] }
  return { pairs: pairs.map((pair) => (pair[0] === name ? [name, value] : pair)) }
}

/** The same parameters without one. */
export function withoutParameter({ pairs }: Parameters, name: string): Parameters {
  return { pairs: pairs.filter(([each]) => each !== name) }
}

/** Behind a path: `?page%5Bsize%5D=2`, or nothing. Brackets, colons and quotes are encoded; commas and parentheses stay readable. */
export function printParameters({ pairs }: Parameters): string {
  if (pairs.length === 0) return ''
  return `?${pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')}`
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27').replaceAll('%2C', ',')
}
