import type { Links } from '../document/response-document'
import type { ApiCore } from '../endpoints/api-core'
import { createErrorReporter } from '../endpoints/request-scope'
import { createJsonApiError, JsonApiError } from '../errors/json-api-error'
import { hasViewCapability } from '../graph/model/capabilities'
import { findOwnOrDerivedFields } from '../graph/model/inheritance'
import type { RequestObservation } from '../observation/observation'
import type { EndpointResult } from '../response/endpoint-result'
import { topLevelSelfLinks } from '../response/links'
import { createGenericServerErrorResult, toResultOfJsonApiError } from '../response/to-error-document'
import type { TimeoutOrOutage } from '../store/store'
import { type HttpResponse, type ResponseContext, toHttpResponse } from './http-response'

/** Converts an error to an error document, and reports server-side errors. If the option `meta` throws, the document has no such `meta`. */
export function reportErrorAndCreateResponse(
  error: unknown,
  responseContext: ResponseContext,
  core: ApiCore,
  observation: RequestObservation | undefined,
): HttpResponse {
  const onError = createErrorReporter(core, observation)
  if (!(error instanceof JsonApiError)) onError(error)
  observation?.enter('document')
  const result = toResult(error, core)
  const links = errorLinks(responseContext)
  try {
    return toHttpResponse(result, responseContext, links)
  } catch (failure) {
    if (failure !== error) onError(failure)
    const options = { ...responseContext.options, meta: undefined }
    return toHttpResponse(createGenericServerErrorResult(), { ...responseContext, options }, links)
  }
}

function toResult(error: unknown, { store }: ApiCore): EndpointResult {
  if (error instanceof JsonApiError) return toResultOfJsonApiError(error)
  const failure = store.classifyDatabaseFailure(error)
  return failure === undefined ? createGenericServerErrorResult() : toResultOfJsonApiError(STORE_FAILURES[failure])
}

const STORE_FAILURES: Readonly<Record<TimeoutOrOutage, JsonApiError>> = {
  timeout: createJsonApiError('server.timeout', 'Try again later, or ask for less at once.'),
  outage: createJsonApiError('server.unavailable', 'Try again later.'),
}

/** Returns the link `self` for an error at a matched URL, if the type of its primary data has top-level links. */
function errorLinks({ route, requestUrl }: ResponseContext): Links {
  if (route?.type === undefined) return {}
  const { type, relationship } = route
  const [field] = relationship === undefined ? [] : findOwnOrDerivedFields(type, relationship).filter(hasViewCapability)
  return topLevelSelfLinks(field !== undefined && field.kind !== 'attribute' ? field.target : type, requestUrl)
}
