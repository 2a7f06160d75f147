import type { JsonObject } from '../document/json'

/** https://spec.openapis.org/oas/v3.1.1.html#schema-object */
export type Schema = JsonObject

/** What stands under `components.schemas`, by name. */
export type Schemas = Readonly<Record<string, Schema>>

export function schemaRef(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}

/** An object with these members, of which some must be there. Others may be: what is added to a document later is no mistake. */
export function objectOf(properties: Schemas, required: readonly string[] = []): Schema {
  return { type: 'object', ...(required.length > 0 && { required }), properties }
}

/** `null` besides. */
export function orNull(schema: Schema): Schema {
  const { type, enum: values } = schema
  if (typeof type === 'string' || Array.isArray(type)) {
    return { ...schema, type: [...[type].flat(), 'null'], ...(Array.isArray(values) && { enum: [...values, null] }) }
  }
  if (Array.isArray(values)) return { ...schema, enum: [...values, null] }
  return Object.keys(schema).length === 0 ? schema : { oneOf: [schema, { type: 'null' }] }
}

export function arrayOf(items: Schema, more: JsonObject = {}): Schema {
  return { type: 'array', items, ...more }
}

/** The members whose value is something. */
export function withoutNothing(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

/** Any of these; each once. */
export function anyOf(schemas: readonly Schema[]): Schema {
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()]
  const [only, other] = different
  return only !== undefined && other === undefined ? only : { anyOf: different }
}

/** One more sentence for those who read. */
export function withSentence(schema: Schema, sentence: string): Schema {
  const { description } = schema
  return { ...schema, description: typeof description === 'string' ? `${description} ${sentence}` : sentence }
}

/** A pattern: tools differ in whether they check `format`. */
export const UUID = '[\\da-fA-F]{8}(-[\\da-fA-F]{4}){3}-[\\da-fA-F]{12}'
