import type { OutgoingRequest } from '../core/api-types'
import { savedCredentialHeaders, withQueryCredentials } from '../core/credentials'
import { buildJsonApiRequestHeaders } from '../core/requests'
import { printJavaScriptString, printJavaScriptValue, RawCode } from './print-javascript-value'

/** Prints a request as a call of `fetch`. Credentials are masked. */
export function toFetchCode(request: OutgoingRequest): string {
  const { method, url, body } = request
  const address = withQueryCredentials(new URL(url, location.href).href, () => '…')
  const options = {
    method: method === 'GET' ? undefined : method,
    headers: { ...loadSavedCredentialHeadersMasked(), ...buildJsonApiRequestHeaders(request) },
    body: body === undefined ? undefined : new RawCode(`JSON.stringify(${printJavaScriptValue(body)})`),
  }
  const read = method === 'DELETE' ? [] : ['const document = await response.json()']
  return [
    `const response = await fetch(${printJavaScriptString(address)}, ${printJavaScriptValue(options)})`,
    ...read,
  ].join('\n')
}

/** Returns the saved headers with credentials, by name, with `…` in place of their values. */
export function loadSavedCredentialHeadersMasked(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(savedCredentialHeaders()).map((name) => [name, '…']))
}
