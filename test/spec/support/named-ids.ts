/** The requirements that a test is named by: `RO-7, RO-8 fields have …` -> `RO-7`, `RO-8`. */
export function requirementsOf(title: string): readonly string[] {
  const [names = ''] = /^[A-Z]{2}-\d+(?:, [A-Z]{2}-\d+)*\b/.exec(title) ?? []
  return names === '' ? [] : names.split(', ')
}

/** The same for all tests of a file, as they stand in the source: names of tests, and first cells of tables. */
export function requirementsIn(source: string): readonly string[] {
  const titles = source.matchAll(/(?:\b(?:it|test|describe)\(|\)\(|^\s*\[)\s*(['"`])(.*?)\1/gm)
  return [...titles].flatMap(([, , title = '']) => requirementsOf(title))
}
