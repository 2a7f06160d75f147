import { describeApi } from './support/check-api'
import { writeProject } from './support/project'
import { type RunningProgram, startProgram } from './support/running-program'

// The program of docs/guide/testing.md opens a database in PGlite, which the API of docs/guide/frameworks.md uses.

// PGlite takes seconds to start, on a busy machine up to half a minute.
jest.setTimeout(120_000)

const MEDIA_TYPE = 'application/vnd.api+json'

let folder: string
beforeAll(() => {
  folder = writeProject('pglite', 'pglite', (text, path) => (path === 'api.ts' ? useTestDatabase(text) : text))
})

const start = () => startProgram([process.execPath, 'dist/node-http.js'], folder)

function useTestDatabase(api: string): string {
  const replacements = [
    ["import { dataSource } from './data-source'", "import { openTestDatabase } from './test-database'"],
    ['await dataSource.initialize()', 'const { dataSource } = await opened'],
    ['await dataSource.destroy()', 'await (await opened).close()'],
  ] as const
  for (const [original] of replacements) if (!api.includes(original)) throw new Error(`api.ts has no ${original}`)
  const changed = replacements.reduce((text, [original, replacement]) => text.replace(original, replacement), api)
  return `${changed}\nconst opened = openTestDatabase()\n`
}

describeApi({ start, notFound: '' })

describe('parallel requests', () => {
  let program: RunningProgram
  beforeAll(async () => {
    program = await start()
  })
  afterAll(() => program?.terminate())

  async function send(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) {
    const response = await fetch(`${program.url}/api/${path}`, {
      method,
      headers: { 'content-type': MEDIA_TYPE, connection: 'close', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }

  const note = (text: unknown) => ({ data: { type: 'notes', attributes: { text } } })

  it('are answered one after the other, and a write that fails undoes only its own rows', async () => {
    const add = (text: string) => ({ op: 'add', ...note(text) })
    const requests = Array.from({ length: 20 }, (_, index) => {
      if (index % 2 === 0) return send('POST', 'notes', note(`kept ${index}`))
      const operations = [add(`undone ${index}`), { op: 'remove', ref: { type: 'notes', id: '999' } }]
      return send(
        'POST',
        'operations',
        { 'atomic:operations': operations },
        {
          'content-type': `${MEDIA_TYPE};ext="https://jsonapi.org/ext/atomic"`,
        },
      )
    })
    const statuses = (await Promise.all(requests)).map(({ status }) => status)
    expect(statuses).toEqual(statuses.map((_, index) => (index % 2 === 0 ? 201 : 404)))
    const { body } = await send('GET', 'notes?page[size]=100')
    const texts = body.data.map(({ attributes }: { attributes: { text: string } }) => attributes.text)
    expect(texts.sort()).toEqual(statuses.flatMap((status, index) => (status === 201 ? [`kept ${index}`] : [])).sort())
  })
})
