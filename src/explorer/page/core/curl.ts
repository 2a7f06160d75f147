import type { OutgoingRequest } from './api-types'
import { savedCredentialHeaders, withQueryCredentials } from './credentials'
import { buildJsonApiRequestHeaders } from './requests'

/** Prints the request as a curl command. Credentials are masked. */
export function toCurl(request: OutgoingRequest): string {
  const { method, url, body } = request
  const masked = Object.keys(savedCredentialHeaders()).map((name) => `${name}: …`)
  const own = Object.entries(buildJsonApiRequestHeaders(request)).map(([name, value]) => `${name}: ${value}`)
  const address = withQueryCredentials(new URL(url, location.href).href, () => '…').replaceAll("'", '%27')
  const parts = [
    `curl -g${method === 'GET' ? '' : ` -X ${method}`} '${address}'`,
    ...[...masked, ...own].map((header) => `-H ${quote(header)}`),
    ...(body === undefined ? [] : [`-d ${quote(JSON.stringify(body))}`]),
  ]
  return parts.join(' \\\n  ')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
