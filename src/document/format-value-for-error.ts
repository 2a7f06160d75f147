/**
 * Formats a value for the detail of an error: a text or number itself, others by their type.
 *
 * `'a'` -> `'a'`, `5` -> `5`, `[1, 2]` -> `an array`, `[]` -> `an empty array`
 */
export function formatValueForError(value: unknown): string {
  if (typeof value === 'string') return `'${shorten(value)}'`
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return Array.isArray(value) && value.length === 0 ? 'an empty array' : nameJsonType(value)
}

/** Names the type of a JSON value for messages: `null`, `an array`, `a string` ... */
export function nameJsonType(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function shorten(text: string): string {
  const characters = [...text.slice(0, 2 * MAX_LENGTH)]
  if (characters.length <= MAX_LENGTH && text.length <= 2 * MAX_LENGTH) return text
  return `${characters.slice(0, MAX_LENGTH).join('')}...`
}

const MAX_LENGTH = 200
