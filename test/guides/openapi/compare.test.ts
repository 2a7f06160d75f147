import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compareOpenApi, createJsonApi, type OpenApiDocument } from 'stemma'
import { runCommand } from '../../../src/cli/run-command'
import { openDatabase } from '../../support/database'
import { Human, Man, Woman } from '../../support/humans'

// biome-ignore lint/suspicious/noExplicitAny: tests change documents in every place
type Any = any

let folder: string
let humans: OpenApiDocument
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stemma-openapi-'))
  const { dataSource, close } = await openDatabase([Human, Man, Woman])
  humans = createJsonApi({ dataSource, resources: [Human, Man, Woman], startUp: 'quiet' }).openApi()
  await close()
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Each change in a line, once the document was changed so. */
function changesBy(change: (document: Any) => void, before: (document: Any) => void = () => {}): readonly string[] {
  const older = structuredClone(humans) as Any
  before(older)
  const newer = structuredClone(older)
  change(newer)
  return compareOpenApi(older, newer).map(({ effect, at, change: words }) => `${effect}: ${at} ${words}`)
}

const attributesOf = (document: Any, name: string) => document.components.schemas[name].properties.attributes
const manOf = (document: Any) => attributesOf(document, 'men').properties
const newManOf = (document: Any) => attributesOf(document, 'men.create')
const operationOf = (document: Any, method: string, path: string) => document.paths[path][method]

it('finds nothing between a document and itself, whatever is said of it', () => {
  expect(changesBy(() => {})).toEqual([])
  const retold = changesBy((document) => {
    document.info.title = 'Family'
    manOf(document).name.description = 'What he is called.'
    operationOf(document, 'get', '/men').summary = 'Men'
  })
  expect(retold).toEqual([])
})

it.each<[string, (document: Any) => void, readonly string[]]>([
  [
    'a path that is gone',
    (document) => delete document.paths['/men/{id}/wife'],
    ['breaking: GET /men/{id}/wife is gone'],
  ],
  ['a method that is gone', (document) => delete document.paths['/men'].post, ['breaking: POST /men is gone']],
  [
    'a method that is new',
    (document) => Object.assign(document.paths['/men'], { put: { responses: {} } }),
    ['compatible: PUT /men is new'],
  ],
  [
    'an operation that will go',
    (document) => Object.assign(operationOf(document, 'get', '/men'), { deprecated: true }),
    ['compatible: GET /men is deprecated now'],
  ],
  [
    'an attribute that is shown no more',
    (document) => delete manOf(document).hasBeard,
    ['breaking: men /attributes /hasBeard is gone'],
  ],
  [
    'an attribute that is shown besides',
    (document) => Object.assign(manOf(document), { age: { type: 'integer' } }),
    ['compatible: men /attributes /age is new'],
  ],
  [
    'an attribute that can be null',
    (document) => Object.assign(manOf(document).name, { type: ['string', 'null'] }),
    ['breaking: men /attributes /name can be null now'],
  ],
  [
    'an attribute of another type',
    (document) => Object.assign(manOf(document).hasBeard, { type: 'string' }),
    [
      'breaking: men /attributes /hasBeard can be string now',
      'compatible: men /attributes /hasBeard is never boolean any more',
    ],
  ],
  [
    'an attribute that may be sent besides',
    (document) => Object.assign(newManOf(document).properties, { age: { type: 'integer' } }),
    ['compatible: men.create /attributes /age is new'],
  ],
  [
    'an attribute that must be sent besides',
    (document) => {
      newManOf(document).properties.age = { type: 'integer' }
      newManOf(document).required.push('age')
    },
    ['breaking: men.create /attributes /age is new, and demanded'],
  ],
  [
    'an attribute that may be left out',
    (document) => Object.assign(newManOf(document), { required: [] }),
    ['compatible: men.create /attributes /name may be left out now'],
  ],
  [
    'a shorter text',
    (document) => Object.assign(newManOf(document).properties.name, { maxLength: 5 }),
    ['breaking: men.create /attributes /name maxLength was 80, is 5'],
  ],
  [
    'a longer text',
    (document) => Object.assign(newManOf(document).properties.name, { maxLength: 500 }),
    ['compatible: men.create /attributes /name maxLength was 80, is 500'],
  ],
  [
    'one more type in a choice of answers',
    (document) => {
      document.components.schemas.children = { properties: { type: { const: 'children' } }, type: 'object' }
      document.components.schemas.humans.oneOf.push({ $ref: '#/components/schemas/children' })
    },
    [
      "breaking: humans can be the type 'children' now",
      "breaking: humans.document.or-null /data can be the type 'children' now",
    ],
  ],
  [
    'one more type that may be sent',
    (document) => {
      document.components.schemas.children = { properties: { type: { const: 'children' } }, type: 'object' }
      document.components.schemas['humans.create'].oneOf.push({ $ref: '#/components/schemas/children' })
    },
    ["compatible: humans.create can be the type 'children' now"],
  ],
  [
    'one type less that may be sent',
    (document) => document.components.schemas['humans.create'].oneOf.pop(),
    ["breaking: humans.create is never the type 'women' any more"],
  ],
  [
    'a parameter that is gone',
    (document) => operationOf(document, 'get', '/men').parameters.shift(),
    ["breaking: GET /men, the query parameter 'filter' is gone"],
  ],
  [
    'a sort key that is gone',
    (document) => document.components.parameters['men.sort'].schema.items.anyOf[0].enum.shift(),
    ['breaking: GET /men, the query parameter \'sort\' /* is never "hasBeard" any more'],
  ],
  [
    'a header that is demanded',
    (document) => {
      document.components.parameters['If-Match'].required = true
      for (const path of Object.keys(document.paths)) if (path !== '/men/{id}') delete document.paths[path].patch
      for (const path of Object.keys(document.paths)) delete document.paths[path].delete
    },
    expect.arrayContaining(["breaking: PATCH /men/{id}, the header parameter 'If-Match' is demanded now"]) as never,
  ],
  [
    'another success',
    (document) => Object.assign(operationOf(document, 'post', '/men').responses, { 202: { description: 'Later.' } }),
    ['breaking: POST /men, 202 can be answered now'],
  ],
  [
    'another mistake',
    (document) => Object.assign(operationOf(document, 'get', '/men').responses, { 401: { description: 'Who?' } }),
    ['compatible: GET /men, 401 can be answered now'],
  ],
  [
    'a header that is answered no more',
    (document) => delete operationOf(document, 'post', '/men').responses[201].headers.Location,
    ['breaking: POST /men, 201 has no header Location any more'],
  ],
])('finds %s', (_what, change, expected) => {
  expect(changesBy(change).toSorted()).toEqual(Array.isArray(expected) ? expected.toSorted() : expected)
})

it('tells a type that others derive from now from one that is gone', () => {
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

  async function run(...words: readonly string[]) {
    const lines: string[] = []
    const status = await runCommand(words, (line) => void lines.push(line))
    return { status, lines }
  }

  it('prints what breaks clients first, and fails', async () => {
    const newer = structuredClone(humans) as Any
    manOf(newer).age = { type: 'integer' }
    delete manOf(newer).hasBeard
    expect(await run('openapi-diff', write('older.json', humans), write('newer.json', newer))).toEqual({
      status: 1,
      lines: [
        'breaking: men /attributes /hasBeard is gone',
        'compatible: men /attributes /age is new',
        '1 breaking, 1 compatible',
      ],
    })
  })

  it('is content where nothing breaks', async () => {
    const file = write('older.json', humans)
    expect(await run('openapi-diff', file, file)).toEqual({ status: 0, lines: ['0 breaking, 0 compatible'] })
  })

  it.each<[string, readonly string[], RegExp]>([
    ['one file', ['a.json'], /^Expected two files/],
    ['three files', ['a.json', 'b.json', 'c.json'], /^Expected two files/],
    ['a file that is not there', ['none.json', 'none.json'], /^none\.json can't be read/],
  ])('wants two documents, and is given %s', async (_what, words, message) => {
    const { status, lines } = await run('openapi-diff', ...words)
    expect(status).toBe(2)
    expect(lines[0]).toMatch(message)
  })

  it('wants documents of OpenAPI', async () => {
    const file = write('other.json', { name: 'x' })
    expect(await run('openapi-diff', file, file)).toEqual({
      status: 2,
      lines: Array(2).fill(`${file} is no OpenAPI document.`),
    })
  })
})
