import type { Api } from '../endpoints/api'
import { clientError, JsonApiError } from '../errors/json-api-error'
import type { Options } from '../graph/options/options'
import type { HttpRequest } from '../request/http/http-request'
import { OPEN_API_PATH } from '../request/intent/routes'
import { type TextFile, toFileResponse } from '../request-handler/file-response'
import {
  type HttpResponse,
  NOTHING_APPLIED,
  type ResponseContext,
  toHttpResponse,
  toResponseContext,
} from '../request-handler/http-response'
import { toErrorResult } from '../response/to-error-document'
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
export function respondWithDescription(request: HttpRequest, api: Api): HttpResponse | undefined {
  if (request.path !== OPEN_API_PATH || !isDescriptionServed(api.options)) return undefined
  const responseContext = toResponseContext(request, NOTHING_APPLIED, api.options)
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      return toFileResponse(fileOf(responseContext, api), request)
    case 'OPTIONS':
      return toHttpResponse({ status: 204, headers: { allow: ALLOWED } }, responseContext)
    default:
      return toHttpResponse(
        { ...toErrorResult(methodNotAllowed(request)), headers: { allow: ALLOWED } },
        responseContext,
      )
  }
}

const ALLOWED = 'GET, HEAD, OPTIONS'

function methodNotAllowed({ method }: HttpRequest): JsonApiError {
  return new JsonApiError([clientError('url.method-not-allowed', `Found ${method}, expected one of ${ALLOWED}.`)])
}

/** The explorer shows what the document tells. */
export function isDescriptionServed({ openApi, explorer }: Pick<Options, 'openApi' | 'explorer'>): boolean {
  return openApi.served === true || explorer === true
}

/** As it is sent. */
interface ServedDescription extends TextFile {
  /** The URL of the API, as the document tells it. */
  readonly base: string
}

/** One for each API: that clients reach it by several paths is rare. */
const SERVED = new WeakMap<Api, ServedDescription>()

function fileOf(responseContext: ResponseContext, api: Api): TextFile {
  const base = baseOf(responseContext)
  const known = SERVED.get(api)
  if (known?.base === base) return known
  const text = JSON.stringify({ servers: [{ url: base }], ...descriptionOf(api) })
  // There is no registered media type for OpenAPI: everybody reads JSON. docs/internals/decisions/031-openapi.md
  const made = { base, text, type: 'application/json' }
  SERVED.set(api, made)
  return made
}

/** Where links lead; without the host of a request, for the URL of a server may be relative to that of the document. */
function baseOf({ requestUrl: { base }, options: { links } }: ResponseContext): string {
  const path = links.base === 'request' ? base.replace(/^https?:\/\/[^/]*/, '') : base
  return path === '' ? '/' : path
}
