export interface UnknownObject {
  readonly [name: string]: unknown
}

export function isObject(value: unknown): value is UnknownObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns `data` as a list. */
export function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return value === undefined || value === null ? [] : [value]
}

/** Prints a value for a message. */
export function printValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

const LONGEST = 100

/** Appends a segment to a pointer: RFC 6901. */
export function appendPointer(pointer: string, member: string | number): string {
  if (typeof member === 'number') return `${pointer}/${member}`
  return `${pointer}/${/[~/]/.test(member) ? member.replaceAll('~', '~0').replaceAll('/', '~1') : member}`
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
