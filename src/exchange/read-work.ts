import type { Api } from '../endpoints/api'
import { perform } from '../endpoints/perform'
import { JsonApiError, type Problem } from '../errors/json-api-error'
import { performOperations } from '../operations/perform-operations'
import type { HttpRequest } from '../request/http-request'
import { type IntentSources, readIntent } from '../request/read-intent'
import { readOperations } from '../request/read-operations'
import type { SentValues } from '../request/read-resource-object'
import type { Matched } from '../request/routes'
import type { Requested } from '../response/links'
import type { Reply } from '../response/reply'

/** What a request asks for, ready to be performed. */
export type Work = (api: Api, requested: Requested) => Promise<Reply>

/** Reads one intent, or all operations. */
export async function readWork(
  matched: Matched,
  request: HttpRequest,
  api: Api,
  options: IntentSources['options'],
): Promise<Work> {
  if (matched.type === undefined) {
    const asked = await readValid(api, options, (sources) => readOperations(request, matched.operations, sources))
    return (open, requested) => performOperations(asked, open, requested)
  }
  const intent = await readValid(api, options, (sources) => readIntent(matched, request, sources))
  return (open, requested) => perform(intent, open, requested)
}

/** Tells what validators have against the values of new resources together with what could not be read. */
async function readValid<Asked extends object>(
  { graph, definitions, validators }: Api,
  options: IntentSources['options'],
  readWith: (sources: IntentSources) => Asked,
): Promise<Asked> {
  const noted: SentValues[] = []
  const noteValues = (values: SentValues) => void noted.push(values)
  const read = attempt(() => readWith({ graph, isFilledIn: definitions.fillsIn, noteValues, options }))
  // Where rules may fill in values, it is too early to say what is missing.
  const complete = noted.filter(({ type }) => !definitions.fillsIn(type))
  const invalid =
    complete.length === 0 ? [] : (await Promise.all(complete.map((values) => validators.findInNew(values)))).flat()
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

function problemsIn(read: unknown): readonly Problem[] {
  return read instanceof JsonApiError ? read.problems : []
}
