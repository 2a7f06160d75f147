/** Returns a value of an option as a developer wrote it: text in quotes. */
export function showChoice(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}
