import type { OpenApiSchema } from '../core/api-types'
import { type InputKind, inputKindOf } from '../core/schema'

/** Returns the text of a value in its control. */
export function formatForInput(value: unknown, kind: InputKind): string {
  if (value === undefined || value === null) return ''
  if (kind === 'json') return JSON.stringify(value, null, 2)
  return kind === 'dateTime' ? toLocalTime(String(value)) : String(value)
}

/** Returns the value to send. Text that is no such value is sent as it is, because the API has the better message. */
export function toValueOrUnchangedText(text: string, schema: OpenApiSchema): unknown {
  const kind = inputKindOf(schema)
  if (kind === 'enum') return schema.enum?.find((value) => String(value) === text) ?? text
  if (kind === 'boolean') return text === 'true'
  if (kind === 'number') return valueOfNumber(text)
  if (kind === 'json') return parseJson(text).value
  if (kind !== 'dateTime') return text
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) ? text : moment.toISOString()
}

/** Large integers stay texts, because numbers of JavaScript would round them. */
function valueOfNumber(text: string): number | string {
  const number = Number(text)
  if (text.trim() === '' || Number.isNaN(number)) return text
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? text.trim() : number
}

/** Returns what is wrong with a text before it is sent, or `''`. */
export function describeInputMistake(text: string, schema: OpenApiSchema): string {
  const { maxLength, minimum, maximum } = schema
  switch (inputKindOf(schema)) {
    case 'json':
      return parseJson(text).mistake
    case 'number':
      return numberMistake(text, { minimum, maximum, isInteger: [schema.type].flat().includes('integer') })
    case 'dateTime':
    case 'date':
      return Number.isNaN(new Date(text).getTime()) ? 'Enter a date.' : ''
    default:
      return maxLength !== undefined && [...text].length > maxLength ? `Enter at most ${maxLength} characters.` : ''
  }
}

interface NumberLimits {
  readonly minimum: number | undefined
  readonly maximum: number | undefined
  readonly isInteger: boolean
}

function numberMistake(text: string, { minimum, maximum, isInteger }: NumberLimits): string {
  const value = Number(text)
  if (text.trim() === '' || Number.isNaN(value)) return 'Enter a number.'
  if (isInteger && !Number.isInteger(value)) return 'Enter a whole number.'
  if (minimum !== undefined && value < minimum) return `Enter a number of at least ${minimum}.`
  return maximum !== undefined && value > maximum ? `Enter a number of at most ${maximum}.` : ''
}

function parseJson(text: string): { readonly value: unknown; readonly mistake: string } {
  try {
    return { value: JSON.parse(text), mistake: '' }
  } catch (error) {
    return { value: text, mistake: `This is no JSON: ${error instanceof Error ? error.message : ''}` }
  }
}

/** Returns a moment as `<input type="datetime-local">` has it: in the time zone of the user. */
function toLocalTime(text: string): string {
  const moment = new Date(text)
  if (Number.isNaN(moment.getTime())) return text
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, -1)
}
