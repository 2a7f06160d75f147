import type { RequestHandler } from 'express'
import { Attribute, Resource, ToMany, ToOne } from 'stemma'
import { ChildEntity, Column, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn, TableInheritance } from 'typeorm'
import { define, setUp, startApi, useApi } from '../../support/api'
import { createResource, resource } from '../../support/documents'
import { expectError } from '../../support/expectations'

@Resource('people', { endpoints: ['getCollection', 'getResource', 'updateResource', 'getRelated', 'setRelationship'] })
@Entity('people')
class Person {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80, default: '' }) name: string
  @ToMany() @OneToMany('Post', 'author') posts: Post[]
}

@Resource('posts', { parameters: ['include', 'page'] })
@Entity('posts')
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
class Post {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80, default: '' }) title: string
  @ToOne() @ManyToOne('Person', 'posts', { nullable: true }) author: Person | null
}

/** Can be listed and created only. */
@Resource('drafts', { endpoints: ['getCollection', 'createResource'], parameters: ['sort', 'include', 'fields'] })
@ChildEntity()
class Draft extends Post {}

/** Inherits the endpoints of its base. */
@Resource('sketches')
@ChildEntity()
class Sketch extends Draft {}

/** Can be written, and not read. */
@Resource('logs', {
  endpoints: ['createResource', 'updateResource', 'deleteResource', 'addToRelationship', 'setRelationship'],
})
@Entity('logs')
class Log {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80, default: '' }) text: string
  @ToOne() @ManyToOne('Log', 'later', { nullable: true }) earlier: Log | null
  @ToMany() @OneToMany('Log', 'earlier') later: Log[]
}

/** Links nothing, so that the response has the linkage. */
const logRules = define(Log, { addToMany: () => [] })
const RESOURCES = [Person, Post, Draft, Sketch, Log]
const api = setUp(() => startApi(RESOURCES, { definitions: [logRules] }))
beforeAll(async () => {
  await api.add(Person, { name: 'Ada' })
  await api.add(Post, { title: 'a', author: { id: 1 } })
  await api.add(Draft, { title: 'b', author: { id: 1 } })
  await api.add(Sketch, { title: 'c' })
  await api.add(Log)
})

describe('an endpoint that is switched off', () => {
  it.each([
    ...['GET /logs', 'HEAD /logs', 'GET /logs/1', 'GET /logs/1/later', 'GET /logs/1/relationships/later'],
    ...['DELETE /logs/1/relationships/later', 'POST /people', 'DELETE /people/1', 'GET /people/1/relationships/posts'],
    ...['POST /people/1/relationships/posts', 'DELETE /people/1/relationships/posts', 'GET /drafts/2'],
    ...['GET /drafts/2/author', 'GET /drafts/2/relationships/author', 'PATCH /drafts/2/relationships/author'],
    ...['DELETE /drafts/2', 'GET /sketches/3'],
  ])('returns 403 before the query string is read: %s', async (request) => {
    const [method = '', path = ''] = request.split(' ')
    const response = await api.unchanged(() => api.request(method, `${path}?nonsense=1`)) // anchor: R/A-21, R/A-22
    expect(response.status).toBe(403)
    if (method === 'HEAD') return
    const detail = `${method} ${path} is disabled.`
    const title = 'The endpoint is disabled.'
    expect(response.body.errors).toEqual([{ status: '403', code: 'endpoint.disabled', title, detail }])
    expect(response.body.links).toBeUndefined()
  })

  // Unknown methods: the next table.
  it('differs from an unknown path', async () => {
    expectError(await api.get('/logs/1/relationships'), 404, undefined, 'relationship.not-found')
    expectError(await api.get('/logs/1/relationships/nothing'), 404, undefined, 'relationship.not-found')
  })

  it.each([
    ['/logs', 'POST, OPTIONS'],
    ['/logs/1', 'PATCH, DELETE, OPTIONS'],
    ['/logs/1/later', 'OPTIONS'],
    ['/logs/1/relationships/later', 'PATCH, POST, OPTIONS'],
    ['/people', 'GET, HEAD, OPTIONS'],
    ['/people/1', 'GET, HEAD, PATCH, OPTIONS'],
    ['/sketches', 'GET, HEAD, POST, OPTIONS'],
    ['/posts/1', 'GET, HEAD, PATCH, DELETE, OPTIONS'],
  ])('is left out of Allow: %s', async (path, allowed) => {
    const options = await api.request('OPTIONS', path)
    expect([options.status, options.headers.allow]).toEqual([204, allowed])
    const refused = await api.request('PUT', path)
    expect([refused.status, refused.headers.allow]).toEqual([405, allowed])
    const hint = allowed.includes('PATCH') ? ' PATCH changes what it names, and leaves the rest as it is.' : ''
    expect(refused.body.errors[0].detail).toBe(`Found PUT, expected one of ${allowed}.${hint}`)
  })

  it('is looked up by the type in the URL, and not by the stored type', async () => {
    expect((await api.get('/posts/2')).body.data).toMatchObject({ type: 'drafts', id: '2' })
    expect((await api.get('/posts/3/author')).body.data).toBeNull()
    expect((await api.get('/posts/2/relationships/author')).body.data).toEqual({ type: 'people', id: '1' })
    const sent = resource('drafts', '2', { title: 'b' })
    await api.patch('/posts/2').send(sent).expect(204)
  })

  it('may be switched off for all types that name no endpoints', async () => {
    await useApi(startApi(RESOURCES, { endpoints: ['getCollection', 'getResource'] }), async (other) => {
      await other.add(Post)
      await createResource(other, 'posts').expect(403)
      // A resource that can't be read has no Location.
      await createResource(other, 'logs').ignoring('CR-8').expect(201)
      const shown = { type: 'posts', id: '1', attributes: { title: '' }, links: { self: '/posts/1' } }
      expect((await other.get('/posts/1')).body.data).toEqual(shown)
    })
  })
})

describe('links to an endpoint that is switched off', () => {
  const draft = { type: 'drafts', id: '2', attributes: { title: 'b' } }
  const sketch = { type: 'sketches', id: '3', attributes: { title: 'c' } }
  const links = { self: '/posts/1/relationships/author', related: '/posts/1/author' }

  it('are left out by the stored type, primary and included', async () => {
    const post = { type: 'posts', id: '1', attributes: { title: 'a' } }
    const shown = { ...post, relationships: { author: { links } }, links: { self: '/posts/1' } }
    expect((await api.get('/posts')).body.data).toEqual([shown, draft, sketch])
    expect((await api.get('/people/1?include=posts')).body.included).toEqual([shown, draft]) // anchor: R/D-15
  })

  it('only the link to the disabled endpoint is left out of a resource', async () => {
    const { body } = await api.get('/people/1') // anchor: R/A-22
    expect(body.links).toEqual({ self: '/people/1' })
    expect(body.data.relationships).toEqual({ posts: { links: { related: '/people/1/posts' } } })
  })

  it('are left out beside linkage', async () => {
    const { body } = await api.get('/drafts?include=author')
    expect(body.data).toEqual([
      { ...draft, relationships: { author: { data: { type: 'people', id: '1' } } } },
      { ...sketch, relationships: { author: { data: null } } },
    ])
    expect(body.links).toMatchObject({ self: '/drafts?include=author' })
  })

  it('are left out of a document of linkage', async () => {
    const linksAt = async (path: string) => (await api.get(path)).body.links
    expect(await linksAt('/posts/2/relationships/author')).toEqual({ self: '/posts/2/relationships/author' })
    expect(await linksAt('/posts/1/relationships/author')).toEqual(links)
  })

  it('are left out of the response to a write, with Location', async () => {
    const post = (type: string) => createResource(api, type, { title: 'new' })
    const created = await post('drafts').ignoring('CR-8').expect(201)
    const { data } = created.body
    expect([created.headers.location, created.body.links, data.links]).toEqual([undefined, undefined, undefined])
    await api.delete(`/posts/${data.id}`).expect(204)
    const shown = await post('posts')
    const self = `/posts/${shown.body.data.id}`
    expect([shown.headers.location, shown.body.links]).toEqual([self, { self }])
    await api.delete(self)
  })

  it('are left out where only writes are on', async () => {
    const patch = (attributes: object) => api.patch('/logs/1?fields[logs]=text').send(resource('logs', '1', attributes))
    const { body } = await patch({ text: 'x' }).expect(200)
    expect(body).toEqual({ jsonapi: { version: '1.1' }, ...resource('logs', '1', { text: 'x' }) })
    expect((await patch({ nope: 1 }).expect(422)).body.links).toBeUndefined()
    const linkage = { data: [{ type: 'logs', id: '1' }] }
    expect((await api.post('/logs/1/relationships/later').send(linkage).expect(200)).body.links).toBeUndefined()
  })
})

describe('a query parameter that is switched off', () => {
  it.each([
    ...['/posts?filter=has(nothing) filter', '/posts?filter= filter', '/posts?filter[author]= filter[author]'],
    ...['/posts?sort=title sort', '/posts?fields[people]=name fields[people]'],
    ...['/posts/1?fields[posts]=title fields[posts]', '/people/1/posts?sort=title sort'],
    ...['/posts/1/relationships/author?page[number]=1 page[number]', '/drafts?page[size]=1 page[size]'],
    ...['/drafts?filter=equals(title,null) filter', '/sketches?filter=equals(title,null) filter'],
  ])('returns 400: %s', async (row) => {
    const [path = '', parameter] = row.split(' ')
    expectError(await api.get(path), 400, parameter, 'query.not-allowed')
  })

  it.each([
    ...['/posts?include=author&page[size]=1', '/people?fields[posts]=title&sort=name'],
    ...['/posts/1/author?fields[people]=name', '/drafts?sort=-title&fields[drafts]=title'],
    '/posts/2?include=author.posts&page[size]=author.posts:1',
  ])('is looked up by the type to which the URL leads, and not by the stored type: %s', (path) =>
    api.get(path).expect(200),
  )

  // https://jsonapi.org/format/1.1/#fetching-includes
  it('returns 400 even with an empty value', async () => {
    await useApi(startApi(RESOURCES, { parameters: [] }), async (other) => {
      expectError(await other.get('/logs'), 403, undefined, 'endpoint.disabled')
      for (const query of ['include=', 'include=posts', 'sort=', 'fields[people]=', 'page[size]=', 'filter='])
        expectError(await other.get(`/people?${query}`), 400, query.split('=')[0], 'query.not-allowed')
      await other.get('/people').expect(200)
      await other.get('/posts?include=author').expect(200)
    })
  }) // anchor: R/B-09
})

describe('an unknown query parameter', () => {
  it('may be allowed by name', async () => {
    let read: unknown
    const before: RequestHandler = ({ query }, _response, next) => {
      read = query
      next()
    }
    await useApi(startApi(RESOURCES, { unknownParameters: ['apiKey', '_'], before }), async (other) => {
      await other.get('/people?apiKey').expect(200)
      expect(read).toEqual({ apiKey: '' }) // anchor: R/B-11
      for (let count = 0; count < 3; count++) await other.add(Person)
      const { next } = (await other.get('/people?apiKey=a%20b&_=1&page[size]=1&apiKey=2').expect(200)).body.links
      expect(next).toBe('/people?apiKey=a%20b&_=1&page%5Bsize%5D=1&apiKey=2&page%5Bnumber%5D=2')
      expect((await other.get(next)).body.data).toMatchObject([{ id: '2' }]) // anchor: R/B-02
      expectError(await other.get('/people?apikey=1&apiKey=1'), 400, 'apikey', 'query.unknown')
      await other.delete('/posts/1?apiKey=1').expect(404)
    })
  })

  it('may be ignored, unless its name resembles that of a known one', async () => {
    await useApi(startApi(RESOURCES, { unknownParameters: 'ignore' }), async (other) => {
      await other.get('/people?utm_source=x&_=1&fooBar[bar]=1&%5B=1').expect(200)
      const families = ['page[sise]=1', 'foo[bar]=1', 'include[x]=posts']
      for (const query of [...families, 'filters=1', 'fields=name', 'filter[=1', '=1', '%FF=1'])
        expect([query, (await other.get(`/people?${query}`)).status]).toEqual([query, 400])
    })
  })
})
