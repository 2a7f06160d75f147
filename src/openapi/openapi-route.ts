import { getOrCompute } from '../cache/get-or-compute'
import type { LruCacheDefinition } from '../cache/segmented-lru-cache'
import type { ApiCore } from '../endpoints/api-core'
import { createJsonApiError, type JsonApiError } from '../errors/json-api-error'
import type { ResolvedApiOptions } from '../graph/options/options'
import type { RequestHead } from '../request/http/http-request'
import { isOpenApiPath } from '../request/intent/routes'
import {
  type HttpResponse,
  type ResponseContext,
  toHttpResponse,
  toResponseContext,
} from '../request-handler/http-response'
import { type NonJsonApiRoute, type ServedTextFile, toStaticFileResponse } from '../request-handler/non-json-api-route'
import { toResultOfJsonApiError } from '../response/to-error-document'
import { createOpenApiDocument, type OpenApiDocument } from './openapi-document'

/** Returns the OpenAPI document of an API, which is made at the first call. */
export function openApiDocumentOf(core: ApiCore): OpenApiDocument {
  return getOrCompute(DESCRIPTIONS, core, createOpenApiDocument)
}

const DESCRIPTIONS = new WeakMap<ApiCore, OpenApiDocument>()

/** Serves the OpenAPI document. Returns `undefined` if it is not served. */
export function buildOpenApiDocumentRoute(core: ApiCore): NonJsonApiRoute | undefined {
  if (!isOpenApiServed(core.options)) return undefined
  return { access: 'restricted', respond: (head) => (isOpenApiPath(head.path) ? respond(head, core) : undefined) }
}

function respond(head: RequestHead, core: ApiCore): HttpResponse {
  const responseContext = toResponseContext(head, core)
  switch (head.method) {
    case 'GET':
    case 'HEAD':
      return toStaticFileResponse(fileOf(responseContext, core), head)
    case 'OPTIONS':
      return toHttpResponse({ status: 204, headers: { allow: ALLOWED } }, responseContext)
    default:
      return toHttpResponse(
        { ...toResultOfJsonApiError(methodNotAllowed(head)), headers: { allow: ALLOWED } },
        responseContext,
      )
  }
}

const ALLOWED = 'GET, HEAD, OPTIONS'

function methodNotAllowed({ method }: RequestHead): JsonApiError {
  return createJsonApiError('url.method-not-allowed', `Found ${method}, expected one of ${ALLOWED}.`)
}

/** Returns true if the document is served, by its own option or because the explorer needs it. */
export function isOpenApiServed({ openApi, explorer }: Pick<ResolvedApiOptions, 'openApi' | 'explorer'>): boolean {
  return openApi.served === true || explorer === true
}

/** Returns the document with the URL of the API. */
function fileOf(responseContext: ResponseContext, core: ApiCore): ServedTextFile {
  const base = baseOf(responseContext)
  return core.caches.of(SERVED_DOCUMENTS).getOrCompute(base, () => {
    const text = JSON.stringify({ servers: [{ url: base }], ...openApiDocumentOf(core) })
    // OpenAPI has no registered media type. docs/internals/decisions/017-openapi-and-typed-client.md
    return { text, type: 'application/json' }
  })
}

/** Has one entry, because few APIs are mounted under several paths. */
const SERVED_DOCUMENTS: LruCacheDefinition<ServedTextFile> = { name: 'served descriptions', maxEntries: 1 }

/** Returns the base of links without the host of the request: the URL of a server may be relative to the document. */
function baseOf({ requestUrl: { base }, options: { links } }: ResponseContext): string {
  const path = links.base === 'request' ? base.replace(/^https?:\/\/[^/]*/, '') : base
  return path === '' ? '/' : path
}
