import { setUp } from '../../support/api'
import { outcomeOf } from '../../support/expectations'
import { Article, Tag } from '../support/article-models'
import { changed, newArticle, person, startArticles, tagId, tags } from '../support/articles'

// https://jsonapi.org/format/1.1/#crud-updating

const api = setUp(startArticles)

/** A new article by 9, with tags 2 and 3. */
async function addArticle(): Promise<string> {
  const attributes = { title: 'Ash', body: 'Tall', views: 5 }
  const relationships = { author: { data: person(9) }, tags: { data: tags(2, 3) } }
  const { body } = await api.post('/articles').send(newArticle(attributes, relationships))
  return body.data.id
}

const patch = (id: string, members: object) => api.patch(`/articles/${id}`).send(changed(id, members))

/** The attributes and the linkage of an article in one object. */
async function stored(id: string) {
  const { data } = (await api.get(`/articles/${id}?include=author,tags`)).body
  const { author, tags } = data.relationships
  return { ...data.attributes, author: author.data, tags: tags.data }
}

describe('PATCH of a resource', () => {
  it('UP-1, UP-4, UP-6 changes only the attributes that are sent', async () => {
    const id = await addArticle()
    const { body } = await patch(id, { attributes: { title: 'Fir' } }).expect(200)
    expect(body.data.attributes.title).toBe('Fir')
    const others = { body: 'Tall', views: 5, author: person(9), tags: tags(2, 3) }
    expect(await stored(id)).toMatchObject({ title: 'Fir', ...others })
  }) // anchor: W/A-01, W/D-09, W/G-11

  it('UP-4 writes nothing when nothing is sent', async () => {
    const response = await api.unchanged(() => api.patch('/articles/1').send(changed('1', { attributes: {} })))
    expect([response.status, response.text]).toEqual([204, ''])
  }) // anchor: W/G-07

  it('UP-5 stores null', async () => {
    const id = await addArticle()
    await patch(id, { attributes: { body: null } })
    expect(await stored(id)).toMatchObject({ title: 'Ash', body: null })
  }) // anchor: W/D-09

  it.each([
    ['tags', tags(2)],
    ['tags', []],
    ['author', null],
    ['author', person(2)],
  ])('UP-7, RO-16 replaces a relationship that is sent, and keeps its links: %s by %j', async (name, data) => {
    const id = await addArticle()
    const { body } = await patch(id, { relationships: { [name]: { data } } }).expect(200)
    expect(body.data.relationships[name].links.related).toBe(`/articles/${id}/${name}`)
    expect((await stored(id))[name]).toEqual(data)
  }) // anchor: W/G-11

  it('UP-9 returns 200 with the resource when the server changes more than was sent', async () => {
    const id = await addArticle()
    await api.dataSource.getRepository(Article).update(id, { updatedAt: new Date(0) })
    const { data } = (await patch(id, { attributes: { title: 'Fir' } }).expect(200)).body
    expect(Date.parse(data.attributes.updatedAt)).toBeGreaterThan(0)
    expect((await api.get(`/articles/${id}`)).body.data).toEqual(data)
  }) // anchor: W/G-02, W/G-03

  it('UP-11 returns 202 and changes nothing when a job makes the change', async () => {
    const body = changed('1', { attributes: { name: 'large change' } }, 'exports')
    await api.patch('/exports/1').send(body).expect(202)
    expect((await api.get('/exports/1')).body.data.attributes.name).toBe('small')
  })

  it('UP-12 returns 204 when only what was sent has changed, and 200 when fields are requested', async () => {
    const id = await api.add(Tag, { id: tagId(50), label: 'before' })
    const body = changed(id, { attributes: { label: 'after' } }, 'tags')
    const { status, text, headers } = await api.patch(`/tags/${id}`).send(body)
    expect([status, text, headers['content-type']]).toEqual([204, '', undefined])
    const { body: document } = await api.patch(`/tags/${id}?fields[tags]=label`).send(body).expect(200)
    expect(document.data.attributes).toEqual({ label: 'after' })
  }) // anchor: W/G-01, W/Q-02

  it.each([
    ['images', '1'],
    ['videos', '2'],
  ])('UP-16 accepts each type of an abstract collection: %s', async (type, id) => {
    const body = changed(id, { attributes: { title: 'Yew' } }, type)
    await api.patch(`/media/${id}`).send(body).expect(204)
    expect((await api.get(`/${type}/${id}`)).body.data.attributes.title).toBe('Yew')
  })

  it('UP-19 returns 412 when the resource has another version than If-Match', async () => {
    const body = changed('1', { attributes: { title: 'New' } })
    const response = await api.unchanged(() => api.patch('/articles/1').send(body).set({ 'if-match': '"other"' }))
    expect(outcomeOf(response)).toBe('412 precondition.failed If-Match')
  }) // anchor: W/A-09
})

describe('PATCH of a resource is refused', () => {
  const SHAPE = '400 document.shape'
  const MISSING = '404 related.not-found /data/relationships'
  const title = { attributes: { title: 'New' } }
  const related = (name: string, data: unknown) => changed('1', { ...title, relationships: { [name]: { data } } })

  it.each<readonly [title: string, body: unknown, expected: string]>([
    ['UP-3 without data', {}, SHAPE],
    ['WR-3, UP-3 without a type', { data: { id: '1' } }, `${SHAPE} /data`],
    ['UP-3 without an id', { data: { type: 'articles' } }, `${SHAPE} /data`],
    ['UP-7 with a to-many relationship without data', related('tags', undefined), `${SHAPE} /data/relationships/tags`],
    ['UP-7 with a to-one without data', related('author', undefined), `${SHAPE} /data/relationships/author`],
    ['UP-8 with members that are only added', related('attachments', []), '403 relationship.read-only @attachments'],
    ['UP-13 with a read-only relationship', related('editor', person(9)), '403 relationship.read-only @editor'],
    ['WR-2, UP-15 with a missing author', related('author', person(999)), `${MISSING}/author/data`],
    ['UP-15 with a missing tag', related('tags', tags(2, 999)), `${MISSING}/tags/data/1`],
    ['UP-16, UP-18 with another id', changed('2', title), '409 document.id-conflict /data/id'],
    ['UP-16, UP-18 with another type', changed('1', title, 'people'), '409 document.type-conflict /data/type'],
  ])('%s', async (_title, body, expected) => {
    const response = await api.unchanged(() => api.patch('/articles/1').send(body))
    expect(outcomeOf(response)).toBe(expected.replace('@', '/data/relationships/'))
  }) // anchor: W/C-05, W/N-01

  it.each([
    ['UP-14 for a missing resource', 'articles', '999', { title: 'New' }, '404 resource.not-found'],
    ['UP-17 with a value that must be unique', 'tags', tagId(1), { label: 'tag 2' }, '409 constraint.unique #/label'],
  ])('%s', async (_title, type, id, attributes, expected) => {
    const response = await api.unchanged(() => api.patch(`/${type}/${id}`).send(changed(id, { attributes }, type)))
    expect(outcomeOf(response)).toBe(expected.replace('#', '/data/attributes'))
  }) // anchor: W/G-08, W/M-03
})
