import { getOrCompute } from '../cache/get-or-compute'
import type { MediaTypeParameters } from '../document/media-type'
import type { RequestScope } from '../endpoints/request-scope'
import { JsonApiError } from '../errors/json-api-error'
import type { Options } from '../graph/options/options'
import type { SentValues } from '../request/body/read-resource-object'
import { assertNotExplained, withoutExplainParameter } from '../request/http/explain-parameter'
import type { HttpRequest } from '../request/http/http-request'
import type { Intent, PerformOperations } from '../request/intent/intent'
import type { RouteMatch } from '../request/intent/routes'
import { type IntentSources, readIntent } from '../request/read-intent'
import { readOperations } from '../request/read-operations'
import { isRead } from './http-response'

/** What a request asks for. */
export type Work = Intent | PerformOperations | ExplainRead

/** Asks for the plan and the statements of a read instead of its rows. */
interface ExplainRead {
  readonly kind: 'explainRead'
  readonly intent: Intent
}

/** Reads query string, headers and body. Throws the errors of validators together with those of the document. */
export async function readWork(
  request: HttpRequest,
  route: RouteMatch,
  applied: MediaTypeParameters,
  scope: RequestScope,
): Promise<Work> {
  const sent: SentValues[] = []
  const sources = toSources(scope, applied, sent)
  if (route.type !== undefined && isRead(request)) {
    const explained = withoutExplainParameter(request, sources.options)
    if (explained === undefined) return readIntent(route, request, sources)
    return { kind: 'explainRead', intent: readIntent(route, explained, sources) }
  }
  assertNotExplained(request, sources.options)
  const work = attempt(() =>
    route.type === undefined ? readOperations(request, route.operations, sources) : readIntent(route, request, sources),
  )
  await validateNew(sent, work instanceof JsonApiError ? work : undefined, scope)
  if (work instanceof JsonApiError) throw work
  return work
}

/** The options are those of the request: with cursors if it applies their profile, and without the fields that rules hide. */
function toSources({ app, rules }: RequestScope, { profiles }: MediaTypeParameters, sent: SentValues[]): IntentSources {
  const { graph, definitions, caches } = app
  const options = profiles.length === 0 ? app.options : withCursors(app.options)
  return {
    graph,
    caches,
    providesDefaults: definitions.providesDefaults,
    onValues: (values) => void sent.push(values),
    options: definitions.hasFieldsHook ? { ...options, isHidden: rules.isHidden } : options,
  }
}

/** Copying the options takes a microsecond. */
function withCursors(options: Options): IntentSources['options'] {
  return getOrCompute(CURSORS_WANTED, options, () => ({ ...options, wanted: 'cursors' }))
}

const CURSORS_WANTED = new WeakMap<Options, IntentSources['options']>()

function attempt<Value>(read: () => Value): Value | JsonApiError {
  try {
    return read()
  } catch (error) {
    if (error instanceof JsonApiError) return error
    throw error
  }
}

/** Throws what validators find in the values of new resources, after the errors that were found before. */
async function validateNew(
  sent: readonly SentValues[],
  found: JsonApiError | undefined,
  { app: { definitions, validators } }: RequestScope,
): Promise<void> {
  // Types whose hooks provide values are validated after those hooks.
  const complete = sent.filter(({ type }) => !definitions.providesDefaults(type))
  if (complete.length === 0) return
  const invalid = (await Promise.all(complete.map((values) => validators.findErrorsInNew(values)))).flat()
  if (invalid.length > 0) throw new JsonApiError([...(found?.errors ?? []), ...invalid])
}
