import type { Api } from '../endpoints/api'
import { explainRead } from '../endpoints/explain-read'
import { perform } from '../endpoints/perform'
import { type ErrorDetails, JsonApiError } from '../errors/json-api-error'
import { performOperations } from '../operations/perform-operations'
import type { SentValues } from '../request/body/read-resource-object'
import { assertNotExplained, withoutExplainParameter } from '../request/http/explain-parameter'
import type { HttpRequest } from '../request/http/http-request'
import type { Intent } from '../request/intent/intent'
import type { RouteMatch, TypeRouteMatch } from '../request/intent/routes'
import { type IntentSources, readIntent } from '../request/read-intent'
import { readOperations } from '../request/read-operations'
import type { EndpointResult } from '../response/endpoint-result'
import type { RequestUrl } from '../response/links'

/** What a request asks for, ready to be performed. */
export type EndpointCall = (api: Api, requestUrl: RequestUrl) => Promise<EndpointResult>

/** Reads one intent, or all operations. */
export async function readEndpointCall(
  matched: RouteMatch,
  request: HttpRequest,
  reading: IntentContext,
): Promise<EndpointCall> {
  assertNotExplained(request, reading.options)
  if (matched.type === undefined) {
    const asked = await readValid(reading, (sources) => readOperations(request, matched.operations, sources))
    return (open, requestUrl) => performOperations(asked, open, requestUrl)
  }
  return toEndpointCall(await readValid(reading, (sources) => readIntent(matched, request, sources)))
}

/** Reads what is to be fetched: there is nothing in it that validators would look at, and so nothing to wait for. */
export function readFetchCall(matched: TypeRouteMatch, request: HttpRequest, reading: IntentContext): EndpointCall {
  const sources = intentSourcesOf(reading, () => {})
  const explained = withoutExplainParameter(request, reading.options)
  if (explained === undefined) return toEndpointCall(readIntent(matched, request, sources))
  const intent = readIntent(matched, explained, sources)
  return (open, requestUrl) => explainRead(intent, open, requestUrl)
}

function toEndpointCall(intent: Intent): EndpointCall {
  return (open, requestUrl) => perform(intent, open, requestUrl)
}

/** What a request is read with: of the options those that were negotiated for it. */
export interface IntentContext
  extends Pick<Api, 'graph' | 'definitions' | 'validators'>,
    Pick<IntentSources, 'options'> {}

function intentSourcesOf(
  { graph, definitions, options }: IntentContext,
  onValues: IntentSources['onValues'],
): IntentSources {
  return { graph, providesDefaults: definitions.providesDefaults, onValues, options }
}

/** Tells what validators have against the values of new resources together with what could not be read. */
async function readValid<Asked extends object>(
  reading: IntentContext,
  readWith: (sources: IntentSources) => Asked,
): Promise<Asked> {
  const { definitions, validators } = reading
  const noted: SentValues[] = []
  const onValues = (values: SentValues) => void noted.push(values)
  const read = attempt(() => readWith(intentSourcesOf(reading, onValues)))
  // Where rules may fill in values, it is too early to say what is missing.
  const complete = noted.filter(({ type }) => !definitions.providesDefaults(type))
  const invalid =
    complete.length === 0
      ? []
      : (await Promise.all(complete.map((values) => validators.findErrorsInNew(values)))).flat()
  if (!(read instanceof JsonApiError) && invalid.length === 0) return read
  throw new JsonApiError([...problemsIn(read), ...invalid])
}

function attempt<Asked>(read: () => Asked): Asked | JsonApiError {
  try {
    return read()
  } catch (error) {
    if (error instanceof JsonApiError) return error
    throw error
  }
}

function problemsIn(read: unknown): readonly ErrorDetails[] {
  return read instanceof JsonApiError ? read.errors : []
}
