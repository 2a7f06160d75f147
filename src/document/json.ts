/** What JSON can hold. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject

/** An object that is all JSON. Members that are `undefined` are left out of documents. */
export interface JsonObject {
  readonly [member: string]: JsonValue | undefined
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
