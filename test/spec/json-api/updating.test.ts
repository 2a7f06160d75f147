import type { TestApi } from '../../support/api'
import { Article, Tag } from '../support/article-models'
import { changed, newArticle, person, startArticles, tagId, tags } from '../support/articles'
import { blamed } from '../support/blamed'

// https://jsonapi.org/format/1.1/#crud-updating

let api: TestApi
beforeAll(async () => {
  api = await startArticles()
})
afterAll(() => api.close())

/** A new article by 9, with tags 2 and 3. */
async function addArticle(): Promise<string> {
  const attributes = { title: 'Ash', body: 'Tall', views: 5 }
  const relationships = { author: { data: person(9) }, tags: { data: tags(2, 3) } }
  const { body } = await api.post('/articles').send(newArticle(attributes, relationships))
  return body.data.id
}

const shown = async (id: string) => {
  const { data } = (await api.get(`/articles/${id}?include=author,tags`)).body
  const { author, tags: tagged } = data.relationships
  return { ...data.attributes, author: author.data, tags: tagged.data }
}

async function patched(path: string, body: unknown) {
  const { status, body: document } = await api.patch(path).send(body)
  expect({ path, status, errors: document?.errors }).toEqual({ path, status: 200, errors: undefined })
  return document.data
}

const refusedPatch = async (path: string, body: unknown) =>
  blamed(await api.unchanged(() => api.patch(path).send(body)))

describe('updating a resource', () => {
  it('UP-1 a PATCH of its URL does it', async () => {
    const id = await addArticle()
    expect((await patched(`/articles/${id}`, changed(id, { attributes: { title: 'Fir' } }))).attributes.title).toBe(
      'Fir',
    )
    expect(await shown(id)).toMatchObject({ title: 'Fir' })
  })

  it('UP-2 it is not updated where it is related', async () => {
    const ann = changed('9', { attributes: { name: 'Ann' } }, 'people')
    const answer = await api.unchanged(() => api.patch('/articles/1/author').send(ann))
    expect([blamed(answer), answer.headers.allow]).toEqual([['405'], 'GET, HEAD, OPTIONS'])
  })

  it.each([
    ['no data', {}, ''],
    ['an array', { data: [{ type: 'articles', id: '1' }] }, '/data'],
    ['no type', { data: { id: '1' } }, '/data'],
    ['no id', { data: { type: 'articles' } }, '/data'],
    ['null', { data: null }, '/data'],
  ])('UP-3 the data are one resource object with type and id: %s', async (_, body, pointer) => {
    expect(await refusedPatch('/articles/1', body)).toEqual([`400 at ${pointer}`])
  })

  it('UP-4 attributes that are missing stay', async () => {
    const id = await addArticle()
    await patched(`/articles/${id}`, changed(id, { attributes: { title: 'Fir' } }))
    expect(await shown(id)).toMatchObject({ title: 'Fir', body: 'Tall', views: 5 })
    const answer = await api.unchanged(() => api.patch(`/articles/${id}`).send(changed(id, {})))
    expect(answer.status).toBe(204)
  })

  it('UP-5 null is a value', async () => {
    const id = await addArticle()
    await patched(`/articles/${id}`, changed(id, { attributes: { body: null } }))
    expect(await shown(id)).toMatchObject({ title: 'Ash', body: null })
  })

  it('UP-6 relationships that are missing stay', async () => {
    const id = await addArticle()
    await patched(`/articles/${id}`, changed(id, { attributes: { title: 'Fir' } }))
    expect(await shown(id)).toMatchObject({ author: person(9), tags: tags(2, 3) })
  })

  it.each([
    ['tags', tags(2)],
    ['tags', []],
    ['author', null],
    ['author', person(2)],
  ])('UP-7 a relationship that is there is replaced: %s by %j', async (name, data) => {
    const id = await addArticle()
    expect(
      (await api.patch(`/articles/${id}`).send(changed(id, { relationships: { [name]: { data } } }))).status,
    ).toBeLessThan(300)
    expect((await shown(id))[name]).toEqual(data)
  })

  it.each(['tags', 'author'])('UP-7 a relationship that is there has data: %s', async (name) => {
    const body = changed('1', { relationships: { [name]: {} } })
    expect(await refusedPatch('/articles/1', body)).toEqual([`400 at /data/relationships/${name}`])
  })

  it('UP-8 all is refused with a relationship that is not replaced', async () => {
    const body = changed('1', { attributes: { title: 'New' }, relationships: { attachments: { data: [] } } })
    expect(await refusedPatch('/articles/1', body)).toEqual(['403 at /data/relationships/attachments'])
  })

  it('UP-9 more than was asked for is 200 with the resource', async () => {
    const id = await addArticle()
    await api.dataSource.getRepository(Article).update(id, { updatedAt: new Date(0) })
    const data = await patched(`/articles/${id}`, changed(id, { attributes: { title: 'Fir' } }))
    expect(Date.parse(data.attributes.updatedAt)).toBeGreaterThan(0)
    expect((await api.get(`/articles/${id}`)).body.data).toEqual(data)
  })

  it('UP-11 what is left for later is 202', async () => {
    const body = changed('1', { attributes: { name: 'large change' } }, 'exports')
    await api.patch('/exports/1').send(body).expect(202)
    expect((await api.get('/exports/1')).body.data.attributes.name).toBe('small')
  })

  it('UP-12 what is as it was asked for is 204 without a body, or 200 with a document', async () => {
    const id = await api.add(Tag, { id: tagId(50), label: 'before' })
    const body = changed(id, { attributes: { label: 'after' } }, 'tags')
    const { status, text, headers } = await api.patch(`/tags/${id}`).send(body)
    expect([status, text, headers['content-type']]).toEqual([204, '', undefined])
    expect((await patched(`/tags/${id}?fields[tags]=label`, body)).attributes).toEqual({ label: 'after' })
  })

  it('UP-13 what can not be updated is 403', async () => {
    const log = changed('1', { attributes: { text: 'New' } }, 'logs')
    expect(await refusedPatch('/logs/1', log)).toEqual(['403'])
    const body = changed('1', { relationships: { editor: { data: person(9) } } })
    expect(await refusedPatch('/articles/1', body)).toEqual(['403 at /data/relationships/editor'])
    expect(await refusedPatch('/articles/1/relationships/editor', { data: person(9) })).toEqual(['403'])
  })

  it('UP-14 a resource that is not there is 404, and not created', async () => {
    expect(await refusedPatch('/articles/999', changed('999', { attributes: { title: 'New' } }))).toEqual(['404'])
  })

  it.each([
    ['author', person(999), '/data'],
    ['tags', tags(2, 999), '/data/1'],
  ])('UP-15 a related resource that is not there is 404: %s', async (name, data, place) => {
    const body = changed('1', { relationships: { [name]: { data } } })
    expect(await refusedPatch('/articles/1', body)).toEqual([`404 at /data/relationships/${name}${place}`])
  })

  it.each([
    ['id', changed('2', { attributes: { title: 'New' } })],
    ['type', changed('1', { attributes: { title: 'New' } }, 'people')],
  ])('UP-16, UP-18 another %s than that of the URL is 409, and told', async (name, body) => {
    expect(await refusedPatch('/articles/1', body)).toEqual([`409 at /data/${name}`])
  })

  it.each([
    ['images', '1'],
    ['videos', '2'],
  ])('UP-16 each type of a collection of several is accepted: %s', async (type, id) => {
    await api
      .patch(`/media/${id}`)
      .send(changed(id, { attributes: { title: 'Yew' } }, type))
      .expect(204)
    expect((await api.get(`/${type}/${id}`)).body.data.attributes.title).toBe('Yew')
  })

  it('UP-17 a value that is taken is 409', async () => {
    const body = changed(tagId(1), { attributes: { label: 'tag 2' } }, 'tags')
    expect(await refusedPatch(`/tags/${tagId(1)}`, body)).toEqual(['409 at /data/attributes/label'])
  })

  it('UP-19 a condition that does not hold is 412', async () => {
    const body = changed('1', { attributes: { title: 'New' } })
    const headers = { 'if-match': '"other"' }
    const answer = await api.unchanged(() => api.patch('/articles/1').send(body).set(headers))
    expect(blamed(answer)).toEqual(['412 of If-Match'])
  })
})
