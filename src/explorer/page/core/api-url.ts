import type { LinkValue, ParsedApiUrl, UrlKind } from './api-types'

/** The URL of the API with a trailing slash: two folders above this file, as it is served. */
export const API_ROOT_URL = new URL('../..', import.meta.url)

const SHAPES: Readonly<Record<number, UrlKind>> = {
  0: 'root',
  1: 'collection',
  2: 'individual',
  3: 'related',
  4: 'relationship',
}

/** Parses a URL of the API. Returns `undefined` for other hosts and other URLs. */
export function parseApiUrl(address: string): ParsedApiUrl | undefined {
  if (!URL.canParse(address, location.href)) return undefined
  const { origin, pathname, search, hash } = new URL(address, location.href)
  if (origin !== location.origin || !`${pathname}/`.startsWith(API_ROOT_URL.pathname)) return undefined
  const segments = pathname
    .slice(API_ROOT_URL.pathname.length)
    .split('/')
    .filter((segment) => segment !== '')
    .map(decode)
  const [type = '', id = '', third = '', fourth = ''] = segments
  const isRelationship = segments.length === 4 && third === 'relationships'
  const shape = segments.length === 4 && !isRelationship ? 'unknown' : (SHAPES[segments.length] ?? 'unknown')
  return {
    shape,
    type,
    id,
    relationship: isRelationship ? fourth : third,
    path: pathname,
    url: pathname + search,
    search,
    hash,
  }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** `joinApiPath('men', '1', 'wife')` -> `/api/men/1/wife` */
export function joinApiPath(...segments: readonly string[]): string {
  return API_ROOT_URL.pathname + segments.map(encodeURIComponent).join('/')
}

/** Returns the URL of a link if it is safe to follow: rows may contain `javascript:`. */
export function safeHref(link: LinkValue | undefined): string | undefined {
  const href = typeof link === 'string' ? link : link?.href
  if (typeof href !== 'string' || !URL.canParse(href, location.href)) return undefined
  return /^https?:$/.test(new URL(href, location.href).protocol) ? href : undefined
}
