import { executeIntent } from '../endpoints/call-endpoint'
import { explainRead } from '../endpoints/explain-request'
import type { RequestScope } from '../endpoints/request-scope'
import { performOperations } from '../operations/perform-operations'
import type { EndpointResult } from '../response/endpoint-result'
import type { ResourceStoreTransaction } from '../store/store'
import { applyEtagAndConditions } from './conditional-response'
import { reportErrorAndCreateResponse } from './error-response'
import {
  callMetaOptionBeforeDatabaseWrite,
  type HttpResponse,
  type ResponseContext,
  toHttpResponse,
} from './http-response'
import type { RequestIntent } from './parse-and-validate-matched-request'

/** A request after parsing: its intent, and the contexts for its execution and its response. */
export interface ParsedRequest {
  readonly intent: RequestIntent
  readonly scope: RequestScope
  readonly responseContext: ResponseContext
}

/** Runs last in the transaction of a write, with its response. Throwing rolls it back. */
type BeforeCommitOfResponse = (response: HttpResponse, transaction: ResourceStoreTransaction) => Promise<void>

/** Executes a request, and turns its result into a response. */
export async function executeRequestAndCreateResponse(
  call: ParsedRequest,
  beforeCommit?: BeforeCommitOfResponse,
): Promise<HttpResponse> {
  const { intent, scope } = call
  const responseContext = callMetaOptionBeforeDatabaseWrite(call.responseContext)
  if (beforeCommit === undefined) return toResponse(await executeRequestIntent(intent, scope), responseContext, scope)
  let response: HttpResponse | undefined
  const result = await executeRequestIntent(intent, {
    ...scope,
    beforeCommit: (written, transaction) => {
      response = toResponse(written, responseContext, scope)
      return beforeCommit(response, transaction)
    },
  })
  return response ?? toResponse(result, responseContext, scope)
}

function executeRequestIntent(intent: RequestIntent, scope: RequestScope): Promise<EndpointResult> {
  switch (intent.kind) {
    case 'performOperations':
      return performOperations(intent, scope)
    case 'explainRead':
      return explainRead(intent.read, scope)
    default:
      return executeIntent(intent, scope)
  }
}

/** Builds the response. If a stream fails before anything was sent, an error document replaces it. */
function toResponse(result: EndpointResult, responseContext: ResponseContext, scope: RequestScope): HttpResponse {
  const { core, observation, deadline } = scope
  observation?.enter('document')
  const response = applyEtagAndConditions(toHttpResponse(result, responseContext), result, responseContext)
  if (response.rest === undefined) return response
  return {
    ...response,
    reportErrorAndCreateResponse: (error) => reportErrorAndCreateResponse(error, responseContext, core, observation),
    deadline,
  }
}
