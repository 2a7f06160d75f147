import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ANCHOR_RULES, WITHOUT_TEST } from './anchor-catalogue'

const TESTS = join(__dirname, '..')
const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.test.ts'))
const tested = new Set(files.flatMap((path) => idsIn(readFileSync(join(TESTS, path), 'utf8'))))

/** Ids in a column, `'R/F-02'`, or in a comment, `anchor: R/F-02, R/F-03`. */
function idsIn(source: string): readonly string[] {
  const columns = source.match(/(?<=['"`])[RWO]\/[A-Z]{1,2}-\d\d(?=['"`: ,])/g) ?? []
  const comments = source.match(/anchor: .*/g) ?? []
  return [...columns, ...comments.flatMap((comment) => comment.match(/\b[RWO]\/[A-Z]{1,2}-\d\d\b/g) ?? [])]
}

describe('the catalogue of JsonApiDotNetCore', () => {
  it('has a test or a reason for each rule, never both', () => {
    expect(ANCHOR_RULES.length).toBeGreaterThan(400)
    expect(ANCHOR_RULES.filter((id) => !tested.has(id) && !(id in WITHOUT_TEST))).toEqual([])
    expect(Object.keys(WITHOUT_TEST).filter((id) => tested.has(id))).toEqual([])
  })

  it('contains each id that a test or a reason names', () => {
    expect([...tested, ...Object.keys(WITHOUT_TEST)].filter((id) => !ANCHOR_RULES.includes(id))).toEqual([])
  })
})
