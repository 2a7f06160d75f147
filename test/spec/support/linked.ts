import { ref, refs, type TestApi } from '../../support/api'
import { Article, Blog, Comment, Revision, startBlogs, Tag } from '../../support/blogs'
import { seedFamily } from '../../support/family'
import { startFilledVehicles } from '../../support/filled-vehicles'
import { startHumans } from '../../support/humans'

/** An API with rows, and URLs to start a crawl at. */
export interface Linked {
  readonly url: string
  /** The start of links, if not `url`: a proxy in front of it. */
  readonly base?: string
  readonly starts: readonly string[]
  /** A resource to create, and where. */
  readonly creating: { readonly path: string; readonly data: object }
  close(): Promise<void>
}

const ODD = 'a/b?c#d[é]:\'"%+& '

export async function startHierarchy(): Promise<Linked> {
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

export async function startPages(): Promise<Linked> {
  const api = await startBlogs({
    mountPath: '/api/v1',
    page: { size: 2 },
    describedBy: '/api/v1/blogs',
    clientIds: 'allowed',
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

export async function startCursors(): Promise<Linked> {
  const api = await startBlogs({
    pagination: 'cursors',
    page: { size: 2 },
    includedPages: 'on',
    links: { base: 'request' },
  })
  await stockBlogs(api)
  const starts = ['/articles?sort=-views,title&page[size]=2', '/blogs?include=articles', '/tags?include=articles']
  return { ...api, starts, creating: { path: '/blogs', data: { type: 'blogs', attributes: { title: 'C' } } } }
}

export async function startHierarchies(): Promise<Linked> {
  const base = 'https://api.example.com/v2'
  const api = await startFilledVehicles({
    mountPath: '/inner',
    links: { base },
    page: { size: 3 },
    toOneLinkage: 'always',
  })
  const starts = [
    '/vehicles?include=manufacturer,wheels,engine',
    '/wheels',
    '/engines',
    '/genericProperties?include=value',
  ]
  const creating = { path: '/vehicles', data: { type: 'cars' } }
  return { ...api, base, starts: [...starts, '/vehicles?sort=-weight', '/features'], creating }
}
