import { Attribute, Resource, ToOne } from 'stemma'
import { Column, Entity, ManyToOne, PrimaryGeneratedColumn } from 'typeorm'
import { startApi } from '../../support/api'
import { expectError } from '../../support/expectations'
import { startServer } from '../../support/server'
import { setUp } from '../../support/set-up'
import { ACCEPT } from '../../support/walk'
import { RESOURCES } from '../support/article-models'
import { changed, newArticle, person, startArticles, tags } from '../support/articles'
import { identifiersOf, namesOf, resourcesOf } from '../support/parts'

// https://jsonapi.org/format/1.1/#document-resource-objects, https://jsonapi.org/format/1.1/#document-resource-identifier-objects

const api = setUp(startArticles)

const INCLUDING = '/articles/1?include=author,comments.author,tags,cover'
const tag = (members: object) => ({ data: { type: 'tags', attributes: { label: 'new' }, ...members } })
const expectPostRefused = async (path: string, body: object, pointer: string) =>
  expectError(await api.unchanged(() => api.post(path).send(body)), 400, pointer)
const article = async (id: string, query = '') => (await api.get(`/articles/${id}${query}`)).body.data
const create = async (body: object, path = '/articles') => {
  return (await api.post(path).send(body).expect(201)).body.data
}

describe('a resource object', () => {
  it('RO-1 has type and id', async () => {
    for (const path of [INCLUDING, '/articles?include=author', '/articles/1/tags', '/media']) {
      const resources = resourcesOf((await api.get(path)).body)
      expect(resources.length).toBeGreaterThan(1)
      for (const each of resources) expect(each).toMatchObject({ type: expect.any(String), id: expect.any(String) })
    }
  })

  it('RO-2 may lack an id in a request only', async () => {
    expect((await create(newArticle({ title: 'Ash' }))).id).toMatch(/^\d+$/)
    expect((await create(tag({ attributes: { label: 'Ash' } }), '/tags')).id).toMatch(/^[\da-f-]{36}$/)
  })

  it('RO-3 has no other members', async () => {
    const { body } = await api.get(`${INCLUDING}&fields[people]=`)
    expect(namesOf(resourcesOf(body))).toEqual(['attributes', 'id', 'links', 'relationships', 'type'])
    const paged = await api.get('/articles').set(ACCEPT)
    expect(namesOf(paged.body.data)).toEqual(['attributes', 'id', 'links', 'meta', 'relationships', 'type'])
    expect(namesOf(resourcesOf((await api.get('/articles?fields[articles]=')).body))).toEqual(['id', 'links', 'type'])
  })

  it.each([
    ['id', 'POST', '/tags', tag({ id: 1 })],
    ['type', 'POST', '/tags', tag({ type: 5 })],
    ['lid', 'POST', '/tags', tag({ lid: 1 })],
    ['id', 'PATCH', '/people/1', { data: { type: 'people', id: 1, attributes: { name: 'Ash' } } }],
  ])('RO-4 returns 400 when %s is no string: %s %s', async (member, method, path, body) => {
    const answer = await api.unchanged(() => api.request(method, path).send(body))
    expectError(answer, 400, `/data/${member}`)
  })

  it('RO-4 has strings as type and id when the key is a number', async () => {
    const { body } = await api.get(INCLUDING)
    const named = [...resourcesOf(body), ...identifiersOf(resourcesOf(body))]
    expect(named.map(({ type, id }) => typeof type === 'string' && typeof id === 'string')).not.toContain(false)
    expect([body.data.id, body.data.relationships.comments.data[0].id]).toEqual(['1', '5'])
  })

  it('RO-5 has the same type, id and self link in all documents', async () => {
    const paths = ['/articles', '/people/9/articles', '/comments?include=article', '/articles/1', '/comments/5/article']
    const met = await Promise.all(paths.map(async (path) => resourcesOf((await api.get(path)).body)))
    const found = met.map((resources) =>
      resources
        .filter(({ type, attributes }) => type === 'articles' && attributes?.title === 'Title 01')
        .map(({ type, id, links }) => [type, id, links.self]),
    )
    expect(found).toEqual(paths.map(() => [['articles', '1', '/articles/1']]))
    const [medium] = (await api.get('/media')).body.data
    const { data } = (await api.get('/media/1')).body
    expect([medium, data].map(({ type, id, links }) => [type, id, links.self])).toEqual(
      Array(2).fill(['images', '1', '/images/1']),
    )
  })
})

describe('the fields of a type', () => {
  @Resource('clashes')
  @Entity('clashes')
  class Clash {
    @PrimaryGeneratedColumn() id: number
    @Attribute() @Column({ type: 'int' }) type: number
    @Attribute({ name: 'id' }) @Column({ type: 'int' }) other: number
    @Attribute({ name: 'whole' }) @Column({ type: 'int' }) size: number
    @ToOne() @ManyToOne('Clash', { nullable: true }) whole: Clash | null
  }

  it('RO-7 have distinct names, which are neither type nor id', async () => {
    for (const { attributes = {}, relationships = {} } of resourcesOf((await api.get(INCLUDING)).body)) {
      const names = [...Object.keys(attributes), ...Object.keys(relationships)]
      expect([...new Set(names)]).toEqual(names)
      expect(names.filter((name) => name === 'type' || name === 'id')).toEqual([])
    }
    await expect(startApi([Clash])).rejects.toThrow(/'type'.*'id'.*'whole'/s)
  })
})

describe('attributes', () => {
  it('RO-8 are an object', async () => {
    for (const attributes of [[], null, 'x', 1]) {
      const body = { data: { type: 'articles', attributes } }
      await expectPostRefused('/articles', body, '/data/attributes')
    }
    for (const { attributes } of resourcesOf((await api.get(INCLUDING)).body)) {
      expect(attributes).toEqual(expect.objectContaining({}))
      expect(Array.isArray(attributes)).toBe(false)
    }
  })

  it('RO-9 can be any JSON', async () => {
    const extra = { links: { a: 1 }, relationships: [null], n: { x: [1, { y: null }] }, type: true, id: 0.5 }
    for (const value of [extra, [], [[]], '', 'x', 0, -1.5e9, true, false, null, {}]) {
      const { id } = await create(newArticle({ title: 'Ash', extra: value }))
      expect((await article(id)).attributes.extra).toEqual(value)
    }
  })

  it('RO-10 contain no foreign keys', async () => {
    const { attributes, relationships } = await article('1')
    expect(Object.keys(attributes).sort()).toEqual(['body', 'extra', 'title', 'updatedAt', 'views'])
    expect(Object.keys(relationships)).toContain('author')
  })
})

describe('relationships', () => {
  it.each([
    [{ author: null }, '/data/relationships/author'],
    [{ author: [] }, '/data/relationships/author'],
    [[], '/data/relationships'],
    [null, '/data/relationships'],
  ])('RO-11 return 400 when they are %j', async (relationships, pointer) => {
    const body = { data: { type: 'articles', attributes: { title: 'Ash' }, relationships } }
    await expectPostRefused('/articles', body, pointer)
  })

  it('RO-11 are objects in responses', async () => {
    const found = resourcesOf((await api.get(INCLUDING)).body).flatMap(({ relationships = {} }) =>
      Object.values(relationships),
    )
    expect(found.length).toBeGreaterThan(10)
    expect(found.filter((each) => typeof each !== 'object' || each === null || Array.isArray(each))).toEqual([])
  })

  it('RO-12 have links, data or meta, and are left out when empty', async () => {
    const options = { dataSource: api.dataSource, resources: RESOURCES, links: { relationship: 'off' } } as const
    const without = await startServer(options)
    const shown = async (path: string) => (await without.get(path)).body.data.relationships
    expect(await shown('/articles/1')).toBeUndefined()
    expect(await shown('/articles/1?include=author')).toEqual({ author: { data: person(9) } })
    await without.close()
    for (const relationship of Object.values((await article('1')).relationships)) {
      expect(relationship).toMatchObject({ links: { self: expect.any(String), related: expect.any(String) } })
    }
  })

  it('RO-13 have a self link to read and change linkage', async () => {
    const { id, relationships } = await create(newArticle({ title: 'Ash' }, { author: { data: person(9) } }))
    const { self } = relationships.author.links
    expect((await api.get(self)).body.data).toEqual(person(9))
    await api.request('PATCH', self, { body: { data: person(1) } }).expect(204)
    expect((await api.get(`/articles/${id}/author`)).body.data.id).toBe('1')
  })

  it('RO-14 have page links to linkage', async () => {
    const { links } = (await article('3', '?include=comments')).relationships.comments
    const { data, links: paged } = (await api.get(links.next)).body
    expect(data).toEqual(['13', '14', '15', '16'].map((id) => ({ type: 'comments', id })))
    expect(links.next.split('?')[0]).toBe(links.self)
    expect(paged.prev.split('?')[0]).toBe(links.self)
  })

  it('RO-15 have a related link when empty', async () => {
    const { relationships } = await article('2')
    const found = Object.entries(relationships as Record<string, { links: { related: string } }>).map(
      async ([name, { links }]) => {
        const { status, body } = await api.get(links.related)
        return [name, status, body.data]
      },
    )
    const empty = { author: null, editor: null, cover: null, comments: [], tags: [], attachments: [], reviewers: [] }
    expect(await Promise.all(found)).toEqual(Object.entries(empty).map(([name, data]) => [name, 200, data]))
  })

  it('RO-16 keep their related link when the related resource changes', async () => {
    const { id, relationships } = await create(newArticle({ title: 'Ash' }, { author: { data: person(9) } }))
    const before = relationships.author.links.related
    await api.patch(`/articles/${id}`).send(changed(id, { relationships: { author: { data: person(2) } } }))
    const after = (await article(id)).relationships.author.links.related
    expect([before, after]).toEqual([`/articles/${id}/author`, `/articles/${id}/author`])
    expect((await api.get(after)).body.data.id).toBe('2')
  })

  it.each([
    ['1', { author: person(9), cover: { type: 'images', id: '1' }, comments: [{}, {}], tags: tags(2, 3) }],
    ['2', { author: null, cover: null, comments: [], tags: [] }],
    ['4', { author: person(2), cover: null, comments: [], tags: [] }],
  ])('RO-17 have linkage of their own kind: articles/%s', async (id, expected) => {
    const { relationships } = await article(id, '?include=author,cover,comments,tags')
    for (const [name, data] of Object.entries(expected)) {
      expect(relationships).toMatchObject({ [name]: { data } })
      expect((await api.get(`/articles/${id}/relationships/${name}`)).body.data).toEqual(relationships[name].data)
    }
  })

  it('RO-18 have resources that their self links return', async () => {
    const paths = [INCLUDING, '/media', '/articles?include=author.bestFriend', '/jobs', '/logs', '/exports']
    const seen = new Map<string, string>()
    for (const path of paths) {
      for (const { type, id, links } of resourcesOf((await api.get(path)).body)) seen.set(links.self, `${type} ${id}`)
    }
    expect(seen.size).toBeGreaterThan(15)
    for (const [self, name] of seen) {
      const { type, id } = (await api.get(self)).body.data
      expect(`${type} ${id}`).toBe(name)
    }
  })
})

describe('an identifier', () => {
  it.each([
    [{ type: 'people' }, '/data/relationships/author/data'],
    [{ id: '9' }, '/data/relationships/author/data'],
  ])('RI-1 returns 400 without type or id: %j', async (data, pointer) => {
    await expectPostRefused('/articles', newArticle({ title: 'Ash' }, { author: { data } }), pointer)
  })

  it('RI-1 has both in responses', async () => {
    const identifiers = identifiersOf(resourcesOf((await api.get(INCLUDING)).body))
    expect(identifiers.length).toBeGreaterThan(5)
    for (const each of identifiers) expect(each).toEqual({ type: expect.any(String), id: expect.any(String) })
  })

  it.each([
    [{ type: 'people', id: 9 }, 'id'],
    [{ type: 9, id: '9' }, 'type'],
    [{ type: 'people', lid: 9 }, 'lid'],
  ])('RI-2 returns 400 for members that are no strings: %j', async (data, member) => {
    const answer = await api.unchanged(() => api.patch('/articles/1/relationships/author').send({ data }))
    expectError(answer, 400, `/data/${member}`)
  })

  it('RI-3 may have meta, and has no attributes', async () => {
    const { id } = await create(newArticle({ title: 'Ash' }))
    const data = { ...person(9), meta: { since: 2020 } }
    await api.patch(`/articles/${id}/relationships/author`).send({ data }).expect(204)
    const { body } = await api.get(`/articles/${id}/relationships/author?include=author`)
    expect(body.data).toEqual(person(9))
    const paged = await api.get('/articles/1/relationships/comments').set(ACCEPT)
    expect(namesOf(paged.body.data)).toEqual(['id', 'meta', 'type'])
  })
})

describe('a local id', () => {
  const self = { type: 'people', lid: 'me' }

  it('RI-4 identifies the same resource in all of a document', async () => {
    const relationships = { bestFriend: { data: self } }
    const { id } = await create({ data: { ...self, attributes: { name: 'Ash' }, relationships } }, '/people')
    expect((await api.get(`/people/${id}/relationships/bestFriend`)).body.data).toEqual({ type: 'people', id })
  })

  it('RI-5 may identify a new resource, which gets an id', async () => {
    const { data } = newArticle({ title: 'Ash' })
    const created = await create({ data: { ...data, lid: 'new' } })
    expect(created.id).toMatch(/^\d+$/)
    expect((await article(created.id)).attributes.title).toBe('Ash')
  })

  it.each([
    ['unknown', 'people', '/people', 'bestFriend', 'ghost'],
    ['of another type', 'articles', '/articles', 'author', 'me'],
  ])('RI-6 returns 400 when it is %s', async (_what, type, path, name, lid) => {
    const attributes = type === 'people' ? { name: 'Ash' } : { title: 'Ash' }
    const relationships = { [name]: { data: { type: 'people', lid } } }
    const body = { data: { type, lid: 'me', attributes, relationships } }
    await expectPostRefused(path, body, `/data/relationships/${name}/data`)
  })
})

describe('included in a request', () => {
  const including = (beside: object) => ({ data: { type: 'people', attributes: { name: 'Ash' } }, included: [beside] })

  it('RI-7 returns 400 for a resource object, and creates nothing', async () => {
    const body = including({ type: 'people', lid: 'b', attributes: { name: 'Beside' } })
    await expectPostRefused('/people', body, '/included/0')
  })

  it('RI-7 is ignored for an identifier', async () => {
    const count = async () => (await api.get('/people')).body.meta.total
    const before = await count()
    await create(including({ type: 'people', id: '1' }), '/people')
    expect(await count()).toBe(before + 1)
  })
})
