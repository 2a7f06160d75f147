import type { Links } from '../document/document'
import type { MediaTypeParameters } from '../document/media-type'
import type { Api } from '../endpoints/api'
import { clientError, JsonApiError } from '../errors/json-api-error'
import { isViewable } from '../graph/model/capabilities'
import { findFields } from '../graph/model/inheritance'
import type { Options } from '../graph/options/options'
import type { HttpRequest, RequestHead } from '../request/http/http-request'
import { negotiateRequest } from '../request/http/negotiate'
import {
  allowedMethods,
  assertEnabled,
  assertUrlLength,
  isFetchable,
  matchMethod,
  matchUrl,
  methodNotAllowed,
  methodsAnywhere,
  type RouteMatch,
  type TypeRouteMatch,
  type UrlMatch,
} from '../request/intent/routes'
import type { EndpointResult } from '../response/endpoint-result'
import { selfLinks } from '../response/links'
import { toErrorResult, toServerErrorResult } from '../response/to-error-document'
import type { StoreFailure } from '../store/store'
import { assertPreconditionsApply, contentKindOf, toConditionalResponse } from './conditional-response'
import { claimKey, handleIdempotently, type RequestExecution } from './handle-idempotently'
import {
  type HttpResponse,
  isRead,
  NOTHING_APPLIED,
  type ResponseContext,
  toHttpResponse,
  toResponseContext,
  withMetaBeforeWrite,
} from './http-response'
import { mediaTypeSupportOf } from './media-type-support'
import { type IntentContext, readEndpointCall, readFetchCall } from './read-endpoint-call'
import { toObservedEndpoint } from './to-observed-endpoint'

/** From request to reply: the one place where mistakes become documents. */
export async function handleRequest(request: HttpRequest, api: Api): Promise<HttpResponse> {
  api.observation?.enter('parse')
  const plain = () => toResponseContext(request, NOTHING_APPLIED, api.options)
  try {
    assertUrlLength(request, api.options.limits)
    if (request.method === 'OPTIONS') return toHttpResponse(optionsOf(request, api), plain())
    const place = matchUrl(request.path, api.graph, api.options)
    const matched = matchMethod(place, request.method)
    if (matched === undefined) return toHttpResponse(refuseMethod(place, request.method), plain())
    api.observation?.match(toObservedEndpoint(matched))
    assertEnabled(matched, request, (...field) => api.evaluateReadRules(request.context).isHidden(...field))
    return await handleMatchedRequest(matched, request, api)
  } catch (error) {
    return respondWithError(error, { responseContext: plain(), api })
  }
}

/** The body of a request could not be read. */
export function respondToUnreadableRequest(error: unknown, head: RequestHead, api: Api): HttpResponse {
  return respondWithError(error, { responseContext: toResponseContext(head, NOTHING_APPLIED, api.options), api })
}

async function handleMatchedRequest(matched: RouteMatch, request: HttpRequest, api: Api): Promise<HttpResponse> {
  const { applied } = negotiateRequest(request, mediaTypeSupportOf(matched.endpoint, api.options.extensions))
  // There is one profile; whether it is applied is known once there is a page.
  const responseContext = atPlace(matched, toResponseContext(request, { ...applied, profiles: [] }, api.options))
  const toErrorResponse = (error: unknown) =>
    respondWithError(error, { responseContext, api, links: errorLinks(matched, responseContext) })
  try {
    const { open, reading } = toReading(request, applied, api)
    const work = isFetch(matched, request)
      ? readFetchCall(matched, request, reading)
      : await readEndpointCall(matched, request, reading)
    assertPreconditionsApply(matched.endpoint, request)
    let answered = responseContext
    const { context, deadline } = request
    const store = deadline === undefined ? api.store : api.store.withDeadline(deadline)
    const perform: RequestExecution['perform'] = (beforeCommit) => {
      answered = withMetaBeforeWrite(responseContext)
      return work({ ...open, context, beforeCommit, deadline, store }, responseContext.requestUrl)
    }
    const toResponse: RequestExecution['toResponse'] = (reply) => {
      api.observation?.enter('document')
      const sent = respondWithResult(reply, matched, answered)
      return sent.rest === undefined ? sent : { ...sent, toErrorResponse: toErrorResponse, deadline }
    }
    api.observation?.enter('plan')
    const claimed = claimKey(request, api)
    // Most requests are to be performed and no more: what follows is for those that may come again.
    if (claimed === undefined) return toResponse(await perform(undefined))
    return await handleIdempotently(claimed, { perform, toResponse, toErrorResponse })
  } catch (error) {
    return toErrorResponse(error)
  }
}

/** What a request is read and performed with. Rules that hide fields are asked before names are looked up, and once. */
function toReading(
  { context }: HttpRequest,
  applied: MediaTypeParameters,
  api: Api,
): { open: Api; reading: IntentContext } {
  const options = applied.profiles.length === 0 ? api.options : withCursors(api.options)
  if (!api.definitions.hasFieldsHook) return { open: api, reading: { ...api, options } }
  const rules = api.evaluateReadRules(context)
  return {
    open: { ...api, evaluateReadRules: () => rules },
    reading: { ...api, options: { ...options, isHidden: rules.isHidden } },
  }
}

function isFetch(matched: RouteMatch, request: HttpRequest): matched is TypeRouteMatch {
  return matched.type !== undefined && isRead(request)
}

/** The same object each time: what is kept for an API is kept by its options. */
function withCursors(options: Options): IntentContext['options'] {
  const known = CURSORS_WANTED.get(options)
  if (known !== undefined) return known
  const wanting = { ...options, wanted: 'cursors' as const }
  CURSORS_WANTED.set(options, wanting)
  return wanting
}

const CURSORS_WANTED = new WeakMap<Options, IntentContext['options']>()

function respondWithResult(
  reply: EndpointResult,
  { endpoint }: RouteMatch,
  responseContext: ResponseContext,
): HttpResponse {
  const kind = contentKindOf(endpoint, reply)
  const sent = toHttpResponse(reply, responseContext)
  return kind === undefined
    ? sent
    : toConditionalResponse(sent, { kind, revisionToken: reply.revisionToken }, responseContext)
}

interface ErrorContext {
  readonly responseContext: ResponseContext
  readonly api: Api
  readonly links?: Links
}

/** An error is told as it is, if that can be: what an application puts around its documents can fail too. */
function respondWithError(error: unknown, { responseContext, api, links = {} }: ErrorContext): HttpResponse {
  if (!(error instanceof JsonApiError)) api.onError(error)
  api.observation?.enter('document')
  const reply = toReply(error, api)
  try {
    return toHttpResponse(reply, responseContext, links)
  } catch (another) {
    if (another !== error) api.onError(another)
    return toHttpResponse(
      toServerErrorResult(),
      { ...responseContext, options: { ...responseContext.options, meta: undefined } },
      links,
    )
  }
}

function toReply(error: unknown, { store }: Api): EndpointResult {
  if (error instanceof JsonApiError) return toErrorResult(error)
  const failure = store.findFailure(error)
  return failure === undefined ? toServerErrorResult() : toErrorResult(FAILED[failure])
}

const FAILED: Readonly<Record<StoreFailure, JsonApiError>> = {
  timeout: new JsonApiError([clientError('server.timeout', 'Try again later, or ask for less at once.')]),
  outage: new JsonApiError([clientError('server.unavailable', 'Try again later.')]),
}

function atPlace(place: UrlMatch, responseContext: ResponseContext): ResponseContext {
  if (isFetchable(place)) return responseContext
  return { ...responseContext, requestUrl: { ...responseContext.requestUrl, self: false } }
}

/** Mistakes at a URL that there is link to it, when the type that would be the primary data has such links. */
function errorLinks(matched: RouteMatch, { requestUrl }: ResponseContext): Links {
  if (matched.type === undefined) return {}
  const { type, relationship } = matched
  const found = relationship === undefined ? [] : findFields(type, relationship).filter(isViewable)
  const [field] = found
  return selfLinks(field !== undefined && field.kind !== 'attribute' ? field.target : type, requestUrl)
}

/** `*` asks for the server as a whole. https://www.rfc-editor.org/rfc/rfc9110#section-9.3.7 */
function optionsOf({ path }: HttpRequest, { graph, options }: Api): EndpointResult {
  const allow = path === '*' ? methodsAnywhere(graph, options) : allowedMethods(matchUrl(path, graph, options))
  return { status: 204, headers: { allow } }
}

function refuseMethod(place: UrlMatch, method: string): EndpointResult {
  return { ...toErrorResult(methodNotAllowed(place, method)), headers: { allow: allowedMethods(place) } }
}
