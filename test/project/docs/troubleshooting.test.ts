import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './snippets'

const PAGE = readFileSync(join(ROOT, 'docs/troubleshooting.md'), 'utf8')

/** Sections whose tables quote messages of the library. A section ends where messages of other packages begin. */
const SECTIONS = ['At start-up', 'Warnings', 'Responses to requests']

const quoted = SECTIONS.flatMap((heading) => {
  const [, section = ''] = PAGE.split(`## ${heading}\n`)
  const [own = ''] = section.split(/^## |^These come from/m)
  return [...own.matchAll(/^\| `([^`]+)`/gm)].map(([, text = '']) => ({ heading, text }))
})

const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => readFileSync(join(ROOT, 'src', path), 'utf8'))
  .join('\n')

it.each(SECTIONS)('quotes messages in "%s"', (heading) => {
  expect(quoted.filter((each) => each.heading === heading).length).toBeGreaterThan(2)
})

it('quotes only messages that the library has', () => {
  const missing = quoted.filter(({ text }) => !patternOf(text).test(sources)).map(({ text }) => text)
  expect(missing).toEqual([])
})

/** ‹class› stands for a placeholder of the template. */
function patternOf(text: string): RegExp {
  const parts = text.split(/‹[^›]*›/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(parts.join('(?:\\$\\{[^\\n]*?\\}|\\S+?)'))
}
