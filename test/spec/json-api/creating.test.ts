import { equals, ResourceDefinition } from 'stemma'
import type { TestApi } from '../../support/api'
import { startServer } from '../../support/server'
import { Article, RESOURCES } from '../support/article-models'
import { changed, newArticle, person, startArticles, tagId, tags } from '../support/articles'
import { blamed } from '../support/blamed'

// https://jsonapi.org/format/1.1/#crud, https://jsonapi.org/format/1.1/#crud-creating

let api: TestApi
beforeAll(async () => {
  api = await startArticles()
})
afterAll(() => api.close())

const NEW = newArticle({ title: 'Ash' })
const MISSING = { data: person(999) }

/** What a POST is refused for, when it has written nothing. */
const refusedPost = async (path: string, body: unknown) => blamed(await api.unchanged(() => api.post(path).send(body)))

let count = 0
/** A tag that is not there yet, with all that it can have. */
function newTag(label = `new ${count + 1}`) {
  count += 1
  const id = `10000000-0000-4000-8000-${String(count).padStart(12, '0')}`
  return { data: { type: 'tags', id, attributes: { label } } }
}

async function created(path: string, body: unknown) {
  const { status, headers, body: document } = await api.post(path).send(body)
  expect({ status, errors: document.errors }).toEqual({ status: 201, errors: undefined })
  return { data: document.data, location: headers.location ?? '' }
}

describe('writing in general', () => {
  it('WR-1 a type may be only read', async () => {
    await api.get('/logs/1').expect(200)
    const log = { type: 'logs', id: '1', attributes: { text: 'New' } }
    for (const [method, path] of [
      ['POST', '/logs'],
      ['PATCH', '/logs/1'],
      ['DELETE', '/logs/1'],
    ] as const) {
      const answer = await api.unchanged(() => api.request(method, path).send({ data: log }))
      expect(blamed(answer)).toEqual(['403'])
    }
  })

  it.each([
    ['PATCH', '/articles/1', changed('1', { attributes: { title: 'New' }, relationships: { author: MISSING } })],
    ['PATCH', '/articles/1/relationships/tags', { data: tags(4, 999) }],
    ['POST', '/articles', newArticle({ title: 'New' }, { author: MISSING })],
  ])('WR-2 a request is a whole: %s %s', async (method, path, body) => {
    expect((await api.unchanged(() => api.request(method, path).send(body))).status).toBe(404)
  })

  it.each([
    ['POST', '/articles', { data: { attributes: { title: 'Ash' } } }, '/data'],
    [
      'POST',
      '/articles',
      newArticle({ title: 'Ash' }, { author: { data: { id: '9' } } }),
      '/data/relationships/author/data',
    ],
    ['PATCH', '/articles/1', { data: { id: '1', attributes: {} } }, '/data'],
    ['PATCH', '/articles/1/relationships/author', { data: { id: '9' } }, '/data'],
    ['POST', '/articles/1/relationships/tags', { data: [{ id: tagId(4) }] }, '/data/0'],
  ])('WR-3 a type is always required: %s %s', async (method, path, body, pointer) => {
    expect(blamed(await api.unchanged(() => api.request(method, path).send(body)))).toEqual([`400 at ${pointer}`])
  })
})

describe('creating', () => {
  it('CR-1 a POST to a collection creates', async () => {
    const attributes = { title: 'Elm', body: 'Tall', views: 7, extra: { a: [1] } }
    const { data } = await created('/articles', newArticle(attributes, { author: { data: person(2) } }))
    const { body } = await api.get(`/articles/${data.id}?include=author`)
    expect(body.data.attributes).toMatchObject(attributes)
    expect(body.data.relationships.author.data).toEqual(person(2))
  })

  it.each([
    ['missing', {}, ''],
    ['null', { data: null }, '/data'],
    ['an empty array', { data: [] }, '/data'],
    ['an array of one', { data: [NEW.data] }, '/data'],
    ['a string', { data: 'articles' }, '/data'],
  ])('CR-2 the data are one resource object: %s', async (_, body, pointer) => {
    expect(await refusedPost('/articles', body)).toEqual([`400 at ${pointer}`])
  })

  it('CR-3 it has a type', async () => {
    expect(await refusedPost('/articles', { data: { attributes: {} } })).toEqual(['400 at /data'])
  })

  it.each([
    ['author', {}, ''],
    ['author', { meta: {} }, ''],
    ['tags', { data: null }, '/data'],
    ['author', { data: [person(9)] }, '/data'],
  ])('CR-4 a relationship has linkage: %s %j', async (name, relationship, place) => {
    const body = newArticle({ title: 'Ash' }, { [name]: relationship })
    expect(await refusedPost('/articles', body)).toEqual([`400 at /data/relationships/${name}${place}`])
  })

  it('CR-4 the linkage becomes that of the new resource', async () => {
    const relationships = { author: { data: person(2) }, tags: { data: tags(1, 4) } }
    const { data } = await created('/articles', newArticle({ title: 'Ash' }, relationships))
    const linkage = async (name: string) => (await api.get(`/articles/${data.id}/relationships/${name}`)).body.data
    expect([await linkage('author'), await linkage('tags')]).toEqual([person(2), tags(1, 4)])
  })

  it('CR-5 a client may give the id, a UUID', async () => {
    const tag = newTag()
    expect((await created('/tags', tag)).data.id).toBe(tag.data.id)
    expect((await api.get(`/tags/${tag.data.id}`)).body.data.attributes).toEqual(tag.data.attributes)
    const other = { data: { ...newTag().data, id: 'oak' } }
    expect(await refusedPost('/tags', other)).toEqual(['422 at /data/id'])
  })

  it('CR-6 an id of the client is refused where the server gives it', async () => {
    expect(await refusedPost('/articles', { data: { ...NEW.data, id: '77' } })).toEqual(['403 at /data/id'])
  })

  it('CR-7 the answer is 201 with the resource', async () => {
    const { data } = await created('/articles', NEW)
    expect(data).toMatchObject({ type: 'articles', id: expect.any(String), attributes: { title: 'Ash', views: 0 } })
    expect((await api.get(`/articles/${data.id}`)).body.data).toEqual(data)
  })

  it('CR-8 it says where the resource is', async () => {
    const { data, location } = await created('/articles', NEW)
    expect(location).toBe(`/articles/${data.id}`)
  })

  it.each([
    ['/articles', NEW],
    ['/media', { data: { type: 'images' } }],
  ])('CR-9 Location is the self link: POST %s', async (path, body) => {
    const { data, location } = await created(path, body)
    expect(data.links.self).toBe(location)
    expect((await api.get(location)).body.data).toEqual(data)
  })

  it('CR-10 a 201 without primary data is a document all the same', async () => {
    class OnlyOaks extends ResourceDefinition<Article> {
      readonly resource = Article

      override filter() {
        return equals('title', 'Oak')
      }
    }
    const server = await startServer({
      dataSource: api.dataSource,
      resources: RESOURCES,
      definitions: [new OnlyOaks()],
    })
    const { status, headers, body } = await server.post('/articles').send(NEW)
    await server.close()
    expect([status, body]).toEqual([201, { jsonapi: { version: '1.1' }, meta: {} }])
    expect((await api.get(headers.location ?? '')).body.data.attributes.title).toBe('Ash')
  })

  it('CR-11 what is left for later is 202', async () => {
    const body = { data: { type: 'exports', attributes: { name: 'large trees' } } }
    await api.post('/exports').send(body).expect(202)
    expect((await api.get("/exports?filter=equals(name,'large trees')")).body.data).toEqual([])
  })

  it('CR-12 what is as it was sent is 201 with the document, or 204 where that is preferred', async () => {
    const tag = newTag()
    expect((await created('/tags', tag)).data).toMatchObject(tag.data)
    const headers = { prefer: 'return=minimal' }
    const { status, text } = await api.post('/tags').send(newTag()).set(headers)
    expect([status, text]).toEqual([204, ''])
    const more = await api.post('/articles').send(NEW).set(headers)
    expect([more.status, more.body.data.attributes.updatedAt]).toEqual([201, expect.any(String)])
  })

  it('CR-13 a type that can not be created is 403', async () => {
    expect(await refusedPost('/logs', { data: { type: 'logs', attributes: { text: 'New' } } })).toEqual(['403'])
  })

  it.each([
    ['author', { data: person(999) }, '/data'],
    ['tags', { data: tags(1, 999) }, '/data/1'],
  ])('CR-14 a related resource that is not there is 404: %s', async (name, linkage, place) => {
    const body = newArticle({ title: 'Ash' }, { [name]: linkage })
    expect(await refusedPost('/articles', body)).toEqual([`404 at /data/relationships/${name}${place}`])
  })

  it('CR-15, CR-17 an id that is taken is 409, and told', async () => {
    const tag = newTag('first')
    await created('/tags', tag)
    const again = { data: { ...tag.data, attributes: { label: 'second' } } }
    expect(await refusedPost('/tags', again)).toEqual(['409 at /data/id'])
    expect((await api.get(`/tags/${tag.data.id}`)).body.data.attributes).toEqual({ label: 'first' })
  })

  it.each(['people', 'nopes'])('CR-16 a type of another collection is 409: %s', async (type) => {
    expect(await refusedPost('/articles', { data: { type, attributes: { name: 'Ann' } } })).toEqual([
      '409 at /data/type',
    ])
  })

  it.each(['images', 'videos'])('CR-16 each type of a collection of several is accepted: %s', async (type) => {
    expect((await created('/media', { data: { type } })).data.type).toBe(type)
  })

  it('CR-16 an abstract type is 422', async () => {
    expect(await refusedPost('/media', { data: { type: 'media' } })).toEqual(['422 at /data/type'])
  })

  it.each([
    [{ title: 7 }, ['422 at /data/attributes/title']],
    [{ title: 'x'.repeat(81) }, ['422 at /data/attributes/title']],
    [{}, ['422 at /data/attributes']],
    [{ title: 'Ash', nope: 1 }, ['422 at /data/attributes/nope']],
  ])('CR-18 what the attributes do not allow is 422: %j', async (attributes, expected) => {
    expect(await refusedPost('/articles', newArticle(attributes))).toEqual(expected)
  })

  it('CR-19 a POST to a resource creates nothing', async () => {
    const answer = await api.unchanged(() => api.post('/articles/1').send(NEW))
    expect([blamed(answer), answer.headers.allow]).toEqual([['405'], 'GET, HEAD, PATCH, DELETE, OPTIONS'])
  })
})
