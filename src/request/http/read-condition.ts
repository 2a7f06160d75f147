import type { Pointer } from '../../document/pointer'
import { type EntityTag, parseEntityTags } from './entity-tags'
import type { RequestHead } from './http-request'

/**
 * The states in which a resource or linkage may be written, and those in which it may not. `any`: whatever it is in, but it must be there.
 */
export type Condition = (
  | { readonly kind: 'unsaid' }
  | { readonly kind: 'any' }
  | { readonly kind: 'states'; readonly tokens: ReadonlySet<string> }
) & {
  /** Where the document says it, or could; `undefined`: the header does. */
  readonly pointer?: Pointer
  /** The states in which it may not be written; `any`: it may not be there. */
  readonly except?: 'any' | ReadonlySet<string>
}

/**
 * `If-Match` and `If-None-Match` of a write. Of an ETag only the token of the state counts, which is what stands before the point. Weak ones
 * never match `If-Match`, but count in `If-None-Match`. https://www.rfc-editor.org/rfc/rfc9110#section-13.1.1
 *
 * `If-Match: "v3.2AvZRDjeZlnZA"` -> the state `v3`
 */
export function readCondition(headers: RequestHead['headers']): Condition {
  const except = readExcept(headers['if-none-match'])
  return { ...readMatch(headers['if-match']), ...(except !== undefined && { except }) }
}

function readExcept(header: string | undefined): Condition['except'] {
  if (header === undefined) return undefined
  return header.trim() === '*' ? 'any' : new Set(parseEntityTags(header).map(({ tag }) => tokenIn(tag)))
}

function readMatch(header: string | undefined): Condition {
  if (header === undefined) return { kind: 'unsaid' }
  if (header.trim() === '*') return { kind: 'any' }
  return { kind: 'states', tokens: tokensOf(parseEntityTags(header)) }
}

export function tokensOf(tags: readonly EntityTag[]): ReadonlySet<string> {
  return new Set(tags.filter(({ isWeak }) => !isWeak).map(({ tag }) => tokenIn(tag)))
}

function tokenIn(tag: string): string {
  const [token = ''] = tag.slice(1, -1).split('.')
  return token
}
