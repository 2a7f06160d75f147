import { JSON_API_MEDIA_TYPE, type MediaRange, parseAccept } from '../document/media-type'
import type { ApiCore } from '../endpoints/api-core'
import { JsonApiError } from '../errors/json-api-error'
import type { RequestHead } from '../request/http/http-request'
import { isMethodEnabled, isOpenApiPath, matchRequestPath } from '../request/intent/routes'
import {
  type HttpResponse,
  isReadRequest,
  type ResponseContext,
  toResponseContext,
} from '../request-handler/http-response'
import { type NonJsonApiRoute, toStaticFileResponse } from '../request-handler/non-json-api-route'
import { ASSETS_PATH, findAsset } from './assets'
import { EXPLORER_PAGE_HEADERS, explorerPageText } from './explorer-page-text'

/**
 * Serves the explorer to browsers, at every URL of the API except the OpenAPI document, and its files. It is public: it contains only files of this package, and requests
 * all data from the API. Returns `undefined` if the explorer is switched off.
 */
export function buildExplorerServerRoute(core: ApiCore): NonJsonApiRoute | undefined {
  if (core.options.explorer === false) return undefined
  return { access: 'public', respond: (head) => (isReadRequest(head) ? respond(head, core) : undefined) }
}

function respond(head: RequestHead, core: ApiCore): HttpResponse | undefined {
  if (head.path.startsWith(ASSETS_PATH)) return respondWithAsset(head)
  // The page links the document, and a browser shows JSON.
  if (isOpenApiPath(head.path) || !prefersHtml(head.headers.accept)) return undefined
  const text = explorerPageText(pathOf(toResponseContext(head, core)))
  const response = toStaticFileResponse({ text, type: 'text/html; charset=utf-8' }, head)
  return {
    ...response,
    status: response.status === 200 ? statusAt(head, core) : response.status,
    headers: { ...response.headers, ...EXPLORER_PAGE_HEADERS },
  }
}

function respondWithAsset(head: RequestHead): HttpResponse | undefined {
  const asset = findAsset(head.path)
  if (asset === undefined) return undefined
  const response = toStaticFileResponse(asset, head)
  return { ...response, headers: { ...response.headers, ...ASSET_HEADERS } }
}

/** The URL contains the version of the files. */
const ASSET_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
} as const

/**
 * Returns 404 for URLs that can't be fetched, although the page is shown and explains the error. At the operations endpoint the page has
 * a form for operations.
 */
function statusAt({ path }: RequestHead, { graph, options }: ApiCore): number {
  if (path === '/' || path === '') return 200
  try {
    const urlMatch = matchRequestPath(path, graph, options)
    return urlMatch.type === undefined || isMethodEnabled(urlMatch, 'GET') ? 200 : 404
  } catch (error) {
    if (error instanceof JsonApiError) return 404
    throw error
  }
}

/** Returns the base of links without the host: the page sends requests to its own host. */
function pathOf({ requestUrl: { base } }: ResponseContext): string {
  return base.replace(/^https?:\/\/[^/]*/, '')
}

/**
 * Returns true if a client prefers HTML to a JSON:API document. Browsers name HTML and accept everything else by a wildcard. If both have
 * the same quality, the document is sent.
 *
 * `text/html;q=0.9,application/*;q=0.8` -> `true`; `text/html,application/vnd.api+json` -> `false`
 */
function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined || !/text\/html/i.test(accept)) return false
  const ranges = parseAccept(accept)
  return weightOf('text/html', ranges) > weightOf(JSON_API_MEDIA_TYPE, ranges)
}

/** Returns the quality of the most specific matching range. https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1 */
function weightOf(type: string, ranges: readonly MediaRange[]): number {
  const [family] = type.split('/')
  for (const name of [type, `${family}/*`, '*/*']) {
    const matching = ranges.filter((range) => range.name === name)
    if (matching.length > 0) return Math.max(...matching.map(({ weight }) => weight))
  }
  return 0
}
