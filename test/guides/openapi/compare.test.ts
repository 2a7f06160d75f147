import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createJsonApi, diffOpenApi, type OpenApiDocument } from 'stemma'
import { openDatabase } from '../../support/database'
import { Human, Man, Woman } from '../../support/humans'
import { run } from '../command-line/support/run'

// biome-ignore lint/suspicious/noExplicitAny: tests change every part of a document
type Any = any

let folder: string
let humans: OpenApiDocument
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stemma-openapi-'))
  const { dataSource, close } = await openDatabase([Human, Man, Woman])
  humans = createJsonApi({ dataSource, resources: [Human, Man, Woman], startupLog: 'quiet' }).openApi()
  await close()
})
afterAll(() => rmSync(folder, { recursive: true }))

const INTEGER = { type: 'integer' }
const LATER = { description: 'Later.' }

/** The differences after a change of the document, one per line. */
function changesBy(change: (document: Any) => unknown): readonly string[] {
  const changed = structuredClone(humans)
  change(changed)
  return diffOpenApi(humans, changed).map(({ impact, location, change: words }) => `${impact}: ${location} ${words}`)
}

const { assign } = Object
const responses = ({ paths }: Any, method: string) => paths['/men'][method].responses
const typesOf = ({ components }: Any, name: string) => components.schemas[name].oneOf
const limitName = (document: Any, maxLength: number) => assign(newManOf(document).properties.name, { maxLength })
const attributesOf = (document: Any, name: string) => document.components.schemas[name].properties.attributes
const manOf = (document: Any) => attributesOf(document, 'men').properties
const newManOf = (document: Any) => attributesOf(document, 'men.create')

function demandAge({ properties, required }: Any): void {
  properties.age = INTEGER
  required.push('age')
}

/** Adds `children` to the choice of a schema. */
function addChildren({ components: { schemas } }: Any, choice: string): void {
  schemas.children = { properties: { type: { const: 'children' } }, type: 'object' }
  schemas[choice].oneOf.push({ $ref: '#/components/schemas/children' })
}

it('reports nothing for equal documents, and nothing for titles, descriptions and summaries', () => {
  expect(changesBy(() => {})).toEqual([])
  const changes = changesBy((document) => {
    document.info.title = 'Family'
    manOf(document).name.description = 'His name.'
    document.paths['/men'].get.summary = 'Men'
  })
  expect(changes).toEqual([])
})

it.each<[change: string, (document: Any) => unknown]>([
  ['breaking: GET /men/{id}/wife was removed', ({ paths }) => delete paths['/men/{id}/wife']],
  ['breaking: POST /men was removed', ({ paths }) => delete paths['/men'].post],
  ['compatible: PUT /men is new', ({ paths }) => assign(paths['/men'], { put: { responses: {} } })],
  ['compatible: GET /men is deprecated now', ({ paths }) => assign(paths['/men'].get, { deprecated: true })],
  ['breaking: men /attributes /hasBeard was removed', (all) => delete manOf(all).hasBeard],
  ['compatible: men /attributes /age is new', (all) => assign(manOf(all), { age: INTEGER })],
  ['breaking: men /attributes /name can be null now', (all) => assign(manOf(all).name, { type: ['string', 'null'] })],
  [
    'breaking: men /attributes /hasBeard can be string now, compatible: men /attributes /hasBeard is never boolean any more',
    (all) => assign(manOf(all).hasBeard, { type: 'string' }),
  ],
  ['compatible: men.create /attributes /age is new', (all) => assign(newManOf(all).properties, { age: INTEGER })],
  ['breaking: men.create /attributes /age is new and required', (all) => demandAge(newManOf(all))],
  ['compatible: men.create /attributes /name is optional now', (all) => assign(newManOf(all), { required: [] })],
  ['breaking: men.create /attributes /name maxLength was 80, is 5', (all) => limitName(all, 5)],
  ['compatible: men.create /attributes /name maxLength was 80, is 500', (all) => limitName(all, 500)],
  [
    "breaking: humans can be the type 'children' now, breaking: humans.document.or-null /data can be the type 'children' now",
    (all) => addChildren(all, 'humans'),
  ],
  ["compatible: humans.create can be the type 'children' now", (all) => addChildren(all, 'humans.create')],
  ["breaking: humans.create is never the type 'women' any more", (all) => typesOf(all, 'humans.create').pop()],
  ["breaking: GET /men, the query parameter 'filter' was removed", ({ paths }) => paths['/men'].get.parameters.shift()],
  [
    'breaking: GET /men, the query parameter \'sort\' /* is never "name" any more',
    ({ components }) => components.parameters['men.sort'].schema.items.anyOf[0].enum.shift(),
  ],
  ['breaking: POST /men, 202 can be returned now', (all) => assign(responses(all, 'post'), { 202: LATER })],
  ['compatible: GET /men, 401 can be returned now', (all) => assign(responses(all, 'get'), { 401: LATER })],
  [
    'breaking: POST /men, 201 has no header Location any more',
    (all) => delete responses(all, 'post')[201].headers.Location,
  ],
])('reports %s', (expected, change) => {
  expect(changesBy(change).toSorted().join(', ')).toBe(expected)
})

it('reports a required header of each operation that has it', () => {
  const changes = changesBy(({ components }) => assign(components.parameters['If-Match'], { required: true }))
  expect(changes).toContain("breaking: PATCH /men/{id}, the header parameter 'If-Match' is required now")
})

it('distinguishes a new derived type from a removed type', () => {
  const changes = changesBy((document) => {
    const { schemas } = document.components
    schemas['men.exact'] = schemas.men
    schemas.boys = { ...schemas.men, properties: { ...schemas.men.properties, type: { const: 'boys' } } }
    schemas.men = { oneOf: [{ $ref: '#/components/schemas/men.exact' }, { $ref: '#/components/schemas/boys' }] }
  })
  expect(changes).toContain("breaking: men can be the type 'boys' now")
  expect(changes.filter((line) => line.includes('any more'))).toEqual([])
})

describe('stemma openapi-diff', () => {
  function write(name: string, document: object): string {
    const file = join(folder, name)
    writeFileSync(file, JSON.stringify(document))
    return file
  }

  it('prints breaking changes first, and exits with 1', async () => {
    const newer = structuredClone(humans) as Any
    manOf(newer).age = INTEGER
    delete manOf(newer).hasBeard
    const lines = ['breaking: men /attributes /hasBeard was removed', 'compatible: men /attributes /age is new']
    const found = await run('openapi-diff', write('older.json', humans), write('newer.json', newer))
    expect(found).toEqual({ status: 1, lines: [...lines, '1 breaking, 1 compatible'] })
  })

  it('exits with 0 without breaking changes', async () => {
    const file = write('older.json', humans)
    expect(await run('openapi-diff', file, file)).toEqual({ status: 0, lines: ['0 breaking, 0 compatible'] })
  })

  it.each<[string, readonly string[], RegExp]>([
    ['one file', ['a.json'], /^Expected two files/],
    ['three files', ['a.json', 'b.json', 'c.json'], /^Expected two files/],
    ['a missing file', ['none.json', 'none.json'], /^none\.json can't be read/],
  ])('exits with 2 for %s', async (_what, words, message) => {
    const { status, lines } = await run('openapi-diff', ...words)
    expect(status).toBe(2)
    expect(lines[0]).toMatch(message)
  })

  it('exits with 2 for a file that is not an OpenAPI document', async () => {
    const file = write('other.json', { name: 'x' })
    const lines = Array(2).fill(`${file} is not an OpenAPI document.`)
    expect(await run('openapi-diff', file, file)).toEqual({ status: 2, lines })
  })
})
