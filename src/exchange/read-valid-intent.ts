import type { Api } from '../endpoints/api'
import { JsonApiError, type Problem } from '../errors/json-api-error'
import type { HttpRequest } from '../request/http-request'
import type { Intent } from '../request/intent'
import { type IntentSources, type MatchedRoute, readIntent } from '../request/read-intent'
import type { SentValues } from '../request/read-resource-object'

/** Reads the intent, and tells what validators have against the values of a new resource together with what could not be read. */
export async function readValidIntent(
  matched: MatchedRoute,
  request: HttpRequest,
  { graph, definitions, validators }: Api,
  options: IntentSources['options'],
): Promise<Intent> {
  const noted: SentValues[] = []
  const noteValues = (values: SentValues) => void noted.push(values)
  const read = attempt(() =>
    readIntent(matched, request, { graph, isFilledIn: definitions.fillsIn, noteValues, options }),
  )
  // Where rules may fill in values, it is too early to say what is missing.
  const complete = noted.filter(({ type }) => !definitions.fillsIn(type))
  const invalid = (await Promise.all(complete.map((values) => validators.findInNew(values)))).flat()
  if (!(read instanceof JsonApiError) && invalid.length === 0) return read
  throw new JsonApiError([...problemsIn(read), ...invalid])
}

function attempt(read: () => Intent): Intent | JsonApiError {
  try {
    return read()
  } catch (error) {
    if (error instanceof JsonApiError) return error
    throw error
  }
}

function problemsIn(read: Intent | JsonApiError): readonly Problem[] {
  return read instanceof JsonApiError ? read.problems : []
}
