import { text } from 'node:stream/consumers'
import { type ApiOptions, apiOver, type TestApi, using } from '../../support/api'
import { BLOGS, Blog } from '../../support/blogs'
import { DATABASE, openDatabase, openFile } from '../../support/database'
import { setUp } from '../../support/set-up'
import { startServerOn } from '../../support/start-server-on'
import { open } from './support/slow-reading'

// Lists that are too long for memory are read while they are sent.

/** More rows than are read at once: src/store/typeorm/read-long.ts. */
const COUNT = 5_115

const database = setUp(async () => {
  // What is in memory is read at once.
  const opened = await (DATABASE === 'sqlite' ? openFile(BLOGS) : openDatabase(BLOGS))
  const titles = Array.from({ length: COUNT }, (_, index) => ({ title: `Blog ${index} of “many”` }))
  const blogs = opened.dataSource.getRepository(Blog)
  for (let from = 0; from < COUNT; from += 1000) await blogs.insert(titles.slice(from, from + 1000))
  return opened
})

async function start(options: ApiOptions): Promise<TestApi> {
  const common: ApiOptions = { page: { size: null, maximumSize: null }, totals: 'off' }
  const server = await startServerOn(database, { resources: BLOGS, ...common, ...options })
  return apiOver(database, server, server.close)
}

const idsOf = (document: { data: readonly { id: string }[] }) => document.data.map(({ id }) => id)

describe('a long list', () => {
  const api = setUp(() => start({ streamFrom: 10_000 }))
  const whole = setUp(() => start({ streamFrom: null }))

  it.each([
    '/blogs',
    '/blogs?include=',
    '/blogs?sort=-title&fields[blogs]=title',
    "/blogs?filter=not(equals(title,'Blog 7 of “many”'))",
    '/blogs?page[size]=2000&page[number]=1',
    '/blogs?page[size]=2000&page[number]=2',
    '/blogs?page[size]=2000&page[number]=3',
    `/blogs?page[size]=${COUNT}`,
    `/blogs?page[size]=${COUNT - 1}`,
  ])('is the same text as in one piece: %s', async (url) => {
    // Another test here holds all of them against JSON:API.
    const [streamed, held] = [await open(api.url + encodeURI(url)), await open(whole.url + encodeURI(url))]
    const length = streamed.headers['content-length']
    expect([streamed.statusCode, length, held.statusCode]).toEqual([200, undefined, 200])
    expect((await text(streamed)) === (await text(held))).toBe(true)
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
  await using(start({ streamFrom: 0 }), async (api) => {
    const { status, body } = await api.get('/blogs')
    expect([status, new Set(idsOf(body)).size]).toEqual([200, COUNT])
    // What is short is made of pieces alone.
    expect(idsOf((await api.get('/blogs?page[size]=2')).body).length).toBe(2)
  })
})
