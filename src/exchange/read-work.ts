import type { Api } from '../endpoints/api'
import { explainRead } from '../endpoints/explain-read'
import { perform } from '../endpoints/perform'
import { JsonApiError, type Problem } from '../errors/json-api-error'
import { performOperations } from '../operations/perform-operations'
import { findExplained, refuseExplained } from '../request/explain-parameter'
import type { HttpRequest } from '../request/http-request'
import type { Intent } from '../request/intent'
import { type IntentSources, readIntent } from '../request/read-intent'
import { readOperations } from '../request/read-operations'
import type { SentValues } from '../request/read-resource-object'
import type { Matched, MatchedType } from '../request/routes'
import type { Requested } from '../response/links'
import type { Reply } from '../response/reply'

/** What a request asks for, ready to be performed. */
export type Work = (api: Api, requested: Requested) => Promise<Reply>

/** Reads one intent, or all operations. */
export async function readWork(matched: Matched, request: HttpRequest, reading: Reading): Promise<Work> {
  refuseExplained(request, reading.options)
  if (matched.type === undefined) {
    const asked = await readValid(reading, (sources) => readOperations(request, matched.operations, sources))
    return (open, requested) => performOperations(asked, open, requested)
  }
  return toWork(await readValid(reading, (sources) => readIntent(matched, request, sources)))
}

/** Reads what is to be fetched: there is nothing in it that validators would look at, and so nothing to wait for. */
export function readFetch(matched: MatchedType, request: HttpRequest, reading: Reading): Work {
  const sources = sourcesOf(reading, () => {})
  const explained = findExplained(request, reading.options)
  if (explained === undefined) return toWork(readIntent(matched, request, sources))
  const intent = readIntent(matched, explained, sources)
  return (open, requested) => explainRead(intent, open, requested)
}

function toWork(intent: Intent): Work {
  return (open, requested) => perform(intent, open, requested)
}

/** What a request is read with: of the options those that were negotiated for it. */
export interface Reading extends Pick<Api, 'graph' | 'definitions' | 'validators'>, Pick<IntentSources, 'options'> {}

function sourcesOf({ graph, definitions, options }: Reading, noteValues: IntentSources['noteValues']): IntentSources {
  return { graph, isFilledIn: definitions.fillsIn, noteValues, options }
}

/** Tells what validators have against the values of new resources together with what could not be read. */
async function readValid<Asked extends object>(
  reading: Reading,
  readWith: (sources: IntentSources) => Asked,
): Promise<Asked> {
  const { definitions, validators } = reading
  const noted: SentValues[] = []
  const noteValues = (values: SentValues) => void noted.push(values)
  const read = attempt(() => readWith(sourcesOf(reading, noteValues)))
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
