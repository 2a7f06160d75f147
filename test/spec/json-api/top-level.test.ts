import { attributeValues, expectError } from '../../support/expectations'
import { checkedFetch } from '../../support/lint'
import { setUp } from '../../support/set-up'
import { ACCEPT } from '../../support/walk'
import { newArticle, person, startArticles, tags } from '../support/articles'
import { identifiersOf, membersNamed, namesOf, resourcesOf } from '../support/parts'

// https://jsonapi.org/format/1.1/#document-structure, https://jsonapi.org/format/1.1/#document-top-level

const api = setUp(() =>
  startArticles({
    describedBy: '/described.json',
    before: (request, response, next) => {
      if (request.path !== '/described.json') return next()
      response.type('application/json').send('{"openapi":"3.1.0"}')
    },
  }),
)

const INCLUDING = '/articles/1?include=author,comments.author,tags,cover'

/** One of each kind of document. */
const ANSWERS = [
  ['a collection', 'GET', '/articles?include=author', 200],
  ['an empty collection', 'GET', '/articles/2/comments?include=author', 200],
  ['a resource', 'GET', INCLUDING, 200],
  ['an empty to-one relationship', 'GET', '/articles/2/author?include=articles', 200],
  ['linkage', 'GET', '/articles/1/relationships/comments?include=comments', 200],
  ['empty linkage', 'GET', '/articles/2/relationships/author', 200],
  ['an error of the query string', 'GET', '/articles?include=nope&sort=nope', 400],
  ['an error beside include', 'GET', '/articles/999?include=author', 404],
  ['an endpoint that is switched off', 'POST', '/logs', 403],
  ['an unknown path', 'GET', '/nowhere', 404],
  ['an unknown method', 'PUT', '/articles/1', 405],
] as const

const post = (body: unknown, path = '/articles') => api.post(path).send(body)

describe('documents', () => {
  it('DS-1 are JSON in UTF-8 without a byte order mark', async () => {
    const title = 'Höhe “x” 木 🌲'
    const { body: created } = await post(newArticle({ title }))
    const response = await checkedFetch(`${api.url}/articles/${created.data.id}`)
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect(bytes[0]).toBe('{'.charCodeAt(0))
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    expect(text).toContain(title) // anchor: R/J-03
    expect(JSON.parse(text).data.attributes.title).toBe(title)
  })

  it.each([
    ['broken', '{ "data": '],
    ['followed by more', '{ "data": null } x'],
    ['not UTF-8', Buffer.from('7b2264617461223a22ff227d', 'hex')],
  ])('DS-1 return 400 when they are %s', async (_what, rawBody) => {
    expectError(await api.unchanged(() => api.post('/articles').send(rawBody)), 400)
  })

  it.each([['[]'], ['"x"'], ['null'], ['1']])('DS-2 return 400 when they are %s', async (rawBody) => {
    const answer = await api.unchanged(() => api.post('/articles').send(rawBody))
    expectError(answer, 400, '')
  })

  it.each(ANSWERS)('DS-2, DS-5, DS-6, DS-7, DS-8, DS-9 have known members: %s', async (_what, method, path, status) => {
    const { body } = await api.request(method, path).expect(status)
    const hasIncluded = status === 200 && path.includes('include')
    const expected = [status === 200 ? 'data' : 'errors', ...(hasIncluded ? ['included'] : [])]
    expect(['data', 'errors', 'included'].filter((name) => name in body)).toEqual(expected)
    const { jsonapi, links = {}, included = [] } = body
    expect([Array.isArray(body), Array.isArray(included), jsonapi]).toEqual([false, true, { version: '1.1' }])
    const known = ['self', 'related', 'describedby', 'first', 'last', 'prev', 'next']
    expect(Object.keys(links).filter((name) => !known.includes(name))).toEqual([])
  })

  it('DS-3 have defined members only', async () => {
    const { body } = await api.get(INCLUDING)
    const resources = resourcesOf(body)
    const relationships = resources.flatMap((each) => Object.values(each.relationships ?? {}))
    expect(namesOf([body])).toEqual(['data', 'included', 'jsonapi', 'links'])
    expect(namesOf(resources)).toEqual(['attributes', 'id', 'links', 'relationships', 'type'])
    expect(namesOf(relationships)).toEqual(['data', 'links', 'meta'])
    expect(namesOf(identifiersOf(resources))).toEqual(['id', 'type'])
    const { errors } = (await api.get('/articles?include=nope')).body
    expect(namesOf(errors)).toEqual(['code', 'detail', 'meta', 'source', 'status', 'title'])
    expect(namesOf(membersNamed('source', errors) as object[])).toEqual(['parameter'])
  })

  it('DS-4 are read without undefined members', async () => {
    const foo = { foo: { bar: [1] } }
    const relationships = {
      author: { data: { ...person(9), ...foo }, ...foo },
      tags: { data: tags(2).map((tag) => ({ ...tag, ...foo })), ...foo },
    }
    const { data } = newArticle({ title: 'Ash' }, relationships)
    const { status, body } = await post({ data: { ...data, ...foo }, ...foo })
    expect([status, body.data.attributes.title]).toEqual([201, 'Ash'])
    const linked = (await api.get(`/articles/${body.data.id}?include=author,tags`)).body.data.relationships
    expect([linked.author.data, linked.tags.data]).toEqual([person(9), tags(2)])
  })
})

describe('links', () => {
  it('DS-10 have the media type of self', async () => {
    const { body, headers } = await api.get('/articles?page[size]=2').set(ACCEPT)
    expect(headers['content-type']).toContain('profile=')
    expect(body.links.self).toEqual({ href: '/articles?page%5Bsize%5D=2', type: headers['content-type'] })
  })

  it.each([
    '/articles?sort=-title&page[size]=2&fields[articles]=title',
    "/articles?filter=or(equals(title,'Title 04'),equals(title,'%C3%A4%2B%26%3D%23%25'))&include=author,tags",
    '/articles/1?include=comments.author&fields[comments]=body',
    '/articles/3/relationships/comments?page[size]=3&page[number]=2',
  ])('DS-11 lead from self to the same document: %s', async (path) => {
    const { body, text } = await api.get(path)
    expect(body.data).not.toEqual([])
    expect((await api.get(body.links.self)).text).toBe(text)
  })

  it.each([
    ['author', { type: 'people', id: '9' }],
    ['comments', [{ id: '5' }, { id: '12' }]],
  ])('DS-12 lead from linkage to the related resources: %s', async (name, expected) => {
    const { related } = (await api.get(`/articles/1/relationships/${name}`)).body.links
    const { relationships } = (await api.get('/articles/1')).body.data
    expect(related).toBe(relationships[name].links.related)
    const { data } = (await api.get(related)).body
    expect(data).toMatchObject(expected)
    expect(resourcesOf({ data })[0]?.attributes).toBeDefined()
  })

  const DESCRIBED = ['/articles', '/articles/1', '/nowhere']
  it.each(DESCRIBED)('DS-13 lead from describedby to a description: %s', async (path) => {
    const { describedby } = (await api.get(path)).body.links
    const response = await fetch(api.url + describedby)
    expect([response.status, await response.json()]).toEqual([200, { openapi: '3.1.0' }])
  })
})

describe('primary data', () => {
  const object = { type: 'people', id: '9', attributes: { name: 'Ida' }, relationships: {}, links: {} }

  it.each([
    ['/people/9', object],
    ['/articles/1/author', object],
    ['/articles/2/author', null],
    ['/articles/1/relationships/author', person(9)],
    ['/articles/2/relationships/author', null],
  ])('DS-14 is one resource object, one identifier or null: %s', async (path, expected) => {
    const { data } = (await api.get(path)).body
    expect({ data }).toMatchObject({ data: expected })
    expect('attributes' in (data ?? {})).toBe(expected === object)
  })

  it.each([
    ['/articles', 10, 'objects'],
    ['/articles/1/comments', 2, 'objects'],
    ['/media', 2, 'objects'],
    ['/articles/2/comments', 0, 'objects'],
    ['/articles/1/relationships/comments', 2, 'identifiers'],
    ['/articles/1/relationships/attachments', 0, 'identifiers'],
  ])('DS-15 is an array of one kind for a collection: %s', async (path, count, kind) => {
    const { data } = (await api.get(path)).body
    expect(data).toHaveLength(count)
    const isObject = (each: object) => 'attributes' in each
    expect(data.every((each: object) => isObject(each) === (kind === 'objects'))).toBe(true)
  })

  it.each([
    ["/articles?filter=equals(title,'Title 07')", ['Title 07']],
    ["/articles?filter=equals(title,'none')", []],
    ['/articles/2/comments', []],
    ['/articles?page[number]=99', []],
  ])('DS-16 is an array even for one resource or none: %s', async (path, titles) => {
    const answer = await api.get(path)
    expect(Array.isArray(answer.body.data)).toBe(true)
    expect(attributeValues(answer, 'title')).toEqual(titles)
  })
})
