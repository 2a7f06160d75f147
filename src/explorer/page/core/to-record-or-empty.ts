/** Returns the members of a value; none if it is not an object. */
export function toRecordOrEmpty(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
