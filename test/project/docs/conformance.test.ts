import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BY_DESIGN, LEFT_OUT, OTHERWISE } from '../../spec/left-out'
import { REQUIREMENTS, SECTIONS } from '../../spec/requirements/requirements'
import { ROOT } from './snippets'

const page = readFileSync(join(ROOT, 'docs/reference/conformance.md'), 'utf8')

/** The rows of the table under a heading, or before the first one. */
function rowsOf(heading?: string): readonly (readonly string[])[] {
  const [before = '', ...sections] = page.split(/^## /m)
  const text = heading === undefined ? before : (sections.find((each) => each.startsWith(`${heading}\n`)) ?? '')
  const lines = text.split('\n').filter((line) => line.startsWith('| '))
  return lines.slice(1).map((line) =>
    line
      .slice(2, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
}

it('conformance.md counts the requirements of every section', () => {
  const counted = [...SECTIONS, { title: 'in all', requirements: REQUIREMENTS }].map(({ title, requirements }) => {
    const count = (reasons: object) => requirements.filter(({ id }) => id in reasons).length
    const [leftOut, byDesign] = [count(LEFT_OUT), count(BY_DESIGN)]
    const tested = requirements.length - leftOut - byDesign
    return [title, ...[requirements.length, tested, leftOut, byDesign].map((each) => (each === 0 ? '' : String(each)))]
  })
  expect(rowsOf()).toEqual(counted)
})

it.each([
  ['Left out', LEFT_OUT],
  ['By design', BY_DESIGN],
  ['Done otherwise', OTHERWISE],
])('conformance.md has the reasons under %s', (heading, reasons) => {
  const titles = new Map(REQUIREMENTS.map(({ id, title }) => [id, title]))
  expect(rowsOf(heading)).toEqual(Object.entries(reasons).map(([id, why]) => [`${id} ${titles.get(id)}`, why]))
})

it('conformance.md names only existing requirements', () => {
  const named = page.match(/\b[A-Z]{2}-\d+\b/g) ?? []
  const known = REQUIREMENTS.map(({ id }) => id)
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter((id) => !known.includes(id))).toEqual([])
})
