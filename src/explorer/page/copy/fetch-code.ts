import type { ApiRequest } from '../core/api-types'
import { savedRequestHeaders, withQueryCredentials } from '../core/credentials'
import { headersWithoutCredentials } from '../core/requests'
import { printCode, quote, RawCode } from './print-code'

/** Prints a request as a call of `fetch`. Credentials are masked. */
export function toFetchCode(request: ApiRequest): string {
  const { method, url, body } = request
  const address = withQueryCredentials(new URL(url, location.href).href, () => '…')
  const options = {
    method: method === 'GET' ? undefined : method,
    headers: { ...maskedCredentialHeaders(), ...headersWithoutCredentials(request) },
    body: body === undefined ? undefined : new RawCode(`JSON.stringify(${printCode(body)})`),
  }
  const read = method === 'DELETE' ? [] : ['const document = await response.json()']
  return [`const response = await fetch(${quote(address)}, ${printCode(options)})`, ...read].join('\n')
}

/** Returns the headers with credentials, by name. */
export function maskedCredentialHeaders(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(savedRequestHeaders()).map((name) => [name, '…']))
}
