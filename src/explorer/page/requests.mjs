/** @import { ExplorerApiResponse, ExplorerApiDocument } from './types' */

export const JSON_API_MEDIA_TYPE = 'application/vnd.api+json'

/**
 * @typedef {object} Sending
 * @property {string} method
 * @property {string} url
 * @property {unknown} [body] Sent as JSON.
 * @property {string | null} [etag] The ETag that the resource must have.
 */

/**
 * @param {Sending} sending
 * @returns {Promise<ExplorerApiResponse>}
 */
export async function send({ method, url, body, etag }) {
  const start = performance.now()
  const response = await fetch(url, {
    method,
    headers: { ...savedHeaders(), ...headersOf({ body, etag }) },
    body: body === undefined ? null : JSON.stringify(body),
    // The cache may contain the HTML page of the same URL.
    cache: 'no-store',
  })
  const text = await response.text()
  return {
    status: response.status,
    statusText: response.statusText,
    milliseconds: performance.now() - start,
    size: new Blob([text]).size,
    etag: response.headers.get('etag'),
    document: parseDocument(text),
    text,
  }
}

/**
 * @param {Pick<Sending, 'body' | 'etag'>} sending
 * @returns {Record<string, string>}
 */
function headersOf({ body, etag }) {
  return {
    accept: JSON_API_MEDIA_TYPE,
    ...(body !== undefined && { 'content-type': JSON_API_MEDIA_TYPE }),
    ...(etag != null && { 'if-match': etag }),
  }
}

/**
 * @param {string} text
 * @returns {ExplorerApiDocument | undefined}
 */
function parseDocument(text) {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * Prints the request as a curl command.
 *
 * @param {Sending} sending
 */
export function toCurl({ method, url, body, etag }) {
  const all = { ...savedHeaders(), ...headersOf({ body, etag }) }
  const address = new URL(url, location.href).href.replaceAll("'", '%27')
  const parts = [
    `curl -g${method === 'GET' ? '' : ` -X ${method}`} '${address}'`,
    ...Object.entries(all).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quote(JSON.stringify(body))}`]),
  ]
  return parts.join(' \\\n  ')
}

/** @param {string} text */
function quote(text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}

const STORED = 'stemma.headers'

/** The headers that the user entered, one per line. Stored until the tab is closed. */
export function savedHeaderText() {
  return sessionStorage.getItem(STORED) ?? ''
}

/** @param {string} text */
export function saveHeaderText(text) {
  sessionStorage.setItem(STORED, text)
}

/** @returns {Record<string, string>} */
function savedHeaders() {
  const lines = savedHeaderText()
    .split('\n')
    .map((line) => line.split(/:(.*)/s))
  return Object.fromEntries(
    lines.flatMap(([name = '', value = '']) =>
      isHeaderName(name.trim()) ? [[name.trim().toLowerCase(), value.trim()]] : [],
    ),
  )
}

/** @param {string} name */
function isHeaderName(name) {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name)
}
