import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ERRORS } from '../../../src/errors/catalogue'
import { ROOT } from './snippets'

const page = readFileSync(join(ROOT, 'docs/reference/errors.md'), 'utf8')
const rows = [...page.matchAll(/^\| `([\w.-]+\.[\w-]+)` \| (\d{3}) \| (.+) \| (.+) \|$/gm)]
const catalogue = Object.entries(ERRORS)

it('errors.md has each code of the catalogue once, with its status', () => {
  const described = rows.map(([, code, status]) => `${code} ${status}`)
  expect(described.sort()).toEqual(catalogue.map(([code, [status]]) => `${code} ${status}`).sort())
})

it('has a test for each error code', () => {
  const root = join(ROOT, 'test')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(isOwnTest)
  const suite = files.map((path) => readFileSync(join(root, path), 'utf8')).join('\n')
  // Alone, or in a line such as '409 document.type-conflict /data/type'.
  const words = new Set(suite.match(/[a-z]+\.[a-z]+(?:-[a-z]+)*/g))
  expect(files.length).toBeGreaterThan(20)
  expect(catalogue.map(([code]) => code).filter((code) => !words.has(code))).toEqual([])
})

/** Skips the tests of packages in test/interop. */
function isOwnTest(path: string): boolean {
  return path.endsWith('.test.ts') && !path.includes('node_modules')
}
