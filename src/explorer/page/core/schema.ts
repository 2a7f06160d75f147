import type { OpenApiSchema } from './api-types'

export function schemaAllowsNull({ type, oneOf, enum: values }: OpenApiSchema): boolean {
  return (
    [type].flat().includes('null') ||
    (values ?? []).includes(null) ||
    (oneOf ?? []).some((each) => each.type === 'null')
  )
}

export type InputKind = 'boolean' | 'enum' | 'number' | 'date' | 'dateTime' | 'text' | 'json'

/** Chooses the control for values of a schema. */
export function inputKindOf({ type, enum: values, format }: OpenApiSchema): InputKind {
  const types = [type].flat()
  if (values !== undefined) return 'enum'
  if (types.includes('boolean')) return 'boolean'
  if (types.includes('integer') || types.includes('number')) return 'number'
  if (!types.includes('string')) return 'json'
  if (format === 'date') return 'date'
  return format === 'date-time' ? 'dateTime' : 'text'
}

/** Returns true for free text: no format and no pattern. */
export function isFreeTextSchema(schema: OpenApiSchema): boolean {
  return inputKindOf(schema) === 'text' && schema.format === undefined && schema.pattern === undefined
}

/** Names the type of a value: `string, at most 80`. */
export function formatSchemaType(schema: OpenApiSchema): string {
  const { type, format, enum: values, maxLength, oneOf, anyOf, const: only } = schema
  if (values !== undefined) return values.filter((value) => value !== null).join(' | ')
  if (only !== undefined) return String(only)
  const kinds = [type].flat().filter((each) => each !== undefined && each !== 'null')
  const choices = [...(oneOf ?? []), ...(anyOf ?? [])].filter((each) => each.type !== 'null').map(formatSchemaType)
  const name = format ?? (kinds.length > 0 ? kinds.join(' | ') : [...new Set(choices)].join(' | '))
  return maxLength === undefined ? name || 'any JSON' : `${name}, at most ${maxLength}`
}
