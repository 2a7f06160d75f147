import { type Pointer, pointerTo, trimPointer } from '../document/pointer'
import { type ErrorDetails, JsonApiError } from '../errors/json-api-error'
import { findFields } from '../graph/model/inheritance'
import type { Intent, SentDocument } from '../request/intent/intent'

/**
 * Rules and the database name a field; the client is pointed to its place in the body that was sent, or to what is nearest to it there.
 * Where there is no body there is no pointer.
 */
export function locateFields(error: unknown, intent: Intent): unknown {
  if (!(error instanceof JsonApiError) || error.errors.every(({ field }) => field === undefined)) return error
  return new JsonApiError(error.errors.map((problem) => locate(problem, intent)))
}

function locate({ field, ...problem }: ErrorDetails, intent: Intent): ErrorDetails {
  if (field === undefined || problem.source !== undefined || !('sent' in intent)) return problem
  const { document } = intent.sent
  const pointers = [field].flat().map((name) => pointerOf(name, intent, intent.sent))
  const sent = pointers.find((pointer) => trimPointer(pointer, document) === pointer) ?? pointers[0] ?? ''
  return { ...problem, source: { pointer: trimPointer(sent, document) } }
}

function pointerOf(name: string, intent: Intent, { pointer }: SentDocument): Pointer {
  if (intent.kind !== 'createResource' && intent.kind !== 'updateResource') return pointer
  if (name === 'id') return pointerTo(pointer, 'id')
  // The row may be stored as a descendant of the type that was named.
  const [field] = findFields(intent.change.type, name)
  return field === undefined
    ? pointer
    : pointerTo(pointer, field.kind === 'attribute' ? 'attributes' : 'relationships', name)
}
