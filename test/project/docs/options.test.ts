import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ENDPOINT_NAMES, QUERY_PARAMETER_NAMES } from '../../../src/declarations/field-options'
import { DEFAULT_IDEMPOTENCY_OPTIONS } from '../../../src/endpoints/idempotency'
import { DEFAULT_LOAD_SHEDDING, DEFAULT_REQUEST_LIMITS } from '../../../src/graph/options/limits'
import { DEFAULT_API_OPTIONS, DEFAULT_OPEN_API, DEFAULT_OPERATIONS_OPTIONS } from '../../../src/graph/options/options'
import { ROOT } from './snippets'

const page = readFileSync(join(ROOT, 'docs/reference/options.md'), 'utf8')
const [program = ''] = page.match(/^```ts run\n.*?^```$/ms) ?? []
const DECORATORS = ['@Resource', '@Attribute', '@ToOne', '@ToMany']
const ANNOTATIONS = membersOf('src/declarations/field-options.ts', 'Annotations')

/** Options without a default do not exist at run time, so the declarations are read. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  createJsonApi: [
    ...new Set([...membersOf('src/express/create-json-api.ts', 'JsonApiOptions'), ...Object.keys(DEFAULT_API_OPTIONS)]),
  ],
  '@Resource': [...membersOf('src/declarations/field-options.ts', 'ResourceOptions'), ...ANNOTATIONS],
  '@Attribute': [
    ...membersOf('src/declarations/field-options.ts', 'AttributeOptions'),
    ...membersOf('src/declarations/field-options.ts', 'AttributeAnnotations'),
    ...ANNOTATIONS,
  ],
  '@ToOne': [...membersOf('src/declarations/field-options.ts', 'ToOneOptions'), ...ANNOTATIONS],
  '@ToMany': [...membersOf('src/declarations/field-options.ts', 'ToManyOptions'), ...ANNOTATIONS],
}

it.each(Object.entries(OPTIONS))('options.md describes exactly the options of %s', (section, names) => {
  expect(names.length).toBeGreaterThan(1)
  expect(describedIn(section).toSorted()).toEqual(names.toSorted())
})

it.each([
  ['links', Object.keys(DEFAULT_API_OPTIONS.links)],
  ['capabilities', Object.keys(DEFAULT_API_OPTIONS.capabilities)],
  ['endpoints', ENDPOINT_NAMES],
  ['parameters', QUERY_PARAMETER_NAMES],
])('options.md describes the values of %s', (section, names) => {
  const words = new Set(textOf(`### ${section}`).match(/\w+/g))
  expect(names.filter((name) => !words.has(name))).toEqual([])
})

it.each<[section: string, names: readonly string[], defaults: object]>([
  ['page', Object.keys(DEFAULT_API_OPTIONS.page), DEFAULT_API_OPTIONS.page],
  ['operations', Object.keys(DEFAULT_OPERATIONS_OPTIONS), DEFAULT_OPERATIONS_OPTIONS],
  // An object enables the document.
  ['openApi', membersOf('src/graph/options/options.ts', 'OpenApiOptions'), { ...DEFAULT_OPEN_API, served: true }],
  ['limits', Object.keys(DEFAULT_REQUEST_LIMITS), DEFAULT_REQUEST_LIMITS],
  ['loadShedding', Object.keys(DEFAULT_LOAD_SHEDDING), DEFAULT_LOAD_SHEDDING],
  ['idempotency', membersOf('src/endpoints/idempotency.ts', 'IdempotencyOptions'), DEFAULT_IDEMPOTENCY_OPTIONS],
])('options.md has a row with the default for each member of %s', (section, names, defaults) => {
  const rows = rowsOf(section)
  expect(rows.map(([name]) => name).toSorted()).toEqual(names.toSorted())
  const told = rows.filter(([name]) => Object.hasOwn(defaults, name)).map(([name, text]) => [name, readDefault(text)])
  expect(Object.fromEntries(told)).toEqual(defaults)
})

it('errors.md names the limit of each code', () => {
  const errors = readFileSync(join(ROOT, 'docs/reference/errors.md'), 'utf8').split('\n')
  const pairs = limitsAndCodes()
  expect(pairs.length).toBeGreaterThan(Object.keys(DEFAULT_REQUEST_LIMITS).length)
  const unnamed = pairs.filter(([limit, code]) => {
    const row = errors.find((line) => line.startsWith(`| \`${code}\` |`)) ?? ''
    return !row.includes(`\`${limit}\``) && !row.includes(`\`limits.${limit}\``)
  })
  expect(unnamed).toEqual([])
})

it('options.md has a program that uses all options', () => {
  const names = [...describedIn('createJsonApi'), ...DECORATORS.flatMap(describedIn)]
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b[:,]`).test(program))).toEqual([])
})

function membersOf(file: string, declaration: string): readonly string[] {
  const source = readFileSync(join(ROOT, file), 'utf8')
  const [, body = ''] = new RegExp(`^export interface ${declaration}\\b[^{]*\\{\\n(.*?)^\\}`, 'ms').exec(source) ?? []
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map(([, name = '']) => name)
}

/** Headings of the third level, or the first cells of a table. */
function describedIn(section: string): readonly string[] {
  const text = textOf(`## ${section}`)
  const headings = [...text.matchAll(/^### (\w+)$/gm)].map(([, name = '']) => name)
  if (headings.length > 0) return headings
  return [...text.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell = '']) => cell.replaceAll('`', '').split(', '))
}

/** `filterDepth` with `query.filter`, and with `query.sort`. */
function limitsAndCodes(): readonly (readonly [limit: string, code: string])[] {
  return [...textOf('### limits').matchAll(/^\| `(\w+)` .* \d{3} (`.*`) \|$/gm)].flatMap(([, limit = '', codes = '']) =>
    codes.split(', ').map((code) => [limit, code.replaceAll('`', '')] as const),
  )
}

/** The members of an option and their defaults, by its table. */
function rowsOf(section: string): readonly (readonly [name: string, text: string])[] {
  const [, ...rows] = [...textOf(`### ${section}`).matchAll(/^\| (?!-)(.*) \|$/gm)]
  return rows.map(([, row = '']) => {
    const [name = '', , text = ''] = row.split(' | ')
    return [name.replaceAll('`', ''), text]
  })
}

/** `'operations'`, `null`, 60000 (a minute): as JSON. */
function readDefault(text: string): unknown {
  return JSON.parse(
    text
      .replace(/ \(.*\)$/, '')
      .replaceAll('`', '')
      .replaceAll("'", '"'),
  )
}

/** From a heading to the next of its level or above. */
function textOf(heading: string): string {
  const level = heading.indexOf(' ')
  const [, rest = ''] = page.split(`\n${heading}\n`)
  return rest.split(new RegExp(`^#{1,${level}} `, 'm'))[0] ?? ''
}
