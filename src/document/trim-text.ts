// Surrogate pairs are never split: a lone surrogate is not legal Unicode, and many clients refuse documents that contain one.

/** Returns the first characters of a text, at most `length` UTF-16 units. */
export function takeFirstCharacters(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
}

/** Returns the last characters of a text, at most `length` UTF-16 units. */
export function takeLastCharacters(text: string, length: number): string {
  return text.slice(-length).replace(/^[\uDC00-\uDFFF]/, '')
}

/**
 * Removes repetitions of a character from the end of a text. A pattern such as `0+$` takes quadratic time for some texts.
 *
 * `trimTrailing('1.500', '0')` -> `1.5`
 */
export function trimTrailing(text: string, character: string): string {
  let length = text.length
  while (length > 0 && text[length - 1] === character) length--
  return text.slice(0, length)
}
