import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LEFT_OUT } from './left-out'
import { READING_RULES } from './support/reading-rules'

// Every rule has a test that is named by it, or a reason for having none.

const files = readdirSync(__dirname).filter((name) => name.endsWith('.test.ts') && name !== 'coverage.test.ts')
const tested = files.flatMap((name) => namesIn(readFileSync(join(__dirname, name), 'utf8')))

it('has a test for each rule', () => {
  expect(files.length).toBeGreaterThan(0)
  expect(READING_RULES.filter((rule) => !tested.includes(rule) && !(rule in LEFT_OUT))).toEqual([])
})

it('leaves out none that is tested', () => {
  expect(Object.keys(LEFT_OUT).filter((rule) => tested.includes(rule))).toEqual([])
})

it('knows every rule that it names', () => {
  expect([...tested, ...Object.keys(LEFT_OUT)].filter((rule) => !READING_RULES.includes(rule))).toEqual([])
})

/** `it('F-02: …'` -> `F-02`; the lines of a table, `['F-02', …`, count as well. */
function namesIn(source: string): readonly string[] {
  return [...source.matchAll(/(?:\b(?:it|test|describe)\(|^\s*\[)\s*['"`]([A-Z]-\d\d)\b/gm)].map(
    ([, rule = '']) => rule,
  )
}
