import { ref, refs, type TestApi, using } from '../support/api'
import { Article, Revision, startBlogs, Tag } from '../support/blogs'
import { singleError } from '../support/expectations'
import { checkedFetch } from '../support/lint'

// Which URLs there are, what may be asked of them, and which headers a request may have.

let api: TestApi
let revision: string

const IDS = ['red', '0', ' ', 'a b', 'a/b', 'ä€😀', "it's", '%', '%2F', '..', 'relationships', 'x'.repeat(40)]

beforeAll(async () => {
  api = await startBlogs({ limits: { urlLength: null } })
  await api.add(Article, { title: 'A' })
  for (const id of IDS) await api.add(Tag, { id, articles: refs('1') })
  revision = await api.add(Revision, { article: ref('1') })
})
afterAll(() => api.close())

/** URLs as `fetch` would not leave them: dots in segments, and broken encodings. */
const segment = (id: string) => (id === '..' ? '%2e%2e' : encodeURIComponent(id))

describe('ids', () => {
  it.each(IDS.filter((id) => id !== '..'))('that are texts may be any text: %j', async (id) => {
    const { status, body } = await api.get(`/tags/${segment(id)}`)
    expect([status, body.data?.id]).toEqual([200, id])
    expect((await api.get(body.data.links.self)).body).toEqual(
      (await api.get(body.data.relationships.articles.links.related.replace('/articles', ''))).body,
    )
    expect((await api.get(body.data.relationships.articles.links.self)).body.data).toEqual([
      { type: 'articles', id: '1' },
    ])
    const filter = encodeURIComponent(`equals(id,'${id.replaceAll("'", "''")}')`)
    expect((await api.get(`/tags?filter=${filter}`)).body.data).toMatchObject([{ id }])
  })

  it.each([
    ['another case', 'tags', 'RED'],
    ['a blank behind', 'tags', 'red '],
    ['a NUL', 'tags', 'red\0'],
    ['a NUL alone', 'tags', '\0'],
    ['more than the column holds', 'tags', 'x'.repeat(41)],
    ['very many characters', 'tags', 'x'.repeat(10_000)],
    ['zeros before', 'articles', '01'],
    ['a sign', 'articles', '+1'],
    ['a blank before', 'articles', ' 1'],
    ['a blank alone', 'articles', ' '],
    ['letters behind', 'articles', '1abc'],
    ['a fraction', 'articles', '1.0'],
    ['an exponent', 'articles', '1e0'],
    ['hexadecimal digits', 'articles', '0x1'],
    ['digits of another script', 'articles', '１'],
    ['a negative number', 'articles', '-1'],
    ['minus zero', 'articles', '-0'],
    ['more than an integer holds', 'articles', '9999999999'],
    ['more than any integer holds', 'articles', '1000000000000000000000000000000'],
    ['very many digits', 'articles', '1'.repeat(5000)],
    ['no digits', 'comments', 'x'],
    ['more than a bigint holds', 'comments', '9223372036854775808'],
    ['no UUID', 'revisions', '1'],
  ])('with %s are those of nobody', async (_what, type, id) => {
    const relationship = type === 'tags' ? 'articles' : type === 'articles' ? 'tags' : 'article'
    for (const rest of ['', `/${relationship}`, `/relationships/${relationship}`]) {
      expect(singleError(await api.get(`/${type}/${segment(id)}${rest}`))).toMatchObject({
        status: 404,
        code: 'resource.not-found',
      })
    }
  })

  it('that are UUIDs may be sent in capitals, and are shown as they are stored', async () => {
    for (const id of [revision, revision.toUpperCase()]) {
      const { body } = await api.get(`/revisions/${id}`)
      expect(body.data).toMatchObject({ id: revision, links: { self: `/revisions/${revision}` } })
      expect((await api.get(`/revisions/${id}/article`)).body.data).toMatchObject({ id: '1' })
    }
  })
})

it.each([
  ['an unknown type', '/article', "'articles'"],
  ['an unknown type with an id', '/article/1', "'articles'"],
  ['an unknown type with a relationship', '/article/1/tags', "'articles'"],
  ['the root', '/', ''],
  ['an empty segment', '/articles//tags', ''],
  ['too many segments', '/articles/1/tags/red', ''],
  ['relationships of nothing', '/articles/1/relationships/', 'relationships'],
])('%s is not found', async (_what, path, hint) => {
  const mistake = singleError(await api.get(path))
  expect(mistake.status).toBe(404)
  expect(mistake.detail).toContain(hint)
})

it.each(['%zz', '%', '%e4', '%c3%28'])('a path with %s is no URL', async (broken) => {
  for (const path of [`/articles/${broken}`, `/${broken}`, `/articles/1/${broken}`]) {
    expect(singleError(await api.get(path))).toMatchObject({ status: 400, code: 'url.malformed' })
  }
})

it.each([
  ['a broken encoding', 'filter=%zz', 'query.filter'],
  ['an unknown parameter', 'filtre=has(tags)', 'query.unknown'],
  ['an unknown family', 'include[tags]=id', 'query.unknown'],
  ['an empty name', '=x', 'query.name'],
  ['an illegal name', 'fil!ter=x', 'query.name'],
])('refuses %s', async (_what, query, code) => {
  for (const path of ['/articles', '/articles/1', '/articles/1/tags', '/articles/1/relationships/tags']) {
    expect(singleError(await api.get(`${path}?${query}`))).toMatchObject({ status: 400, code })
  }
})

it('tells all mistakes of a query string at once', async () => {
  const { body } = await api
    .get('/articles?sort=titel,-viewz&include=tagz&fields[articles]=x&page[size]=0&filter=has(x)&y=1')
    .expect(400)
  expect(body.errors.map(({ source }: { source: { parameter: string } }) => source.parameter)).toEqual([
    'sort',
    'sort',
    'include',
    'fields[articles]',
    'page[size]',
    'filter',
    'y',
  ])
})

describe('methods', () => {
  it.each([
    ['PUT', '/articles', 'GET, HEAD, POST, OPTIONS'],
    ['PATCH', '/articles', 'GET, HEAD, POST, OPTIONS'],
    ['DELETE', '/articles', 'GET, HEAD, POST, OPTIONS'],
    ['POST', '/articles/1', 'GET, HEAD, PATCH, DELETE, OPTIONS'],
    ['PUT', '/articles/1', 'GET, HEAD, PATCH, DELETE, OPTIONS'],
    ['POST', '/articles/1/tags', 'GET, HEAD, OPTIONS'],
    ['PATCH', '/articles/1/tags', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/articles/1/tags', 'GET, HEAD, OPTIONS'],
    ['PUT', '/articles/1/relationships/tags', 'GET, HEAD, PATCH, POST, DELETE, OPTIONS'],
  ])('%s %s is not allowed, and says what is', async (method, path, allowed) => {
    const answer = await api.request(method, path)
    expect(singleError(answer)).toMatchObject({ status: 405, code: 'url.method-not-allowed' })
    expect(answer.headers.allow).toBe(allowed)
    const options = await api.request('OPTIONS', path)
    expect([options.status, options.headers.allow]).toEqual([204, allowed])
  })

  it.each([
    '/articles',
    '/articles?include=tags&sort=-id',
    '/articles/1',
    '/articles/1/tags',
    '/articles/1/relationships/tags',
    '/articles/99',
    '/nothing',
    '/articles?sort=x',
    '/articles/1/nothing',
  ])('HEAD %s is GET without a body', async (path) => {
    const [got, head] = await Promise.all(['GET', 'HEAD'].map((method) => checkedFetch(api.url + path, { method })))
    const headersOf = (response: Response | undefined) =>
      Object.fromEntries(
        [...(response?.headers ?? [])].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name)),
      )
    const text = await got?.text()
    expect(head?.status).toBe(got?.status)
    expect(headersOf(head)).toEqual(headersOf(got))
    expect(Number(head?.headers.get('content-length'))).toBe(Buffer.byteLength(text ?? ''))
    expect(await head?.text()).toBe('')
  })
})

describe('headers', () => {
  const JSON_API = 'application/vnd.api+json'
  const UNKNOWN = 'https://example.com/ext'

  it.each([
    ['nothing', {}],
    ['the media type', { accept: JSON_API }],
    ['a profile', { accept: `${JSON_API}; profile="${UNKNOWN}"` }],
    ['one that can be met among others', { accept: `text/html, ${JSON_API}; q=0.1` }],
    ['a wildcard', { accept: 'text/html, */*; q=0.1' }],
    ['half a wildcard', { accept: 'application/*' }],
    ['a foreign Content-Type without a body', { 'content-type': 'text/plain' }],
    ['the Content-Type without a body', { 'content-type': JSON_API }],
  ])('may say %s', async (_what, headers) => {
    const answer = await api.get('/articles').set(headers)
    expect([answer.status, answer.headers['content-type']]).toEqual([200, JSON_API])
  })

  it.each([
    ['another media type', { accept: 'text/html' }, 406],
    ['a parameter', { accept: `${JSON_API}; charset=utf-8` }, 406],
    ['an unknown extension', { accept: `${JSON_API}; ext="${UNKNOWN}"` }, 406],
    ['no weight', { accept: `${JSON_API}; q=0` }, 406],
    ['a Content-Type with a parameter', { 'content-type': `${JSON_API}; charset=utf-8` }, 415],
    ['a Content-Type with an unknown extension', { 'content-type': `${JSON_API}; ext="${UNKNOWN}"` }, 415],
  ])('may not say %s', async (_what, headers, status) => {
    expect(singleError(await api.get('/articles').set(headers as unknown as Record<string, string>)).status).toBe(
      status,
    )
  })
})

describe('below a path', () => {
  it('all links start with it', async () => {
    await using(startBlogs({ mountPath: '/api/v1' }), async (mounted) => {
      for (const id of ['x', 'y']) await mounted.add(Tag, { id })
      await mounted.add(Article, { title: 'A', tags: refs('x', 'y') })
      for (const path of [
        '/articles?include=tags&page[size]=1',
        '/articles/1?include=tags.articles',
        '/articles/1/tags?page[size]=1',
        '/articles/1/relationships/tags?page[size]=1',
        '/articles/1/blog',
        '/articles/1/relationships/blog',
      ]) {
        const { text } = await mounted.get(`/api/v1${path}`).expect(200)
        const links = [...text.matchAll(/"(?:self|related|first|last|prev|next)":"([^"]*)"/g)].map(
          ([, url]) => url ?? '',
        )
        expect(links.length).toBeGreaterThan(0)
        expect(links.filter((url) => !url.startsWith('/api/v1/'))).toEqual([])
        for (const url of links) await mounted.get(url).expect(200)
      }
      await mounted.get('/api/v1/article').expect(404)
    })
  })
})

it('the root has nothing, and tells where something is', async () => {
  const { status, body } = await api.get('/')
  expect([status, body.errors[0].detail]).toEqual([
    404,
    "Nothing is at '/': each resource type has a URL of its own, as '/blogs'.",
  ])
})
