export interface UnknownObject {
  readonly [name: string]: unknown
}

export function isObject(value: unknown): value is UnknownObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns `data` as a list. */
export function dataToArray(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return value === undefined || value === null ? [] : [value]
}

/** Prints a value for a message. */
export function formatForMessage(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}

const MAX_LENGTH = 100

/** Appends members to a pointer: RFC 6901. `appendToPointer('/data', 'attributes', 'a/b')` -> `/data/attributes/a~1b` */
export function appendToPointer(start: string, ...members: readonly (string | number)[]): string {
  return members.reduce<string>((pointer, member) => `${pointer}/${escapeMember(member)}`, start)
}

function escapeMember(member: string | number): string | number {
  return typeof member === 'string' ? member.replaceAll('~', '~0').replaceAll('/', '~1') : member
}

/** Returns true if the pointer leads to a value. */
export function pointerExists(pointer: string, document: unknown): boolean {
  let value = document
  for (const segment of pointer.split('/').slice(1)) {
    const member = segment.replaceAll('~1', '/').replaceAll('~0', '~')
    // `length` is not a member of the array.
    if (typeof value !== 'object' || value === null || !isEnumerable.call(value, member)) return false
    value = (value as UnknownObject)[member]
  }
  return true
}

const isEnumerable = Object.prototype.propertyIsEnumerable
