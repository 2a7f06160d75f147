import { explainRequest } from '../endpoints/explain-read'
import { perform } from '../endpoints/perform'
import type { RequestScope } from '../endpoints/request-scope'
import { performOperations } from '../operations/perform-operations'
import type { EndpointResult } from '../response/endpoint-result'
import { toConditionalResponse } from './conditional-response'
import { toErrorResponse } from './error-response'
import { type HttpResponse, type ResponseContext, toHttpResponse, withMetaBeforeWrite } from './http-response'
import type { Work } from './read-work'

/** A request that was read: what it asks for, and what its execution and its response need. */
export interface Call {
  readonly work: Work
  readonly scope: RequestScope
  readonly responseContext: ResponseContext
}

/** Executes a request, and turns its result into a response. */
export async function executeCall({ work, scope, responseContext: given }: Call): Promise<HttpResponse> {
  const responseContext = withMetaBeforeWrite(given)
  return toResponse(await executeWork(work, scope), responseContext, scope)
}

export function executeWork(work: Work, scope: RequestScope): Promise<EndpointResult> {
  switch (work.kind) {
    case 'performOperations':
      return performOperations(work, scope)
    case 'explainRead':
      return explainRequest(work.intent, scope)
    default:
      return perform(work, scope)
  }
}

/** Turns the result of an endpoint into a response. If a stream fails before anything was sent, its error document is sent instead. */
export function toResponse(
  result: EndpointResult,
  responseContext: ResponseContext,
  scope: RequestScope,
): HttpResponse {
  const { app, observation, deadline } = scope
  observation?.enter('document')
  const response = toConditionalResponse(toHttpResponse(result, responseContext), result, responseContext)
  if (response.rest === undefined) return response
  return {
    ...response,
    toErrorResponse: (error) => toErrorResponse(error, responseContext, app, observation),
    deadline,
  }
}
