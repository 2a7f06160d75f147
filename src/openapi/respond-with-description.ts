import type { Api } from '../endpoints/api'
import { clientError, JsonApiError } from '../errors/json-api-error'
import type { Options } from '../graph/options'
import type { HttpRequest } from '../request/http-request'
import { OPEN_API_PATH } from '../request/routes'
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

/** Returns the OpenAPI document of an API. Builds it on the first call. */
export function descriptionOf(api: Api): OpenApiDocument {
  const known = DESCRIPTIONS.get(api)
  if (known !== undefined) return known
  const description = describeApi(api)
  DESCRIPTIONS.set(api, description)
  return description
}

const DESCRIPTIONS = new WeakMap<Api, OpenApiDocument>()

/** Responds to a request for the document. Returns `undefined` for other requests, or if the document is not served. */
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

/** The explorer needs the document, so it switches it on. */
export function isDescriptionServed({ openApi, explorer }: Pick<Options, 'openApi' | 'explorer'>): boolean {
  return openApi.served === true || explorer === true
}

/** The document as text. */
interface ServedDescription extends TextFile {
  /** The URL of the API in the document. */
  readonly base: string
}

/** One entry for each API, since clients rarely reach it by several paths. */
const SERVED = new WeakMap<Api, ServedDescription>()

function fileOf(responseContext: ResponseContext, api: Api): TextFile {
  const base = baseOf(responseContext)
  const known = SERVED.get(api)
  if (known?.base === base) return known
  const text = JSON.stringify({ servers: [{ url: base }], ...descriptionOf(api) })
  // No media type is registered for OpenAPI, and all tools accept JSON. docs/internals/decisions/031-openapi.md
  const made = { base, text, type: 'application/json' }
  SERVED.set(api, made)
  return made
}

/** Returns the base of links without the host, since a server URL may be relative to that of the document. */
function baseOf({ requestUrl: { base }, options: { links } }: ResponseContext): string {
  const path = links.base === 'request' ? base.replace(/^https?:\/\/[^/]*/, '') : base
  return path === '' ? '/' : path
}
