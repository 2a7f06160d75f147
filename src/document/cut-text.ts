// Characters that take two places of a string are cut off as a whole: a half alone is no Unicode, and many clients refuse a document that has one.

/** What a text starts with, of at most so many places. */
export function startOf(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
}

/** What it ends with. */
export function tailOf(text: string, length: number): string {
  return text.slice(-length).replace(/^[\uDC00-\uDFFF]/, '')
}
