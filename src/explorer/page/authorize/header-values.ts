import type { Credential } from '../core/credentials'
import { JSON_API_REQUEST_HEADER_NAMES } from '../core/requests'

/** Returns what prevents the browser from sending a credential, or `''`. */
export function describeCredentialMistake({
  in: place,
  name,
  value,
}: Pick<Credential, 'in' | 'name' | 'value'>): string {
  if (place === 'query') return ''
  if (JSON_API_REQUEST_HEADER_NAMES.has(name.toLowerCase())) return `The page itself sets the header ${name}.`
  try {
    const { headers } = new Request(location.href, { headers: { [name]: value } })
    return headers.has(name) ? '' : `Browsers do not let a page set the header ${name}.`
  } catch {
    return /^[\w!#$%&'*+.^`|~-]+$/.test(name)
      ? 'The value has characters that a header cannot contain, such as line breaks.'
      : 'The name has characters that the name of a header cannot contain.'
  }
}

/** Encodes a user name and a password. https://www.rfc-editor.org/rfc/rfc7617 */
export function toBasicAuthorization(user: string, password: string): string {
  const bytes = new TextEncoder().encode(`${user}:${password}`)
  return `Basic ${btoa(String.fromCharCode(...bytes))}`
}
