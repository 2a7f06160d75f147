import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const { compare } = require('../../scripts/compare-reports') as {
  compare(
    names: readonly string[],
    folder: string,
    files: readonly string[],
  ): { readonly lines: readonly string[]; readonly mistakes: readonly string[] }
}

// `npm run verify -- compare` must not pass when a test is left out on one database.

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stemma-reports-'))
})
afterAll(() => rmSync(folder, { recursive: true }))
type Statuses = Readonly<Record<string, 'passed' | 'pending'>>

function report(name: string, file: string, statuses: Statuses): void {
  const assertionResults = Object.entries(statuses).map(([title, status]) => ({ ancestorTitles: [], title, status }))
  const testResults = [{ name: join(__dirname, '..', '..', 'test', file), assertionResults }]
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ testResults }))
}

/** When tests of one file ran on two databases. */
function mistakesOf(file: string, one: Statuses, other: Statuses): readonly string[] {
  report('one', file, one)
  report('other', file, other)
  return compare(['one', 'other'], folder, [`test/${file}`]).mistakes
}

it('finds nothing where the same tests have passed, and tells their number', () => {
  expect(mistakesOf('a.test.ts', { a: 'passed' }, { a: 'passed' })).toEqual([])
  expect(compare(['one', 'other'], folder, []).lines[0]).toMatch(/^one +1 passed, 0 failed, 0 skipped$/)
})

it.each([
  ['is skipped', { a: 'passed', b: 'pending' } as const],
  ['is not there', { a: 'passed' } as const],
])('finds one that %s on one database', (_what, other) => {
  const mistakes = mistakesOf('a.test.ts', { a: 'passed', b: 'passed' }, other)
  expect(mistakes).toEqual(['Not on other, without a reason: test/a.test.ts › b'])
})

it('passes over differences that have a reason', () => {
  const name = 'a value that only the database validates › returns 422 for a range'
  const [one, other] = [{ a: 'passed', [name]: 'passed' } as const, { a: 'passed' } as const]
  expect(mistakesOf('guides/validation/constraints.test.ts', one, other)).toEqual([])
  expect(mistakesOf('guides/validation/others.test.ts', one, other)).toHaveLength(1)
})

it('finds a database without a report', () => {
  report('one', 'a.test.ts', { a: 'passed' })
  const { mistakes } = compare(['one', 'gone'], folder, [])
  expect(mistakes).toEqual(['Not on gone, without a reason: test/a.test.ts › a'])
})

it('finds a file that is in no report', () => {
  report('one', 'a.test.ts', { a: 'passed' })
  report('other', 'a.test.ts', { a: 'passed' })
  expect(compare(['one', 'other'], folder, ['test/a.test.ts', 'test/b.test.ts']).mistakes).toEqual([
    'Not in the report of one: test/b.test.ts',
    'Not in the report of other: test/b.test.ts',
  ])
})

describe('a file that runs on SQLite alone', () => {
  const file = 'modules/query/print.test.ts'
  const mistakes = (names: readonly string[]) => compare(names, folder, [`test/${file}`]).mistakes

  it('may be absent from the reports of other databases', () => {
    report('sqlite', file, { a: 'passed' })
    report('postgres', 'a.test.ts', {})
    expect(mistakes(['sqlite', 'postgres'])).toEqual([])
    expect(mistakes(['postgres'])).toEqual([])
  })

  it('must be in the report of SQLite', () => {
    report('sqlite', 'a.test.ts', {})
    expect(mistakes(['sqlite', 'postgres'])).toEqual([`Not in the report of sqlite: test/${file}`])
    report('postgres', file, { a: 'passed' })
    expect(mistakes(['sqlite', 'postgres'])).toContain(`Not on sqlite, without a reason: test/${file} › a`)
  })
})
