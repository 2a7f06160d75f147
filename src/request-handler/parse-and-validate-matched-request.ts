import { getOrCompute } from '../cache/get-or-compute'
import type { MediaTypeParameters } from '../document/media-type'
import type { RequestScope } from '../endpoints/request-scope'
import { JsonApiError } from '../errors/json-api-error'
import type { ResolvedApiOptions } from '../graph/options/options'
import type { SentAttributes } from '../request/body/read-resource-object'
import { assertNoExplainParameter, findRequestWithoutExplainParameter } from '../request/http/explain-parameter'
import type { HttpRequest } from '../request/http/http-request'
import type { Intent, PerformOperationsIntent } from '../request/intent/intent'
import type { UrlMatchWithEndpoint } from '../request/intent/routes'
import { type IntentParsingContext, parseRequestIntent } from '../request/parse-request-intent'
import { readPerformOperationsIntent } from '../request/read-operations'
import { isReadRequest } from './http-response'

/** The intent of a request: a read, a write, several operations, or the explanation of a read. */
export type RequestIntent = Intent | PerformOperationsIntent | ExplainRead

/** Asks for the plan and the statements of a read instead of its rows. */
interface ExplainRead {
  readonly kind: 'explainRead'
  readonly read: Intent
}

/** Reads query string, headers and body. Throws the errors of validators together with those of the document. */
export async function parseAndValidateMatchedRequest(
  request: HttpRequest,
  route: UrlMatchWithEndpoint,
  { profiles }: MediaTypeParameters,
  scope: RequestScope,
): Promise<RequestIntent> {
  const { graph, definitions, caches, options: general } = scope.core
  // The options of this request: with cursors if it applies their profile, and without the fields that rules hide.
  const options = profiles.length === 0 ? general : withCursors(general)
  const sent: SentAttributes[] = []
  const sources: IntentParsingContext = {
    graph,
    caches,
    providesDefaults: definitions.providesDefaults,
    onValues: (values) => void sent.push(values),
    options: definitions.hasFieldsHook ? { ...options, isHidden: scope.rules.isHidden } : options,
  }
  if (route.type !== undefined && isReadRequest(request)) {
    const explained = findRequestWithoutExplainParameter(request, options)
    if (explained === undefined) return parseRequestIntent(route, request, sources)
    return { kind: 'explainRead', read: parseRequestIntent(route, explained, sources) }
  }
  assertNoExplainParameter(request, options)
  let intent: RequestIntent | JsonApiError
  try {
    intent =
      route.type === undefined
        ? readPerformOperationsIntent(request, route.operations, sources)
        : parseRequestIntent(route, request, sources)
  } catch (error) {
    if (!(error instanceof JsonApiError)) throw error
    intent = error
  }
  await validateNewResources(sent, intent instanceof JsonApiError ? intent : undefined, scope)
  if (intent instanceof JsonApiError) throw intent
  return intent
}

/** Returns the options with cursors as the negotiated pagination. Cached, because copying takes a microsecond. */
function withCursors(options: ResolvedApiOptions): IntentParsingContext['options'] {
  return getOrCompute(OPTIONS_WITH_CURSORS, options, () => ({ ...options, negotiatedPagination: 'cursors' }))
}

const OPTIONS_WITH_CURSORS = new WeakMap<ResolvedApiOptions, IntentParsingContext['options']>()

/** Throws the errors that validators find in the values of new resources, after the errors that were found before. */
async function validateNewResources(
  sent: readonly SentAttributes[],
  earlierErrors: JsonApiError | undefined,
  { core: { definitions, validators } }: RequestScope,
): Promise<void> {
  // Types whose hooks provide values are validated after those hooks.
  const complete = sent.filter(({ type }) => !definitions.providesDefaults(type))
  if (complete.length === 0) return
  const invalid = (await Promise.all(complete.map((values) => validators.findErrorsInNew(values)))).flat()
  if (invalid.length > 0) throw new JsonApiError([...(earlierErrors?.errors ?? []), ...invalid])
}
