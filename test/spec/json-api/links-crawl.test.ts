import { assertExchange, type CrawlOptions, crawl } from 'stemma/testing'
import { CURSOR_PAGINATION_URI } from '../../../src/document/cursor-profile'
import { ref, refs, setUp, type TestApi } from '../../support/api'
import { Article, Blog, Comment, Revision, startBlogs, Tag } from '../../support/blogs'
import { seedFamily } from '../../support/family'
import { startFilledVehicles } from '../../support/filled-vehicles'
import { startHumans } from '../../support/humans'
import { ApiRequest } from '../../support/request'

// Follows every link of every document: https://jsonapi.org/format/1.1/#fetching

const OPTIONS: CrawlOptions = { profiles: [CURSOR_PAGINATION_URI] }

describe.each([
  ['a hierarchy', startHierarchy, 130],
  ['pages, odd ids and odd query strings, under a path', startPages, 100],
  ['cursors, with links to a host', startCursors, 150],
  ['hierarchies on both sides, with links to a proxy', startHierarchies, 100],
])('links of %s', (_what, start, least) => {
  const api = setUp(start)

  it('FR-1, FL-1, RO-5, RO-15, RO-18, PG-6, PG-9, PG-10, LK-2, DS-11, DS-13, HT-1, RC-3 links lead to the documents that the specification promises', async () => {
    const { url, base = url, starts } = api
    const { findings, isComplete, urls } = await crawl(
      fetchOf(api),
      starts.map((path) => base + path),
      OPTIONS,
    )
    expect({ findings, isComplete }).toEqual({ findings: [], isComplete: true })
    expect(urls.length).toBeGreaterThan(least)
  })

  it('CR-9 Location leads to the new resource', async () => {
    const { url, base = url, creating } = api
    const headers = { 'content-type': 'application/vnd.api+json' }
    const sent = { method: 'POST', headers, body: JSON.stringify({ data: creating.data }) }
    const answer = await fetchOf(api)(base + creating.path, sent)
    const exchange = { method: 'POST', url: creating.path, status: answer.status, headers: answer.headers }
    assertExchange({ ...exchange, requestBody: sent.body, body: await answer.text() }, OPTIONS)
    expect(answer.status).toBe(201)
    const location = new URL(answer.headers.get('location') ?? '', base).href
    const { findings, urls } = await crawl(fetchOf(api), [location], { ...OPTIONS, maxUrls: 1 })
    expect({ findings, urls }).toEqual({ findings: [], urls: [location] })
  })
})

/** Rewrites links to a proxy as the proxy does. */
function fetchOf({ url, base }: Linked): typeof fetch {
  return async (input, { method = 'GET', headers = {}, body } = {}) => {
    const asked = base === undefined ? String(input) : String(input).replace(base, `${url}/inner`)
    const sending = new ApiRequest(asked, method, '').send(body).set(headers as Record<string, string>)
    const { text, status, headers: received } = await sending
    return new Response(text, { status, headers: received })
  }
}

/** An API with rows, and URLs to start a crawl at. */
interface Linked {
  readonly url: string
  /** The start of links, if not `url`: a proxy in front of it. */
  readonly base?: string
  readonly starts: readonly string[]
  /** A resource to create, and where. */
  readonly creating: { readonly path: string; readonly data: object }
  close(): Promise<void>
}

const ODD = 'a/b?c#d[é]:\'"%+& '

async function startHierarchy(): Promise<Linked> {
  const api = await startHumans()
  await seedFamily(api)
  const starts = ['/humans?page[size]=5&sort=-name', '/men?include=wife.children,father', '/women?fields[humans]=name']
  const data = { type: 'women', attributes: { name: 'Zoe', maidenName: 'Hill' } }
  return { ...api, starts, creating: { path: '/humans', data } }
}

async function stockBlogs(api: TestApi): Promise<void> {
  for (const id of ['red', ODD, 'ä€😀']) await api.add(Tag, { id })
  await api.add(Blog, { title: 'A' })
  await api.add(Blog, { title: 'B' })
  const tags = refs('red', ODD, 'ä€😀')
  for (const title of ['One', ODD, 'Three', 'Four', 'Five']) await api.add(Article, { title, blog: ref('1'), tags })
  for (const id of ['1', '2', '3']) await api.add(Revision, { article: ref(id === '3' ? '2' : '1') })
  await api.add(Comment, { id: '9007199254740993', article: ref('1') })
  await api.add(Comment, { id: '2', parent: ref('9007199254740993') })
}

async function startPages(): Promise<Linked> {
  const api = await startBlogs({
    mountPath: '/api/v1', // anchor: R/A-16, R/A-18
    page: { size: 2 },
    describedBy: '/api/v1/blogs',
    clientGeneratedIds: 'allowed',
  })
  await stockBlogs(api)
  const odd = encodeURIComponent(`or(equals(title,'${ODD.replace("'", "''")}'),has(tags))`)
  const starts = [
    '/blogs',
    '/articles?page[size]=3&include=tags,blog&sort=-title',
    `/articles?filter=${odd}&fields[articles]=title`,
    '/articles/1/relationships/tags?page[size]=1',
    '/tags',
    '/comments',
  ]
  const creating = { path: '/api/v1/tags', data: { type: 'tags', id: `${ODD}!` } }
  return { ...api, starts: starts.map((path) => `/api/v1${path}`), creating }
}

async function startCursors(): Promise<Linked> {
  const api = await startBlogs({
    pagination: 'cursors',
    page: { size: 2 },
    includedPagination: true,
    links: { base: 'request' },
  })
  await stockBlogs(api)
  const starts = ['/articles?sort=-views,title&page[size]=2', '/blogs?include=articles', '/tags?include=articles']
  return { ...api, starts, creating: { path: '/blogs', data: { type: 'blogs', attributes: { title: 'C' } } } }
}

async function startHierarchies(): Promise<Linked> {
  const base = 'https://api.example.com/v2'
  const api = await startFilledVehicles({
    mountPath: '/inner',
    links: { base },
    page: { size: 3 },
    toOneLinkage: 'always',
  })
  const starts = ['/vehicles?include=manufacturer,wheels,engine', '/genericProperties?include=value']
  const others = ['/vehicles?sort=-weight', '/wheels', '/engines', '/features']
  const creating = { path: '/vehicles', data: { type: 'cars' } }
  return { ...api, base, starts: [...starts, ...others], creating }
}
