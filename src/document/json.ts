/** What JSON can hold. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject

/** An object that is all JSON. Members that are `undefined` are left out of documents. */
export interface JsonObject {
  readonly [member: string]: JsonValue | undefined
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** How a value of a client's document is called in an error message: `null`, `an array`, `a string` ... */
export function describeJson(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
