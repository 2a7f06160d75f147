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
