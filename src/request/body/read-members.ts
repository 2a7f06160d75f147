import { formatValueForError } from '../../document/format-value-for-error'
import { isJsonObject, type JsonObject, type JsonValue } from '../../document/json'
import { appendToPointer, type JsonPointer } from '../../document/pointer'
import { createJsonApiError, JsonApiError, mapCollectingErrors } from '../../errors/json-api-error'

/** A value of the request document, and its pointer. */
export interface ValueWithPointer {
  readonly value: JsonValue | undefined
  readonly pointer: JsonPointer
}

export function documentShapeError(pointer: JsonPointer, expected: string, found: unknown): JsonApiError {
  return createJsonApiError('document.shape', `Expected ${expected}, found ${formatValueForError(found)}.`, { pointer })
}

export function assertJsonObject(value: unknown, pointer: JsonPointer): JsonObject {
  if (isJsonObject(value)) return value
  throw documentShapeError(pointer, 'an object', value)
}

/** Reads a required member. If it is missing, the error points to the object. */
export function readRequiredString(object: JsonObject, name: string, pointer: JsonPointer): string {
  const text = readOptionalString(object, name, pointer)
  if (text !== undefined) return text
  throw documentShapeError(pointer, `a member '${name}' that is a string`, undefined)
}

export function readOptionalString(object: JsonObject, name: string, pointer: JsonPointer): string | undefined {
  const value = object[name]
  if (value === undefined || typeof value === 'string') return value
  throw documentShapeError(appendToPointer(pointer, name), 'a string', value)
}

/** Reads a required value. If it is missing, the error points to the object without it. */
export function readRequiredMember({ value, pointer }: ValueWithPointer, description: string): JsonValue {
  if (value !== undefined) return value
  const slash = pointer.lastIndexOf('/')
  throw documentShapeError(
    pointer.slice(0, slash),
    `a member '${pointer.slice(slash + 1)}' with ${description}`,
    undefined,
  )
}

/**
 * Returns the members of an object; none for `undefined`. Ignores names that start with `@`.
 * https://jsonapi.org/format/1.1/#document-member-names-at-members
 */
export function readMemberEntries(
  value: JsonValue | undefined,
  pointer: JsonPointer,
): readonly (readonly [string, JsonValue])[] {
  if (value === undefined) return []
  const object = assertJsonObject(value, pointer)
  const entries: [string, JsonValue][] = []
  for (const name of Object.keys(object)) {
    const member = object[name]
    if (member !== undefined && !name.startsWith('@')) entries.push([name, member])
  }
  return entries
}

/** Runs every reader and throws one error with the errors of all. */
export function runReadersCollectingErrors<Values extends Readonly<Record<string, unknown>>>(
  readers: { readonly [Name in keyof Values]: () => Values[Name] },
): Values {
  const values: Record<string, unknown> = {}
  mapCollectingErrors(Object.keys(readers), (name) => {
    values[name] = readers[name]?.()
  })
  return values as Values
}

/** Runs a reader. Errors without a source get this pointer. */
export function runWithDefaultErrorPointer<Value>(pointer: JsonPointer, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    throw error instanceof JsonApiError ? withDefaultPointer(error, pointer) : error
  }
}

export function withDefaultPointer({ errors }: JsonApiError, pointer: JsonPointer): JsonApiError {
  return new JsonApiError(errors.map((each) => ({ source: { pointer }, ...each })))
}
