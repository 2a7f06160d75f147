import type { Api } from '../endpoints/api'
import { JsonApiError } from '../errors/json-api-error'
import { type Exchange, type HttpReply, isRead, NOTHING_APPLIED, toExchange } from '../exchange/exchange'
import { toFileReply } from '../exchange/file-reply'
import type { RequestHead } from '../request/http-request'
import { findPlace, isFetchable } from '../request/routes'
import { ASSETS_PATH, findAsset } from './assets'
import { PAGE_HEADERS, pageText } from './page-text'
import { prefersHtml } from './prefers-html'

/**
 * The answer to a browser that wants to show what is at a URL, and to the page's requests for its own files. `undefined`: it is for the API.
 * Nobody is asked who it is: the page tells nothing but what is in this package, and what it shows it asks for itself.
 */
export function answerExplorer(head: RequestHead, api: Api): HttpReply | undefined {
  if (api.options.explorer === 'off' || !isRead(head)) return undefined
  if (head.path.startsWith(ASSETS_PATH)) return answerAsset(head)
  if (!prefersHtml(head.headers.accept)) return undefined
  const text = pageText(pathOf(toExchange(head, NOTHING_APPLIED, api.options)))
  const reply = toFileReply({ text, type: 'text/html; charset=utf-8' }, head)
  return {
    ...reply,
    status: reply.status === 200 ? statusAt(head, api) : reply.status,
    headers: { ...reply.headers, ...PAGE_HEADERS },
  }
}

function answerAsset(head: RequestHead): HttpReply | undefined {
  const asset = findAsset(head.path)
  if (asset === undefined) return undefined
  const reply = toFileReply(asset, head)
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
    return isFetchable(findPlace(path, graph, options)) ? 200 : 404
  } catch (error) {
    if (error instanceof JsonApiError) return 404
    throw error
  }
}

/** Where links lead, without the host: the page asks the one that it comes from. */
function pathOf({ requested: { base } }: Exchange): string {
  return base.replace(/^https?:\/\/[^/]*/, '')
}
