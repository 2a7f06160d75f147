import { equals } from 'stemma'
import { define, setUp } from '../../support/api'
import { outcomeOf } from '../../support/expectations'
import { startServer } from '../../support/server'
import { Article, RESOURCES } from '../support/article-models'
import { newArticle, person, startArticles, tags } from '../support/articles'

// https://jsonapi.org/format/1.1/#crud, https://jsonapi.org/format/1.1/#crud-creating

const api = setUp(startArticles)
const NEW = newArticle({ title: 'Ash' })
const LOG = { data: { type: 'logs', id: '1', attributes: { text: 'New' } } }
let count = 0
/** A document of a tag whose id and label are new. */
function newTag() {
  count += 1
  const id = `10000000-0000-4000-8000-${String(count).padStart(12, '0')}`
  return { data: { type: 'tags', id, attributes: { label: `new ${count}` } } }
}

async function created(path: string, body: unknown) {
  const { headers, body: document } = await api.post(path).send(body).expect(201)
  return { data: document.data, location: headers.location ?? '' }
}

describe('a read-only type', () => {
  it.each([
    ['POST', '/logs'],
    ['PATCH', '/logs/1'],
    ['DELETE', '/logs/1'],
  ])('WR-1, CR-13 returns 403 for %s before it reads the body', async (method, path) => {
    await api.get('/logs/1').expect(200)
    for (const body of [LOG, '{']) {
      const response = await api.unchanged(() => api.request(method, path).send(body))
      expect(outcomeOf(response)).toBe('403 endpoint.disabled')
      expect(response.body.errors[0].detail).toContain(`${method} ${path}`)
    }
  }) // anchor: W/A-11, W/A-12, W/A-13
})

describe('POST of a resource', () => {
  it('CR-1, CR-4 stores the attributes and the linkage', async () => {
    const attributes = { title: 'Elm', body: 'Tall', views: 7, extra: { a: [1] } }
    const relationships = { author: { data: person(2) }, tags: { data: tags(1, 4, 4) } }
    const { data } = await created('/articles', newArticle(attributes, relationships))
    const { body } = await api.get(`/articles/${data.id}?include=author,tags`)
    expect(body.data.attributes).toMatchObject(attributes)
    expect(body.data.relationships).toMatchObject({ author: { data: person(2) }, tags: { data: tags(1, 4) } })
  }) // anchor: W/A-01, W/E-06, W/E-07

  it('RO-9 stores any JSON', async () => {
    const extra = { links: { a: 1 }, relationships: [null], n: { x: [1, { y: null }] }, type: true, id: 0.5 }
    for (const value of [extra, [], [[]], '', 'x', 0, -1.5e9, true, false, null, {}]) {
      const { location } = await created('/articles', newArticle({ title: 'Ash', extra: value }))
      expect((await api.get(location)).body.data.attributes.extra).toEqual(value)
    }
  })

  it('RI-4, RI-5 links a new resource to itself by its local id', async () => {
    const itself = { type: 'people', lid: 'me' }
    const relationships = { bestFriend: { data: itself } }
    const { data } = await created('/people', { data: { ...itself, attributes: { name: 'Ash' }, relationships } })
    expect((await api.get(`/people/${data.id}/relationships/bestFriend`)).body.data).toEqual(person(data.id))
  })

  it('CR-5 stores the UUID that the client gives', async () => {
    const tag = newTag()
    expect((await created('/tags', tag)).data).toMatchObject(tag.data)
    expect((await api.get(`/tags/${tag.data.id}`)).body.data.attributes).toEqual(tag.data.attributes)
  }) // anchor: W/E-04, W/F-03

  it('RO-2, CR-7, CR-8, CR-9 returns 201 with the resource and its URL in Location', async () => {
    for (const [path, body, attributes] of [
      ['/articles', NEW, { title: 'Ash', body: null, views: 0 }],
      ['/media', { data: { type: 'images' } }, { title: '' }],
    ] as const) {
      const { data, location } = await created(path, body)
      expect([location, data.attributes]).toMatchObject([`/${body.data.type}/${data.id}`, attributes])
      expect(data.links.self).toBe(location)
      expect((await api.get(location)).body.data).toEqual(data)
    }
  }) // anchor: W/D-13, W/E-01, W/E-05

  it('CR-10 returns 201 without data when a rule hides the new resource', async () => {
    const definitions = [define(Article, { filter: () => equals('title', 'Oak') })]
    const server = await startServer({ dataSource: api.dataSource, resources: RESOURCES, definitions })
    const { status, headers, body } = await server.post('/articles').send(NEW)
    await server.close()
    expect([status, body]).toEqual([201, { jsonapi: { version: '1.1' }, meta: {} }])
    expect((await api.get(headers.location ?? '')).body.data.attributes.title).toBe('Ash')
  }) // anchor: W/M-05

  it('CR-11 returns 202 and stores nothing when a job creates the resource', async () => {
    const body = { data: { type: 'exports', attributes: { name: 'large trees' } } }
    await api.post('/exports').send(body).expect(202)
    expect((await api.get("/exports?filter=equals(name,'large trees')")).body.data).toEqual([])
  })

  it('CR-12 returns 204 with Prefer: return=minimal unless the server has added something', async () => {
    const prefer = { prefer: 'return=minimal' }
    const { text } = await api.post('/tags').send(newTag()).set(prefer).expect(204)
    expect(text).toBe('')
    const { body } = await api.post('/articles').send(NEW).set(prefer).expect(201)
    expect(body.data.attributes.updatedAt).toEqual(expect.any(String))
  })

  it.each(['images', 'videos'])('CR-16 accepts each concrete type of an abstract collection: %s', async (type) => {
    expect((await created('/media', { data: { type } })).data.type).toBe(type)
  })

  it('CR-15, CR-17 returns 409 for an id that is taken', async () => {
    const tag = newTag()
    await created('/tags', tag)
    const other = { data: { ...tag.data, attributes: { label: 'other' } } }
    const response = await api.unchanged(() => api.post('/tags').send(other))
    expect(outcomeOf(response)).toBe('409 resource.id-exists /data/id')
  }) // anchor: W/F-06
})

describe('POST of a resource is refused', () => {
  const [SHAPE, MISSING] = ['400 document.shape', '404 related.not-found']
  const FORBIDDEN = '403 resource.client-id-forbidden'
  const [AUTHOR, TAGS] = ['/data/relationships/author', '/data/relationships/tags']
  const related = (name: string, relationship: object) => newArticle({ title: 'Ash' }, { [name]: relationship })

  it.each<readonly [title: string, body: unknown, expected: string]>([
    ['CR-2 without data', {}, SHAPE],
    ['CR-2 with an array of one resource as data', { data: [NEW.data] }, `${SHAPE} /data`],
    ['WR-3, CR-3 without a type', { data: { attributes: { title: 'Ash' } } }, `${SHAPE} /data`],
    ['WR-3 with an identifier without a type', related('author', { data: { id: '9' } }), `${SHAPE} ${AUTHOR}/data`],
    ['CR-4 with an empty relationship object', related('author', {}), `${SHAPE} ${AUTHOR}`],
    ['CR-6 with an id that the server gives', { data: { ...NEW.data, id: '77' } }, `${FORBIDDEN} /data/id`],
    ['WR-2, CR-14 with a missing author', related('author', { data: person(999) }), `${MISSING} ${AUTHOR}/data`],
    ['WR-2, CR-14 with a missing tag', related('tags', { data: tags(1, 999) }), `${MISSING} ${TAGS}/data/1`],
    ['RI-5 with a number as local id', { data: { ...NEW.data, lid: 5 } }, `${SHAPE} /data/lid`],
    ['CR-16 with another type', { data: { type: 'people' } }, '409 document.type-conflict /data/type'],
    ['CR-16 with an unknown type', { data: { type: 'nopes' } }, '409 document.type-conflict /data/type'],
    ['CR-18 without a required attribute', newArticle({}), '422 attribute.required /data/attributes'],
  ])('%s', async (_title, body, expected) => {
    expect(outcomeOf(await api.unchanged(() => api.post('/articles').send(body)))).toBe(expected)
  }) // anchor: W/C-03, W/C-08, W/D-01, W/E-09, W/F-01, W/F-02, W/P-08

  it.each([
    ['CR-5 with no UUID as id', { type: 'tags', id: 'x', attributes: { label: 'Oak' } }, 'resource.id-value /data/id'],
    ['CR-16 with an abstract type', { type: 'media' }, 'document.type-abstract /data/type'],
  ])('%s', async (_title, data, expected) => {
    const response = await api.unchanged(() => api.post(`/${data.type}`).send({ data }))
    expect(outcomeOf(response)).toBe(`422 ${expected}`)
  })
})
