import type { ApiCore } from '../endpoints/api-core'
import { createRequestScope } from '../endpoints/request-scope'
import { findOwnOrDerivedFields } from '../graph/model/inheritance'
import type { RequestObservation } from '../observation/observation'
import type { ObservedEndpoint } from '../observation/request-observer'
import type { HttpRequest } from '../request/http/http-request'
import {
  allowHeaderOfWholeApi,
  allowHeaderValueOf,
  assertEndpointEnabled,
  assertUrlLength,
  matchMethod,
  matchRequestPath,
  ROUTES,
  type TypeUrlAndMethodMatch,
  type UrlMatchWithEndpoint,
} from '../request/intent/routes'
import { assertPreconditionsFitEndpoint } from './conditional-response'
import { reportErrorAndCreateResponse } from './error-response'
import { executeIdempotently, readIdempotencyClaimAndStore } from './execute-idempotently'
import { executeRequestAndCreateResponse } from './execute-request-and-create-response'
import { type HttpResponse, type ResponseContext, toHttpResponse, toResponseContext } from './http-response'
import { negotiateCached } from './negotiate-cached'
import { parseAndValidateMatchedRequest } from './parse-and-validate-matched-request'

/** Handles a request in stages. The comment of a stage lists the statuses that it can return. Every error becomes a document. */
export async function handleRequest(
  request: HttpRequest,
  core: ApiCore,
  observation: RequestObservation | undefined,
): Promise<HttpResponse> {
  let responseContext: ResponseContext | undefined
  try {
    observation?.enter('parse')
    assertUrlLength(request, core.options.limits) // 414
    if (request.method === 'OPTIONS') return respondToOptions(request, core)
    const route = matchRoute(request, core, observation) // 403, 404, 405
    const { applied } = negotiateCached(request, route.endpoint, core) // 406, 415
    responseContext = toResponseContext(request, core, route, applied)
    const scope = createRequestScope(request, responseContext.requestUrl, core, observation)
    const intent = await parseAndValidateMatchedRequest(request, route, applied, scope) // 400, 403, 409, 422
    assertPreconditionsFitEndpoint(route.endpoint, request, core.options) // 412
    const idempotent = readIdempotencyClaimAndStore(request, scope) // 400
    observation?.enter('plan')
    const call = { intent, scope, responseContext }
    return await (idempotent === undefined
      ? executeRequestAndCreateResponse(call)
      : executeIdempotently(idempotent, call)) // 404, 409, 412
  } catch (error) {
    return reportErrorAndCreateResponse(error, responseContext ?? toResponseContext(request, core), core, observation)
  }
}

/** Returns the endpoint for the URL and method. Throws if there is none, or if it is disabled. */
function matchRoute(
  request: HttpRequest,
  core: ApiCore,
  observation: RequestObservation | undefined,
): UrlMatchWithEndpoint {
  const route = matchMethod(matchRequestPath(request.path, core.graph, core.options), request.method)
  observation?.match(toObservedEndpoint(route))
  assertEndpointEnabled(route, request, (...field) => core.evaluateReadRules(request.context).isHidden(...field))
  return route
}

/** Responds with the allowed methods. The path `*` means the whole server. https://www.rfc-editor.org/rfc/rfc9110#section-9.3.7 */
function respondToOptions(request: HttpRequest, core: ApiCore): HttpResponse {
  const { graph, options } = core
  const { path } = request
  const allow =
    path === '*' ? allowHeaderOfWholeApi(graph, options) : allowHeaderValueOf(matchRequestPath(path, graph, options))
  return toHttpResponse({ status: 204, headers: { allow } }, toResponseContext(request, core))
}

/** Returns the route without ids, which groups requests of one kind. */
function toObservedEndpoint(route: UrlMatchWithEndpoint): ObservedEndpoint {
  const { endpoint } = route
  if (route.type === undefined) return { route: `/${route.operations.path}`, endpoint, type: undefined }
  const { name } = route.type
  const { path } = ROUTES[route.routeKind]
  const routePath = path.replace('{type}', name).replace('{id}', ':id').replace('{relationship}', relationshipOf(route))
  return { route: routePath, endpoint, type: name }
}

/** Returns the name of the relationship, or a placeholder for an unknown name: clients could send any number of such names. */
function relationshipOf({ type, relationship = '' }: TypeUrlAndMethodMatch): string {
  return findOwnOrDerivedFields(type, relationship).length === 0 ? ':relationship' : relationship
}
