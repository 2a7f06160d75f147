import { API_ROOT_URL } from './api-url'

/** A credential that the user entered. Its value is sent, and never shown. */
export interface Credential {
  /** The security scheme, or the header, to which it belongs. */
  readonly scheme: string
  readonly in: 'header' | 'query'
  /** The name of the header or of the query parameter. */
  readonly name: string
  /** As it is sent: `Bearer …` */
  readonly value: string
}

/** Other APIs of the same host have their own credentials. */
const STORED = `stemma.credentials ${API_ROOT_URL.pathname}`

/** The credentials of this tab for this API. The browser forgets them when the tab is closed. */
export function savedCredentials(): readonly Credential[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(STORED) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isCredential) : []
  } catch {
    return []
  }
}

function isCredential(value: unknown): value is Credential {
  return typeof value === 'object' && value !== null && 'scheme' in value && 'name' in value && 'value' in value
}

/** Replaces the credential of the same scheme, and one that is sent in the same place. */
export function saveCredential(credential: Credential): void {
  const others = savedCredentials().filter(
    ({ scheme, in: place, name }) =>
      scheme !== credential.scheme && (place !== credential.in || name.toLowerCase() !== credential.name.toLowerCase()),
  )
  sessionStorage.setItem(STORED, JSON.stringify([...others, credential]))
}

export function forgetCredential(scheme: string): void {
  sessionStorage.setItem(STORED, JSON.stringify(savedCredentials().filter((each) => each.scheme !== scheme)))
}

/** Returns the headers to add to each request, in lower case. */
export function savedCredentialHeaders(): Record<string, string> {
  const headers = savedCredentials().filter((each) => each.in === 'header')
  return Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value]))
}

/** Adds the credentials that belong into the query string. `print`: how to write a value. Default: the value itself. */
export function withQueryCredentials(url: string, print: (value: string) => string = encodeURIComponent): string {
  return savedCredentials()
    .filter((each) => each.in === 'query')
    .reduce((sent, { name, value }) => addParameter(sent, encodeURIComponent(name), print(value)), url)
}

function addParameter(url: string, name: string, value: string): string {
  const [address = '', ...fragment] = url.split('#')
  const bare = withoutParameter(address, name)
  const added = `${bare}${bare.includes('?') ? '&' : '?'}${name}=${value}`
  return [added, ...fragment].join('#')
}

function withoutParameter(url: string, name: string): string {
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  const kept = query.split('&').filter((part) => part !== '' && part.split('=')[0] !== name)
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`
}

/** Masks credentials of the query string in a response: its links may repeat the URL. */
export function maskQueryCredentialsInText(text: string): string {
  return savedCredentials()
    .filter((each) => each.in === 'query')
    .flatMap(({ value }) => [value, encodeURIComponent(value)])
    .reduce((masked, value) => masked.replaceAll(`=${value}`, '=…'), text)
}

/** Removes credentials from a URL that is to be stored: those that were entered here, and parameters whose name suggests a secret. */
export function removeSecretQueryParameters(url: string): string {
  const names = new Set(savedCredentials().flatMap((each) => (each.in === 'query' ? [each.name] : [])))
  const [, query = ''] = url.split(/\?(.*)/s)
  const secret = query.split('&').flatMap((part) => {
    const name = part.split('=')[0] ?? ''
    const [decoded = name] = new URLSearchParams(name).keys()
    return names.has(decoded) || SECRET.test(decoded) ? [name] : []
  })
  return secret.reduce(withoutParameter, url)
}

const SECRET = /token|secret|password|passwd|pwd|jwt|credential|api[_-]?key|signature|authorization|session/i
