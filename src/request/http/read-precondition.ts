import type { JsonPointer } from '../../document/pointer'
import type { ResolvedApiOptions } from '../../graph/options/options'
import type { RequestHead } from './http-request'

/**
 * The precondition of a write: the versions in which a resource or linkage may be written. `any`: any version, but it must exist.
 */
export type WritePrecondition = (
  | { readonly kind: 'none' }
  | { readonly kind: 'any' }
  | { readonly kind: 'revisions'; readonly tokens: ReadonlySet<string> }
) & {
  /** The pointer of the condition in the document; `undefined` for a header. */
  readonly pointer?: JsonPointer
  /** The versions in which it may not be written; `any`: it must not exist. */
  readonly except?: 'any' | ReadonlySet<string>
}

/**
 * Reads `If-Match` and `If-None-Match` of a write. Only the version counts, the part of an ETag before the dot. Weak ETags
 * never match `If-Match`, but they count in `If-None-Match`, which is ignored without ETags. https://www.rfc-editor.org/rfc/rfc9110#section-13.1.1
 *
 * `If-Match: "v3.2AvZRDjeZlnZA"` -> the version `v3`
 */
export function readPrecondition(
  headers: RequestHead['headers'],
  { etags }: Pick<ResolvedApiOptions, 'etags'>,
): WritePrecondition {
  const except = etags === false ? undefined : readExcept(headers['if-none-match'])
  return { ...readMatch(headers['if-match']), ...(except !== undefined && { except }) }
}

function readExcept(header: string | undefined): WritePrecondition['except'] {
  if (header === undefined) return undefined
  return header.trim() === '*' ? 'any' : new Set(parseEntityTags(header).map(({ tag }) => tokenIn(tag)))
}

function readMatch(header: string | undefined): WritePrecondition {
  if (header === undefined) return { kind: 'none' }
  if (header.trim() === '*') return { kind: 'any' }
  return { kind: 'revisions', tokens: revisionsOfStrongEtags(parseEntityTags(header)) }
}

export function revisionsOfStrongEtags(tags: readonly EntityTag[]): ReadonlySet<string> {
  return new Set(tags.filter(({ isWeak }) => !isWeak).map(({ tag }) => tokenIn(tag)))
}

function tokenIn(tag: string): string {
  const [token = ''] = tag.slice(1, -1).split('.')
  return token
}

/** An ETag in a header. */
interface EntityTag {
  /** With its quotes. */
  readonly tag: string
  readonly isWeak: boolean
}

/** Parses a list of ETags. A malformed list has none. https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3 */
export function parseEntityTags(header: string): readonly EntityTag[] {
  const tags: EntityTag[] = []
  ELEMENT.lastIndex = 0
  while (ELEMENT.lastIndex < header.length) {
    const element = ELEMENT.exec(header)
    if (element === null) return []
    const [, weak, tag] = element
    if (tag !== undefined) tags.push({ tag, isWeak: weak !== undefined })
  }
  return tags
}

/** One element of a list, with the comma after it. */
const ELEMENT = /[ \t]*(?:(W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/y
