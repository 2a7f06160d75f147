import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ERRORS } from '../../../src/errors/catalogue'
import { ROOT } from './snippets'

const page = readFileSync(join(ROOT, 'docs/reference/errors.md'), 'utf8')
const rows = [...page.matchAll(/^\| `([\w.-]+\.[\w-]+)` \| (\d{3}) \| (.+) \| (.+) \|$/gm)]
const catalogue = Object.entries(ERRORS)

it('has every code of the catalogue once, with its status, and no other', () => {
  const described = rows.map(([, code, status]) => `${code} ${status}`)
  expect(described.sort()).toEqual(catalogue.map(([code, [status]]) => `${code} ${status}`).sort())
})

it('is held by the suite: there is a test of each code', () => {
  const root = join(ROOT, 'test')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(isOwnTest)
  const suite = files.map((path) => readFileSync(join(root, path), 'utf8')).join('\n')
  // Alone, or in a line that shows what was answered: '409 document.type-conflict /data/type'.
  const words = new Set(suite.match(/[a-z]+\.[a-z]+(?:-[a-z]+)*/g))
  expect(files.length).toBeGreaterThan(20)
  expect(catalogue.map(([code]) => code).filter((code) => !words.has(code))).toEqual([])
})

/** The clients of test/interop have tests, too. */
function isOwnTest(path: string): boolean {
  return path.endsWith('.test.ts') && !path.includes('node_modules')
}
