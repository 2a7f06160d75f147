import type { Api } from '../endpoints/api'
import { JsonApiError } from '../errors/json-api-error'
import type { RequestHead } from '../request/http/http-request'
import { isFetchable, matchUrl } from '../request/intent/routes'
import { toFileResponse } from '../request-handler/file-response'
import {
  type HttpResponse,
  isRead,
  NOTHING_APPLIED,
  type ResponseContext,
  toResponseContext,
} from '../request-handler/http-response'
import { ASSETS_PATH, findAsset } from './assets'
import { PAGE_HEADERS, pageText } from './page-text'
import { prefersHtml } from './prefers-html'

/**
 * The answer to a browser that wants to show what is at a URL, and to the page's requests for its own files. `undefined`: it is for the API.
 * Nobody is asked who it is: the page tells nothing but what is in this package, and what it shows it asks for itself.
 */
export function respondWithExplorer(head: RequestHead, api: Api): HttpResponse | undefined {
  if (api.options.explorer === false || !isRead(head)) return undefined
  if (head.path.startsWith(ASSETS_PATH)) return respondWithAsset(head)
  if (!prefersHtml(head.headers.accept)) return undefined
  const text = pageText(pathOf(toResponseContext(head, NOTHING_APPLIED, api.options)))
  const reply = toFileResponse({ text, type: 'text/html; charset=utf-8' }, head)
  return {
    ...reply,
    status: reply.status === 200 ? statusAt(head, api) : reply.status,
    headers: { ...reply.headers, ...PAGE_HEADERS },
  }
}

function respondWithAsset(head: RequestHead): HttpResponse | undefined {
  const asset = findAsset(head.path)
  if (asset === undefined) return undefined
  const reply = toFileResponse(asset, head)
  return { ...reply, headers: { ...reply.headers, ...ASSET_HEADERS } }
}

/** Another version of a file has another URL. */
const ASSET_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
} as const

/** What is there can be looked at; what isn't is 404 for whoever looks at the status alone, and the page tells why. */
function statusAt({ path }: RequestHead, { graph, options }: Api): number {
  if (path === '/' || path === '') return 200
  try {
    return isFetchable(matchUrl(path, graph, options)) ? 200 : 404
  } catch (error) {
    if (error instanceof JsonApiError) return 404
    throw error
  }
}

/** Where links lead, without the host: the page asks the one that it comes from. */
function pathOf({ requestUrl: { base } }: ResponseContext): string {
  return base.replace(/^https?:\/\/[^/]*/, '')
}
