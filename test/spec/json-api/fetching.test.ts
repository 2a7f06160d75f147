import type { TestApi } from '../../support/api'
import { keysOf } from '../../support/expectations'
import { startArticles } from '../support/articles'

// https://jsonapi.org/format/1.1/#fetching: resources and relationships

let api: TestApi

beforeAll(async () => {
  api = await startArticles()
})
afterAll(() => api.close())

const dataOf = async (path: string) => {
  const { status, body } = await api.get(path)
  expect({ path, status, errors: body.errors }).toEqual({ path, status: 200, errors: undefined })
  return body.data
}
const refusal = async (path: string) => {
  const { status, body } = await api.get(path)
  return `${status} ${body.errors.map(({ code }: { code: string }) => code)}`
}

describe('resources', () => {
  it.each(['/articles', '/articles/1', '/articles/1/author', '/articles/1/comments'])(
    'FR-2 GET %s succeeds with 200',
    async (path) => {
      await api.get(path).expect(200)
    },
  )

  it('FR-3 a collection is an array of resource objects, empty where there are none', async () => {
    const articles = await dataOf('/articles')
    expect(keysOf(articles).slice(0, 3)).toEqual(['articles 1', 'articles 2', 'articles 3'])
    expect(articles[0].attributes.title).toEqual(expect.any(String))
    expect(await dataOf('/articles/2/comments')).toEqual([])
  })

  it('FR-4 an individual resource is one resource object', async () => {
    expect(await dataOf('/articles/1')).toMatchObject({ type: 'articles', id: '1', attributes: {} })
    expect(await dataOf('/articles/1/author')).toMatchObject({ type: 'people', id: '9', attributes: {} })
  })

  it('FR-5 null is for an empty to-one relationship, not for what is missing', async () => {
    expect(await dataOf('/articles/2/author')).toBeNull()
    await api.get('/articles/999').expect(404)
  })

  it.each(['/articles/999', '/articles/abc', '/articles/1e0', '/tags/nope'])('FR-6 GET %s is 404', async (path) => {
    expect(await refusal(path)).toBe('404 resource.not-found')
  })

  it.each([
    ['/articles/999/author', 'resource.not-found'],
    ['/articles/1/nope', 'relationship.not-found'],
    ['/articles/1/title', 'relationship.not-found'],
  ])('FR-7 the related URL %s is 404', async (path, code) => {
    expect(await refusal(path)).toBe(`404 ${code}`)
  })

  it('FR-8 what is refused comes with its details', async () => {
    const { body } = await api.get('/articles/999')
    expect(body.errors).toEqual([
      {
        status: '404',
        code: 'resource.not-found',
        title: 'The resource does not exist.',
        detail: "There is no resource of type 'articles' with id '999'.",
      },
    ])
  })

  it('FR-9 HEAD has the headers of GET and no body', async () => {
    const [head, get] = [await api.request('HEAD', '/articles/1'), await api.get('/articles/1')]
    const seen = ({ headers }: typeof get) => ['content-type', 'content-length', 'etag'].map((name) => headers[name])
    expect(seen(get)).not.toContain(null)
    expect([head.status, head.text, seen(head)]).toEqual([200, '', seen(get)])
  })
})

describe('relationships', () => {
  it.each(['author', 'comments'])('FL-2 GET /articles/1/relationships/%s succeeds with 200', async (name) => {
    await api.get(`/articles/1/relationships/${name}`).expect(200)
  })

  it('FL-3 the primary data are linkage', async () => {
    expect(await dataOf('/articles/1/relationships/author')).toEqual({ type: 'people', id: '9' })
    expect(await dataOf('/articles/1/relationships/comments')).toEqual([
      { type: 'comments', id: '5' },
      { type: 'comments', id: '12' },
    ])
  })

  it.each(['author', 'comments'])('FL-4 the links are those of the relationship object: %s', async (name) => {
    const { links } = (await dataOf('/articles/1')).relationships[name]
    const { body } = await api.get(`/articles/1/relationships/${name}`)
    expect(links).toEqual({ self: `/articles/1/relationships/${name}`, related: `/articles/1/${name}` })
    expect(body.links).toMatchObject(links)
  })

  it.each([
    ['/articles/999/relationships/author', 'resource.not-found'],
    ['/articles/1/relationships/nope', 'relationship.not-found'],
  ])('FL-5 %s is 404', async (path, code) => {
    expect(await refusal(path)).toBe(`404 ${code}`)
  })

  it('FL-6 an empty relationship is there', async () => {
    expect(await dataOf('/articles/2/relationships/author')).toBeNull()
    expect(await dataOf('/articles/2/relationships/tags')).toEqual([])
  })

  it('FL-7 what the client has already is 304', async () => {
    const path = '/articles/1/relationships/comments'
    const etag = String((await api.get(path)).headers.etag)
    const { status, text } = await api.get(path).set({ 'if-none-match': etag })
    expect([status, text]).toEqual([304, ''])
  })
})
