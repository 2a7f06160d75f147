// Characters that take two places of a string are cut off as a whole: a half alone is no Unicode, and many clients refuse a document that has one.

/** What a text starts with, of at most so many places. */
export function startOf(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
}

/** What it ends with. */
export function tailOf(text: string, length: number): string {
  return text.slice(-length).replace(/^[\uDC00-\uDFFF]/, '')
}

/**
 * A text without what one character repeats at its end. A pattern such as `0+$` starts anew at each zero of a text that ends otherwise.
 *
 * `withoutEnd('1.500', '0')` -> `1.5`
 */
export function withoutEnd(text: string, character: string): string {
  let length = text.length
  while (length > 0 && text[length - 1] === character) length--
  return text.slice(0, length)
}
