import { text } from 'node:stream/consumers'
import { type ApiOptions, apiOver, type TestApi } from '../../support/api'
import { BLOGS, Blog } from '../../support/blogs'
import { DATABASE, openDatabase, openFile } from '../../support/database'
import { startServerOn } from '../../support/start-server-on'
import { open } from './support/slow-reading'

// Lists that are too long for memory are read while they are sent.

const COUNT = 4_115

async function start(options: ApiOptions = {}): Promise<TestApi> {
  // What is in memory is read at once.
  const database = await (DATABASE === 'sqlite' ? openFile(BLOGS) : openDatabase(BLOGS))
  const common: ApiOptions = { page: { size: null, maximumSize: null }, totals: 'off' }
  const api = apiOver(database, await startServerOn(database, { resources: BLOGS, ...common, ...options }))
  const titles = Array.from({ length: COUNT }, (_, index) => ({ title: `Blog ${index} of “many”` }))
  const blogs = api.dataSource.getRepository(Blog)
  for (let from = 0; from < COUNT; from += 400) await blogs.insert(titles.slice(from, from + 400))
  return api
}

const idsOf = (document: { data: readonly { id: string }[] }) => document.data.map(({ id }) => id)

describe('a long list', () => {
  let api: TestApi
  let whole: TestApi
  beforeAll(async () => {
    api = await start({ streamFrom: 10_000 })
    whole = await start({ streamFrom: null })
  })
  afterAll(async () => {
    await api.close()
    await whole.close()
  })

  it.each([
    '/blogs',
    '/blogs?include=',
    '/blogs?sort=-title&fields[blogs]=title',
    "/blogs?filter=not(equals(title,'Blog 7 of “many”'))",
    '/blogs?page[size]=2000&page[number]=1',
    '/blogs?page[size]=2000&page[number]=2',
    '/blogs?page[size]=2000&page[number]=3',
    '/blogs?page[size]=4115',
    '/blogs?page[size]=4114',
  ])('is the same text as in one piece: %s', async (url) => {
    const [streamed, held] = [await api.get(url), await whole.get(url)]
    expect(streamed.status).toBe(200)
    expect(streamed.body.data.length).toBe(held.body.data.length)
    expect(streamed.text === held.text).toBe(true)
  })

  it('is one snapshot, also with writes while it is sent', async () => {
    const response = await open(`${api.url}/blogs`)
    const id = await api.dataSource.getRepository(Blog).insert({ title: 'Late' })
    const document = JSON.parse(await text(response))
    await api.dataSource.getRepository(Blog).delete(id.identifiers[0]?.id as never)
    expect(document.data.length).toBe(COUNT)
    expect(new Set(idsOf(document)).size).toBe(COUNT)
  })
})

it('a long list has all of its resources for any threshold of streaming', async () => {
  const api = await start({ streamFrom: 0 })
  try {
    const { status, body } = await api.get('/blogs')
    expect([status, new Set(idsOf(body)).size]).toEqual([200, COUNT])
    // What is short is made of pieces alone.
    expect(idsOf((await api.get('/blogs?page[size]=2')).body).length).toBe(2)
  } finally {
    await api.close()
  }
})
