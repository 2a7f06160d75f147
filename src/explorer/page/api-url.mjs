/** @import { ParsedApiUrl, UrlKind } from './types' */

/** The URL of the API with a trailing slash: two folders above this file. */
export const API_ROOT_URL = new URL('../..', import.meta.url)

/** @type {Readonly<Record<number, UrlKind>>} */
const SHAPES = { 0: 'root', 1: 'collection', 2: 'individual', 3: 'related', 4: 'relationship' }

/**
 * Parses a URL of the API. Returns `undefined` for other hosts and other URLs.
 *
 * @param {string} address
 * @returns {ParsedApiUrl | undefined}
 */
export function parseApiUrl(address) {
  if (!URL.canParse(address, location.href)) return undefined
  const { origin, pathname, search } = new URL(address, location.href)
  if (origin !== location.origin || !`${pathname}/`.startsWith(API_ROOT_URL.pathname)) return undefined
  const segments = pathname
    .slice(API_ROOT_URL.pathname.length)
    .split('/')
    .filter((segment) => segment !== '')
    .map(decode)
  const [type = '', id = '', third = '', fourth = ''] = segments
  const isRelationship = segments.length === 4 && third === 'relationships'
  const shape = segments.length === 4 && !isRelationship ? 'unknown' : (SHAPES[segments.length] ?? 'unknown')
  return { shape, type, id, relationship: isRelationship ? fourth : third, url: pathname + search, search }
}

/** @param {string} segment */
function decode(segment) {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/**
 * `toApiPath('men', '1', 'wife')` -> `/api/men/1/wife`
 *
 * @param {...string} segments
 */
export function toApiPath(...segments) {
  return API_ROOT_URL.pathname + segments.map(encodeURIComponent).join('/')
}
