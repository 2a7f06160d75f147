import { parseEntityTags } from './entity-tags'
import type { RequestHead } from './http-request'

/** The states in which a resource or linkage may be written; `any`: whatever it is in, but it must be there. */
export type Condition = { readonly kind: 'any' } | { readonly kind: 'states'; readonly tokens: ReadonlySet<string> }

/**
 * `If-Match` of a write. Of an ETag only the token of the state counts, which is what stands before the point; weak ones never match.
 * https://www.rfc-editor.org/rfc/rfc9110#section-13.1.1
 *
 * `If-Match: "v3.2AvZRDjeZlnZA"` -> the state `v3`
 */
export function readCondition(headers: RequestHead['headers']): Condition | undefined {
  const header = headers['if-match']
  if (header === undefined) return undefined
  if (header.trim() === '*') return { kind: 'any' }
  const strong = parseEntityTags(header).filter(({ isWeak }) => !isWeak)
  return { kind: 'states', tokens: new Set(strong.map(({ tag }) => tokenIn(tag))) }
}

function tokenIn(tag: string): string {
  const [token = ''] = tag.slice(1, -1).split('.')
  return token
}
