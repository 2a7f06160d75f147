import { isJsonObject } from './json'

/** A JSON Pointer (RFC 6901): `''` is the whole document. */
export type JsonPointer = string

/**
 * Appends members to a pointer.
 *
 * `appendToPointer('/data', 'attributes', 'a/b')` -> `/data/attributes/a~1b`
 */
export function appendToPointer(start: JsonPointer, ...members: readonly (string | number)[]): JsonPointer {
  let pointer = start
  for (const member of members) pointer += `/${typeof member === 'number' ? member : escapeMember(member)}`
  return pointer
}

/**
 * Returns the longest start of a pointer that exists in the document: JSON:API requires that `source.pointer` exists.
 * https://jsonapi.org/format/1.1/#error-objects
 *
 * `trimPointerToExistingMember('/data/attributes/name', { data: { type: 'men' } })` -> `/data`
 */
export function trimPointerToExistingMember(pointer: JsonPointer, document: unknown): JsonPointer {
  let found: JsonPointer = ''
  let value: unknown = document
  for (const segment of pointer.split('/').slice(1)) {
    const member = unescapeMember(segment)
    if (!hasMember(value, member)) return found
    value = (value as Record<string, unknown>)[member]
    found = `${found}/${segment}`
  }
  return found
}

function hasMember(value: unknown, member: string): boolean {
  return (isJsonObject(value) || Array.isArray(value)) && Object.hasOwn(value, member)
}

function escapeMember(member: string): string {
  return member.includes('/') || member.includes('~') ? member.replaceAll('~', '~0').replaceAll('/', '~1') : member
}

function unescapeMember(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~')
}
