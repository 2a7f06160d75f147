import { setUp } from '../../support/api'
import { dataAt, expectError, keysOf } from '../../support/expectations'
import { startArticles } from '../support/articles'

// https://jsonapi.org/format/1.1/#fetching: resources and relationships

const api = setUp(startArticles)

describe('Fetching Resources', () => {
  it('FR-2, FR-3, DS-16 returns an array of resource objects for a collection', async () => {
    const articles = await dataAt(api, '/articles') // anchor: R/A-01, R/A-06
    expect(keysOf(articles).slice(0, 3)).toEqual(['articles 1', 'articles 2', 'articles 3'])
    expect(articles[0].attributes.title).toEqual(expect.any(String))
    expect(await dataAt(api, '/articles/2/comments')).toEqual([])
    expect(await dataAt(api, "/articles?filter=equals(title,'Title 07')")).toMatchObject([{ id: '7' }])
  })

  it('FR-4 returns one resource object for a resource', async () => {
    expect(await dataAt(api, '/articles/1')).toMatchObject({ type: 'articles', id: '1', attributes: {} })
    expect(await dataAt(api, '/articles/1/author')).toMatchObject({ type: 'people', id: '9', attributes: {} })
  }) // anchor: R/A-02, R/A-05

  it('FR-5 returns null for an empty to-one relationship only', async () => {
    expect(await dataAt(api, '/articles/2/author')).toBeNull() // anchor: R/A-05, R/J-02
    await api.get('/articles/999').expect(404)
  })

  const MISSING = ['/articles/999', '/articles/abc', '/articles/1e0', '/tags/nope']
  it.each(MISSING)('FR-6, FR-8, ER-8 returns 404 with details for GET %s', async (path) => {
    const [, type, id] = path.split('/')
    const detail = `There is no resource of type '${type}' with id '${id}'.`
    const { body } = await api.get(path).expect(404)
    const title = 'The resource does not exist.'
    expect(body.errors).toEqual([{ status: '404', code: 'resource.not-found', title, detail }])
  })

  it.each([
    ['/articles/999/#author', 'resource.not-found'],
    ['/articles/1/#nope', 'relationship.not-found'],
    ['/articles/1/#title', 'relationship.not-found'],
  ])('FR-7, FL-5 returns 404 for the related URL and the linkage at %s', async (path, code) => {
    for (const between of ['', 'relationships/'])
      expectError(await api.get(path.replace('#', between)), 404, undefined, code)
  })
})

describe('Fetching Relationships', () => {
  it('FL-2, FL-3, FL-6 returns linkage as primary data, also for an empty relationship', async () => {
    expect(await dataAt(api, '/articles/1/relationships/author')).toEqual({ type: 'people', id: '9' })
    expect(await dataAt(api, '/articles/1/relationships/comments')).toEqual([
      { type: 'comments', id: '5' },
      { type: 'comments', id: '12' },
    ])
    expect(await dataAt(api, '/articles/2/relationships/author')).toBeNull()
    expect(await dataAt(api, '/articles/2/relationships/tags')).toEqual([])
  }) // anchor: R/A-07, R/L-05

  it.each(['author', 'comments'])('FL-4, DS-12, RC-2 returns the links of the relationship: %s', async (name) => {
    const { links } = (await dataAt(api, '/articles/1')).relationships[name]
    const { body } = await api.get(`/articles/1/relationships/${name}`)
    expect(links).toEqual({ self: `/articles/1/relationships/${name}`, related: `/articles/1/${name}` })
    expect(body.links).toMatchObject(links)
  })

  it('FL-7 returns 304 when the client has the current linkage', async () => {
    const path = '/articles/1/relationships/comments'
    const etag = String((await api.get(path)).headers.etag)
    const { status, text } = await api.get(path).set({ 'if-none-match': etag })
    expect([status, text]).toEqual([304, ''])
  })
})
