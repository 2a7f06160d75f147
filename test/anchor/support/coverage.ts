import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Every rule has a test in the folder that is named by it, or a reason for having none. */
export function expectCovered(
  folder: string,
  rules: readonly string[],
  leftOut: Readonly<Record<string, string>>,
): void {
  const files = readdirSync(folder).filter((name) => name.endsWith('.test.ts') && name !== 'coverage.test.ts')
  const tested = files.flatMap((name) => namesIn(readFileSync(join(folder, name), 'utf8')))

  it('has a test for each rule', () => {
    expect(files.length).toBeGreaterThan(0)
    expect(rules.filter((rule) => !tested.includes(rule) && !(rule in leftOut))).toEqual([])
  })

  it('leaves out none that is tested', () => {
    expect(Object.keys(leftOut).filter((rule) => tested.includes(rule))).toEqual([])
  })

  it('knows every rule that it names', () => {
    expect([...tested, ...Object.keys(leftOut)].filter((rule) => !rules.includes(rule))).toEqual([])
  })
}

/** `it('F-02: …'` -> `F-02`; the lines of a table, `['F-02', …`, count as well. */
function namesIn(source: string): readonly string[] {
  return [...source.matchAll(/(?:\b(?:it|test|describe)\(|^\s*\[)\s*['"`]([A-Z]{1,2}-\d\d)\b/gm)].map(
    ([, rule = '']) => rule,
  )
}
