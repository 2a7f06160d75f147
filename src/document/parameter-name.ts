/**
 * JSON:API keeps names of small letters alone for itself, those that it has and those that it may have one day. Applications take a
 * capital letter, `-` or `_` as well. https://jsonapi.org/format/1.1/#query-parameters-custom
 */
export function isReservedParameter(name: string): boolean {
  return /^[a-z]+(?:\[|$)/.test(name)
}
