import type { ParsedQueryString } from './api-types'

type Parameter = readonly [name: string, value: string]

/** Parses the parameters of a query string that the form supports. */
export function parseQuery(search: string): ParsedQueryString {
  const parameters = [...new URLSearchParams(search)]
  const filters = valuesOf('filter', parameters)
  return {
    filter: filters.length > 1 ? `or(${filters.join(',')})` : (filters[0] ?? ''),
    sort: valuesOf('sort', parameters).flatMap(splitAtCommasOutsideParentheses),
    include: valuesOf('include', parameters).flatMap(splitAtCommasOutsideParentheses),
    fields: Object.fromEntries(
      membersOf('fields', parameters).map(([type, text]) => [type, splitAtCommasOutsideParentheses(text)]),
    ),
    page: Object.fromEntries(membersOf('page', parameters)),
    others: parameters.filter(([name]) => !KNOWN.test(name)),
  }
}

const KNOWN = /^(filter|sort|include|(fields|page)\[[^\]]*\])$/

function valuesOf(parameter: string, parameters: readonly Parameter[]): string[] {
  return parameters.filter(([name]) => name === parameter).map(([, value]) => value)
}

function membersOf(family: string, parameters: readonly Parameter[]): Parameter[] {
  return parameters
    .filter(([name]) => name.startsWith(`${family}[`) && name.endsWith(']'))
    .map(([name, value]) => [name.slice(family.length + 1, -1), value])
}

/** Splits at commas outside of brackets, because sort keys may be functions. */
export function splitAtCommasOutsideParentheses(text: string): string[] {
  let depth = 0
  const parts = ['']
  for (const character of text) {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (character === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += character
  }
  return parts.filter((part) => part !== '')
}

/** Prints the query string with its question mark, or `''`. */
export function toQueryString({ filter, sort, include, fields, page, others }: ParsedQueryString): string {
  const parameters: readonly Parameter[] = [
    ['filter', filter],
    ['sort', sort.join(',')],
    ['include', include.join(',')],
    ...Object.entries(page).map(([name, value]) => [`page[${name}]`, value] as const),
  ]
  // An empty fieldset is sent: `fields[men]=`.
  const fieldsets = Object.entries(fields).map(([type, names]) => [`fields[${type}]`, names.join(',')] as const)
  const all = [...parameters.filter(([, value]) => value !== ''), ...fieldsets, ...others]
  return all.length === 0 ? '' : `?${all.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')}`
}

/** Encodes only the characters that have a meaning in a query string. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/%(5B|5D|2C|3A|2F|40)/g, decodeURIComponent)
}
