import type { Api } from '../endpoints/api'
import { JsonApiError, problem } from '../errors/json-api-error'
import { type Exchange, type HttpReply, NOTHING_APPLIED, toExchange, toHttpReply } from '../exchange/exchange'
import { type TextFile, toFileReply } from '../exchange/file-reply'
import type { Options } from '../graph/options'
import type { HttpRequest } from '../request/http-request'
import { OPEN_API_PATH } from '../request/routes'
import { toErrorReply } from '../response/to-error-document'
import { describeApi, type OpenApiDocument } from './describe-api'

/** The OpenAPI document of an API, made when it is asked for the first time. */
export function descriptionOf(api: Api): OpenApiDocument {
  const known = DESCRIPTIONS.get(api)
  if (known !== undefined) return known
  const description = describeApi(api)
  DESCRIPTIONS.set(api, description)
  return description
}

const DESCRIPTIONS = new WeakMap<Api, OpenApiDocument>()

/** The answer to a request for the document; `undefined`: it is about something else, or the document is not served. */
export function answerDescription(request: HttpRequest, api: Api): HttpReply | undefined {
  if (request.path !== OPEN_API_PATH || !isDescriptionServed(api.options)) return undefined
  const exchange = toExchange(request, NOTHING_APPLIED, api.options)
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      return toFileReply(fileOf(exchange, api), request)
    case 'OPTIONS':
      return toHttpReply({ status: 204, headers: { allow: ALLOWED } }, exchange)
    default:
      return toHttpReply({ ...toErrorReply(refuse(request)), headers: { allow: ALLOWED } }, exchange)
  }
}

const ALLOWED = 'GET, HEAD, OPTIONS'

function refuse({ method }: HttpRequest): JsonApiError {
  return new JsonApiError([problem('url.method-not-allowed', `Found ${method}, expected one of ${ALLOWED}.`)])
}

/** The explorer shows what the document tells. */
export function isDescriptionServed({ openApi, explorer }: Pick<Options, 'openApi' | 'explorer'>): boolean {
  return openApi.served === 'on' || explorer === 'on'
}

/** As it is sent. */
interface Served extends TextFile {
  /** The URL of the API, as the document tells it. */
  readonly base: string
}

/** One for each API: that clients reach it by several paths is rare. */
const SERVED = new WeakMap<Api, Served>()

function fileOf(exchange: Exchange, api: Api): TextFile {
  const base = baseOf(exchange)
  const known = SERVED.get(api)
  if (known?.base === base) return known
  const text = JSON.stringify({ servers: [{ url: base }], ...descriptionOf(api) })
  // There is no registered media type for OpenAPI: everybody reads JSON. docs/internals/decisions/031-openapi.md
  const made = { base, text, type: 'application/json' }
  SERVED.set(api, made)
  return made
}

/** Where links lead; without the host of a request, for the URL of a server may be relative to that of the document. */
function baseOf({ requested: { base }, options: { links } }: Exchange): string {
  const path = links.base === 'request' ? base.replace(/^https?:\/\/[^/]*/, '') : base
  return path === '' ? '/' : path
}
