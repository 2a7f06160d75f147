import type { TestApi } from '../../support/api'
import { Export } from '../support/article-models'
import { newArticle, person, startArticles, tagId, tags } from '../support/articles'
import { blamed } from '../support/blamed'

// https://jsonapi.org/format/1.1/#crud-updating-relationships

let api: TestApi
beforeAll(async () => {
  api = await startArticles()
})
afterAll(() => api.close())

/** The relationship of a new article by 9, with tags 2 and 3. */
async function urlOf(name: 'author' | 'tags' | 'reviewers'): Promise<string> {
  const relationships = { author: { data: person(9) }, tags: { data: tags(2, 3) } }
  const { body } = await api.post('/articles').send(newArticle({ title: 'Ash' }, relationships))
  return `/articles/${body.data.id}/relationships/${name}`
}

const linkage = async (url: string) => (await api.get(url)).body.data

/** What is there after a write that went well. */
async function linkageAfter(method: string, url: string, data: unknown) {
  const { text } = await api.request(method, url).send({ data }).expect(204)
  expect(text).toBe('')
  return linkage(url)
}

const refused = async (method: string, url: string, body: unknown) =>
  blamed(await api.unchanged(() => api.request(method, url).send(body)))

const [AUTHOR, TAGS] = ['/articles/1/relationships/author', '/articles/1/relationships/tags']

describe('a to-one relationship', () => {
  it('UR-1 the data are one identifier, or null', async () => {
    const url = await urlOf('author')
    expect(await linkageAfter('PATCH', url, person(2))).toEqual(person(2))
    expect(await linkageAfter('PATCH', url, null)).toBeNull()
  })

  it.each([
    ['missing', {}, ''],
    ['an array', { data: [person(2)] }, '/data'],
    ['an empty object', { data: {} }, '/data'],
  ])('UR-1 other data are refused: %s', async (_, body, pointer) => {
    const found = await refused('PATCH', AUTHOR, body)
    expect(new Set(found)).toEqual(new Set([`400 at ${pointer}`]))
  })

  it('UR-2 an update succeeds', async () => {
    const url = await urlOf('author')
    await api
      .patch(url)
      .send({ data: person(2) })
      .expect(204)
    expect(await linkage(url)).toEqual(person(2))
  })
})

describe('a to-many relationship', () => {
  it.each(['PATCH', 'POST', 'DELETE'])('UR-3 the data are an array of identifiers: %s', async (method) => {
    expect(await refused(method, TAGS, { data: tags(4)[0] })).toEqual(['400 at /data'])
    expect(await refused(method, TAGS, { data: null })).toEqual(['400 at /data'])
    expect(await linkageAfter(method, await urlOf('tags'), [])).toEqual(method === 'PATCH' ? [] : tags(2, 3))
  })

  it('UR-4 PATCH replaces all members, or none', async () => {
    const url = await urlOf('tags')
    expect(await linkageAfter('PATCH', url, tags(3, 4))).toEqual(tags(3, 4))
    expect(await refused('PATCH', url, { data: tags(3, 999) })).toEqual(['404 at /data/1'])
    expect(await refused('PATCH', '/articles/1/relationships/attachments', { data: [] })).toEqual(['403'])
  })

  it('UR-5 POST adds the members that are not there', async () => {
    expect(await linkageAfter('POST', await urlOf('tags'), tags(3, 4))).toEqual(tags(2, 3, 4))
  })

  it('UR-6 no member is there twice', async () => {
    const url = await urlOf('tags')
    expect(await linkageAfter('POST', url, tags(2))).toEqual(tags(2, 3))
    expect(await linkageAfter('POST', url, tags(2))).toEqual(tags(2, 3))
    expect(await linkageAfter('POST', url, tags(4, 4))).toEqual(tags(2, 3, 4))
  })

  it('UR-7 to add members that are there is a success', async () => {
    expect(await linkageAfter('POST', TAGS, tags(2, 3))).toEqual(tags(2, 3))
  })

  it('UR-8 DELETE removes members', async () => {
    expect(await linkageAfter('DELETE', await urlOf('tags'), tags(2))).toEqual(tags(3))
  })

  it('UR-9 to remove what is no member is a success', async () => {
    expect(await linkageAfter('DELETE', TAGS, tags(1, 77))).toEqual(tags(2, 3))
  })

  it('UR-10 a member that is removed is there still', async () => {
    await linkageAfter('DELETE', await urlOf('tags'), tags(2))
    await api.get(`/tags/${tagId(2)}`).expect(200)
  })

  it.each(['PATCH', 'POST'])('UR-11 what a rule has changed is 200 with the linkage: %s', async (method) => {
    const url = await urlOf('reviewers')
    const { status, body } = await api.request(method, url).send({ data: [person(1), person(7)] })
    expect([status, body.data]).toEqual([200, [person(1)]])
    expect(await linkage(url)).toEqual([person(1)])
  })

  it('UR-13 what is left for later is 202', async () => {
    const url = `/exports/${await api.add(Export, { name: 'large link' })}/relationships/owner`
    await api
      .patch(url)
      .send({ data: person(9) })
      .expect(202)
    expect(await linkage(url)).toBeNull()
  })

  it.each([
    ['PATCH', tags(2, 4)],
    ['POST', tags(4)],
    ['POST', tags(2)],
    ['DELETE', tags(3)],
    ['DELETE', tags(77)],
  ])('UR-14 what is as it was asked for is 204 without a body: %s', async (method, data) => {
    const { status, text, headers } = await api.request(method, await urlOf('tags')).send({ data })
    expect([status, text, headers['content-type']]).toEqual([204, '', undefined])
  })
})

describe('refusals', () => {
  it.each([
    ['POST', 'author', [person(2)]],
    ['DELETE', 'author', [person(9)]],
    ['PATCH', 'editor', person(9)],
    ['PATCH', 'editor', null],
    ['PATCH', 'attachments', []],
  ])('UR-15 what is not supported is 403: %s of %s', async (method, name, data) => {
    expect(await refused(method, `/articles/1/relationships/${name}`, { data })).toEqual(['403'])
  })

  it.each(['PATCH', 'POST', 'DELETE'])(
    'UR-16 where the resource or the relationship is not there it is 404: %s',
    async (method) => {
      for (const url of ['/articles/999/relationships/tags', '/articles/1/relationships/nope']) {
        expect(await refused(method, url, { data: tags(2) })).toEqual(['404'])
      }
    },
  )

  it('UR-17 a type that the relationship does not have is 409', async () => {
    expect(await refused('POST', TAGS, { data: [person(9)] })).toEqual(['409 at /data/0/type'])
    expect(await refused('PATCH', AUTHOR, { data: tags(2)[0] })).toEqual(['409 at /data/type'])
  })

  it('UR-18 a resource that is not there is 404', async () => {
    expect(await refused('POST', TAGS, { data: tags(999) })).toEqual(['404 at /data/0'])
    expect(await refused('PATCH', AUTHOR, { data: person(999) })).toEqual(['404 at /data'])
  })

  it('UR-19 all are added, or none', async () => {
    expect(await refused('POST', TAGS, { data: tags(4, 999) })).toEqual(['404 at /data/1'])
    expect(await linkage(TAGS)).toEqual(tags(2, 3))
  })
})
