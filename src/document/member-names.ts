/**
 * Returns true for a public name that needs no encoding in documents and URLs: letters, digits and everything from U+0080 on, and
 * `-` and `_` in between. Stricter than JSON:API, which allows spaces but recommends against them.
 *
 * See https://jsonapi.org/format/1.1/#document-member-names
 */
export function isUrlSafeMemberName(name: string): boolean {
  return MEMBER_NAME.test(name)
}

/**
 * Returns true for query parameters that JSON:API reserves for itself: names of small letters only. Custom parameters need a capital
 * letter, `-` or `_`. https://jsonapi.org/format/1.1/#query-parameters-custom
 */
export function isReservedParameter(name: string): boolean {
  return /^[a-z]+(?:\[|$)/.test(name)
}

/** JSON:API uses these names itself within a resource object. */
export const RESERVED_FIELD_NAMES: readonly string[] = ['id', 'type']

// Excludes surrogates, because a URL can't contain them.
const LETTER = 'a-zA-Z0-9\\u{80}-\\u{D7FF}\\u{E000}-\\u{10FFFF}'
const MEMBER_NAME = new RegExp(`^[${LETTER}](?:[${LETTER}_-]*[${LETTER}])?$`, 'u')
