import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ENDPOINTS, PARAMETERS } from '../../src/declarations/field-options'
import { DEFAULT_OPTIONS } from '../../src/graph/options'
import { ROOT } from './snippets'

const page = readFileSync(join(ROOT, 'docs/reference/options.md'), 'utf8')
const [program = ''] = page.match(/^```ts run\n.*?^```$/ms) ?? []
const DECORATORS = ['@Resource', '@Attribute', '@ToOne', '@ToMany']

const NOTES = membersOf('src/declarations/field-options.ts', 'Notes')

/** Options without a default are nowhere at run time: for those the declarations are read. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  createJsonApi: [
    ...new Set([
      ...membersOf('src/express/create-json-api.ts', 'JsonApiConfiguration'),
      ...Object.keys(DEFAULT_OPTIONS),
    ]),
  ],
  '@Resource': [...membersOf('src/declarations/field-options.ts', 'ResourceOptions'), ...NOTES],
  '@Attribute': [
    ...membersOf('src/declarations/field-options.ts', 'AttributeOptions'),
    ...membersOf('src/declarations/field-options.ts', 'AttributeNotes'),
    ...NOTES,
  ],
  '@ToOne': [...membersOf('src/declarations/field-options.ts', 'ToOneOptions'), ...NOTES],
  '@ToMany': [...membersOf('src/declarations/field-options.ts', 'ToManyOptions'), ...NOTES],
}

it.each(Object.entries(OPTIONS))('describes the options of %s, and no others', (section, names) => {
  expect(names.length).toBeGreaterThan(1)
  expect(describedIn(section).toSorted()).toEqual(names.toSorted())
})

it.each([
  ['page', Object.keys(DEFAULT_OPTIONS.page)],
  ['links', Object.keys(DEFAULT_OPTIONS.links)],
  ['capabilities', Object.keys(DEFAULT_OPTIONS.capabilities)],
  ['openApi', membersOf('src/graph/options.ts', 'OpenApiOptions')],
  ['endpoints', ENDPOINTS],
  ['parameters', PARAMETERS],
])('%s: describes what can be in it', (section, names) => {
  const words = new Set(textOf(`### ${section}`).match(/\w+/g))
  expect(names.filter((name) => !words.has(name))).toEqual([])
})

it('has a program that uses all of them', () => {
  const names = [...describedIn('createJsonApi'), ...DECORATORS.flatMap(describedIn)]
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b[:,]`).test(program))).toEqual([])
})

/** The properties that an interface declares. */
function membersOf(file: string, declaration: string): readonly string[] {
  const source = readFileSync(join(ROOT, file), 'utf8')
  const [, body = ''] = new RegExp(`^export interface ${declaration}\\b[^{]*\\{\\n(.*?)^\\}`, 'ms').exec(source) ?? []
  return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name = '']) => name)
}

/** Headings of the third level, or the first cells of a table. */
function describedIn(section: string): readonly string[] {
  const text = textOf(`## ${section}`)
  const headings = [...text.matchAll(/^### (\w+)$/gm)].map(([, name = '']) => name)
  if (headings.length > 0) return headings
  return [...text.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell = '']) => cell.replaceAll('`', '').split(', '))
}

/** From a heading to the next of its level or above. */
function textOf(heading: string): string {
  const level = heading.indexOf(' ')
  const [, rest = ''] = page.split(`\n${heading}\n`)
  return rest.split(new RegExp(`^#{1,${level}} `, 'm'))[0] ?? ''
}
