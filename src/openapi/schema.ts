import type { JsonObject } from '../document/json'
import type { ResourceType } from '../graph/model/resource-graph'

/** https://spec.openapis.org/oas/v3.1.1.html#schema-object */
export type SchemaObject = JsonObject

/** The members of `components.schemas`. */
export type OpenApiObjectMap = Readonly<Record<string, SchemaObject>>

export function schemaComponentRef(name: string): SchemaObject {
  return { $ref: `#/components/schemas/${name}` }
}

/** Describes an object with required members. Other members are allowed, so that later additions don't break clients. */
export function createOpenObjectSchema(properties: OpenApiObjectMap, required: readonly string[] = []): SchemaObject {
  return { type: 'object', ...(required.length > 0 && { required }), properties }
}

/** Returns a schema that also allows null. */
export function toNullableSchema(schema: SchemaObject): SchemaObject {
  const { type, enum: values } = schema
  if (typeof type === 'string' || Array.isArray(type)) {
    return { ...schema, type: [...[type].flat(), 'null'], ...(Array.isArray(values) && { enum: [...values, null] }) }
  }
  if (Array.isArray(values)) return { ...schema, enum: [...values, null] }
  return Object.keys(schema).length === 0 ? schema : { oneOf: [schema, { type: 'null' }] }
}

export function toArraySchema(items: SchemaObject, more: JsonObject = {}): SchemaObject {
  return { type: 'array', items, ...more }
}

/** Removes members without a value. */
export function omitUndefined(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

/** Describes a choice; equal schemas appear once. */
export function anyOfSchemas(schemas: readonly SchemaObject[]): SchemaObject {
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()]
  const [only, other] = different
  return only !== undefined && other === undefined ? only : { anyOf: different }
}

/** Appends a sentence to the description. */
export function appendDescription(schema: SchemaObject, sentence: string): SchemaObject {
  const { description } = schema
  return { ...schema, description: typeof description === 'string' ? `${description} ${sentence}` : sentence }
}

/** The pattern of a UUID. Some tools don't check `format`. */
export const UUID_PATTERN = '[\\da-fA-F]{8}(-[\\da-fA-F]{4}){3}-[\\da-fA-F]{12}'

/**
 * Returns the name of a component for a type. Names of types contain no dot, but a type may be called `atomic` or `jsonapi`: components that
 * start with these words must not continue with one of the purposes.
 *
 * `men`, `men.create`
 */
export function openApiComponentName({ name }: ResourceType, purpose?: string): string {
  const plain = escapeOpenApiComponentName(name)
  return purpose === undefined ? plain : `${plain}.${purpose}`
}

/**
 * Escapes characters that names of components must not contain. https://spec.openapis.org/oas/v3.1.1.html#components-object
 *
 * `äpfel` -> `.ue4.pfel`
 */
export function escapeOpenApiComponentName(name: string): string {
  return name.replace(/[^\w-]/gu, (letter) => `.u${letter.codePointAt(0)?.toString(16)}.`)
}

/** Joins names to an `operationId`. */
export function toOperationId(...names: readonly (string | undefined)[]): string {
  return names.flatMap((name) => (name === undefined ? [] : escapeOpenApiComponentName(name))).join('.')
}
