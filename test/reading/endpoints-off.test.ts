import { Attribute, type JsonApiConfiguration, Resource, ResourceDefinition, ToMany, ToOne } from 'stemma'
import { ChildEntity, Column, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn, TableInheritance } from 'typeorm'
import { startApi, type TestApi } from '../support/api'

@Resource('people', {
  endpoints: ['getCollection', 'getResource', 'updateResource', 'getRelated', 'setRelationship'],
})
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

/** Made and listed, and nothing else. */
@Resource('drafts', { endpoints: ['getCollection', 'createResource'], parameters: ['sort', 'include', 'fields'] })
@ChildEntity()
class Draft extends Post {}

/** As its base. */
@Resource('sketches')
@ChildEntity()
class Sketch extends Draft {}

/** Written, and never read. */
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

/** Links nothing, whatever is asked, so that the linkage is answered. */
class LogRules extends ResourceDefinition<Log> {
  readonly resource = Log

  override addToMany() {
    return []
  }
}

const RESOURCES = [Person, Post, Draft, Sketch, Log]

let api: TestApi

beforeAll(async () => {
  api = await startApi(RESOURCES, { definitions: [new LogRules()] })
  await api.add(Person, { name: 'Ada' })
  await api.add(Post, { title: 'a', author: { id: 1 } })
  await api.add(Draft, { title: 'b', author: { id: 1 } })
  await api.add(Sketch, { title: 'c' })
  await api.add(Log)
})

afterAll(() => api.close())

/** A resource that can't be read has no address. */
const NO_LOCATION = ['CR-8'] as const

describe('an endpoint that is switched off', () => {
  it.each([
    ['GET', '/logs'],
    ['HEAD', '/logs'],
    ['GET', '/logs/1'],
    ['GET', '/logs/1/later'],
    ['GET', '/logs/1/relationships/later'],
    ['DELETE', '/logs/1/relationships/later'],
    ['POST', '/people'],
    ['DELETE', '/people/1'],
    ['GET', '/people/1/relationships/posts'],
    ['POST', '/people/1/relationships/posts'],
    ['DELETE', '/people/1/relationships/posts'],
    ['GET', '/drafts/2'],
    ['GET', '/drafts/2/author'],
    ['GET', '/drafts/2/relationships/author'],
    ['PATCH', '/drafts/2/relationships/author'],
    ['DELETE', '/drafts/2'],
    ['GET', '/sketches/3'],
  ])('answers 403: %s %s', async (method, path) => {
    const answer = await api.unchanged(() => api.request(method, `${path}?nonsense=1`))
    expect(answer.status).toBe(403)
    if (method === 'HEAD') return
    const [error] = answer.body.errors
    expect(error).toEqual({
      status: '403',
      code: 'endpoint.off',
      title: 'The endpoint is switched off.',
      detail: `${method} ${path} is switched off.`,
    })
    expect(answer.body.links).toBeUndefined()
  })

  it('is none of those that are nowhere', async () => {
    await api.request('PUT', '/logs').expect(405)
    await api.get('/logs/1/relationships').expect(403)
    await api.get('/nothing').expect(404)
    await api.post('/logs/1').expect(405)
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
  ])('is not in Allow of %s', async (path, allowed) => {
    const options = await api.request('OPTIONS', path)
    expect([options.status, options.headers.allow]).toEqual([204, allowed])
    const refused = await api.request('PUT', path)
    expect([refused.status, refused.headers.allow]).toEqual([405, allowed])
    const hint = allowed.includes('PATCH') ? ' PATCH changes what it names, and leaves the rest as it is.' : ''
    expect(refused.body.errors[0].detail).toBe(`Found PUT, expected one of ${allowed}.${hint}`)
  })

  it('is that of the type in the URL, whatever is stored', async () => {
    expect((await api.get('/posts/2')).body.data).toMatchObject({ type: 'drafts', id: '2' })
    expect((await api.get('/posts/3/author')).body.data).toBeNull()
    expect((await api.get('/posts/2/relationships/author')).body.data).toEqual({ type: 'people', id: '1' })
    await api
      .patch('/posts/2')
      .send({ data: { type: 'drafts', id: '2', attributes: { title: 'b' } } })
      .expect(204)
  })
})

describe('links to what is switched off', () => {
  it('are left out, by the stored type', async () => {
    const { body } = await api.get('/posts')
    expect(body.data).toEqual([
      {
        type: 'posts',
        id: '1',
        attributes: { title: 'a' },
        relationships: { author: { links: { self: '/posts/1/relationships/author', related: '/posts/1/author' } } },
        links: { self: '/posts/1' },
      },
      { type: 'drafts', id: '2', attributes: { title: 'b' } },
      { type: 'sketches', id: '3', attributes: { title: 'c' } },
    ])
  })

  it('leave the others', async () => {
    const { body } = await api.get('/people/1')
    expect(body.links).toEqual({ self: '/people/1' })
    expect(body.data.relationships).toEqual({ posts: { links: { related: '/people/1/posts' } } })
  })

  it('leave linkage', async () => {
    const { body } = await api.get('/drafts?include=author')
    expect(body.data).toEqual([
      {
        type: 'drafts',
        id: '2',
        attributes: { title: 'b' },
        relationships: { author: { data: { type: 'people', id: '1' } } },
      },
      { type: 'sketches', id: '3', attributes: { title: 'c' }, relationships: { author: { data: null } } },
    ])
    expect(body.links).toMatchObject({ self: '/drafts?include=author' })
  })

  it('are none at the top of a relationship', async () => {
    const { links } = (await api.get('/posts/2/relationships/author')).body
    expect(links).toEqual({ self: '/posts/2/relationships/author' })
    expect((await api.get('/posts/1/relationships/author')).body.links).toEqual({
      self: '/posts/1/relationships/author',
      related: '/posts/1/author',
    })
  })

  it('are none in the answer to a write, and no Location', async () => {
    const body = { data: { type: 'drafts', attributes: { title: 'new' } } }
    const created = await api
      .post('/drafts')
      .send(body)
      .ignoring(...NO_LOCATION)
    expect([created.status, created.headers.location]).toEqual([201, undefined])
    expect(created.body.links).toBeUndefined()
    expect(created.body.data.links).toBeUndefined()
    const { id } = created.body.data
    await api.delete(`/posts/${id}`).expect(204)
    const shown = await api.post('/posts').send({ data: { type: 'posts', attributes: { title: 'new' } } })
    const self = `/posts/${shown.body.data.id}`
    expect([shown.headers.location, shown.body.links]).toEqual([self, { self }])
    await api.delete(self)
  })

  it('are none where only writes are on', async () => {
    const updated = await api
      .patch('/logs/1?fields[logs]=text')
      .send({
        data: { type: 'logs', id: '1', attributes: { text: 'x' } },
      })
      .expect(200)
    expect(updated.body).toEqual({
      jsonapi: { version: '1.1' },
      data: { type: 'logs', id: '1', attributes: { text: 'x' } },
    })
    const refused = await api.patch('/logs/1').send({ data: { type: 'logs', id: '1', attributes: { nope: 1 } } })
    expect([refused.status, refused.body.links]).toEqual([422, undefined])
    const linked = await api
      .post('/logs/1/relationships/later')
      .send({ data: [{ type: 'logs', id: '1' }] })
      .expect(200)
    expect(linked.body.links).toBeUndefined()
  })
})

describe('the endpoints of the application', () => {
  it('hold for types that say nothing', async () => {
    const other = await startApi(RESOURCES, { endpoints: ['getCollection', 'getResource'] })
    try {
      await other.add(Post)
      await other
        .post('/posts')
        .send({ data: { type: 'posts' } })
        .expect(403)
      await other
        .post('/logs')
        .send({ data: { type: 'logs' } })
        .ignoring(...NO_LOCATION)
        .expect(201)
      expect((await other.get('/posts/1')).body.data).toEqual({
        type: 'posts',
        id: '1',
        attributes: { title: '' },
        links: { self: '/posts/1' },
      })
    } finally {
      await other.close()
    }
  })
})

describe('a query parameter that is switched off', () => {
  it.each([
    ['/posts?filter=has(nothing)', 'filter'],
    ['/posts?filter=', 'filter'],
    ['/posts?filter[author]=', 'filter[author]'],
    ['/posts?sort=title', 'sort'],
    ['/posts?fields[people]=name', 'fields[people]'],
    ['/posts/1?fields[posts]=title', 'fields[posts]'],
    ['/people/1/posts?sort=title', 'sort'],
    ['/posts/1/relationships/author?page[number]=1', 'page[number]'],
    ['/drafts?page[size]=1', 'page[size]'],
    ['/drafts?filter=equals(title,null)', 'filter'],
    ['/sketches?filter=equals(title,null)', 'filter'],
  ])('answers 400: %s', async (path, parameter) => {
    const { body } = await api.get(path).expect(400)
    expect(body.errors).toMatchObject([{ code: 'query.not-allowed', source: { parameter } }])
  })

  it('is that of the primary data', async () => {
    await api.get('/posts?include=author&page[size]=1').expect(200)
    await api.get('/people?fields[posts]=title&sort=name').expect(200)
    await api.get('/posts/1/author?fields[people]=name').expect(200)
    await api.get('/drafts?sort=-title&fields[drafts]=title').expect(200)
  })

  // https://jsonapi.org/format/1.1/#fetching-includes
  it('is refused when it is empty, too', async () => {
    const other = await startApi(RESOURCES, { parameters: [] })
    try {
      const { status, body } = await other.get('/logs')
      expect([status, body.errors[0].code]).toEqual([403, 'endpoint.off'])
      for (const query of ['include=', 'include=posts', 'sort=', 'fields[people]=', 'page[size]=', 'filter=']) {
        const refused = await other.get(`/people?${query}`)
        expect([query, refused.status]).toEqual([query, 400])
        expect(refused.body.errors).toMatchObject([
          { code: 'query.not-allowed', source: { parameter: query.split('=')[0] } },
        ])
      }
      await other.get('/people').expect(200)
      await other.get('/posts?include=author').expect(200)
    } finally {
      await other.close()
    }
  })
})

describe('unknown query parameters', () => {
  const withUnknown = async (
    unknownParameters: NonNullable<JsonApiConfiguration['unknownParameters']>,
    work: (other: TestApi) => Promise<void>,
  ) => {
    const other = await startApi(RESOURCES, { unknownParameters })
    for (let count = 0; count < 3; count++) await other.add(Person)
    await work(other).finally(() => other.close())
  }

  it('are refused', async () => {
    const { body } = await api.get('/people?foo=1&Bar=2')
    expect(body.errors).toMatchObject([
      { status: '400', code: 'query.unknown', source: { parameter: 'foo' } },
      { status: '400', code: 'query.unknown', source: { parameter: 'Bar' } },
    ])
  })

  it('are let through by name', async () => {
    await withUnknown(['apiKey', '_'], async (other) => {
      const { body } = await other.get('/people?apiKey=a%20b&_=1&page[size]=1&apiKey=2').expect(200)
      expect(body.links.next).toBe('/people?apiKey=a%20b&_=1&page%5Bsize%5D=1&apiKey=2&page%5Bnumber%5D=2')
      expect((await other.get(body.links.next)).body.data).toMatchObject([{ id: '2' }])
      const refused = await other.get('/people?apikey=1&apiKey=1')
      expect(refused.body.errors).toMatchObject([{ code: 'query.unknown', source: { parameter: 'apikey' } }])
      await other.delete('/posts/1?apiKey=1').expect(404)
    })
  })

  it('are all let through', async () => {
    await withUnknown('ignored', async (other) => {
      await other.get('/people?utm_source=x&_=1&fooBar[bar]=1&%5B=1').expect(200)
      for (const query of [
        'page[sise]=1',
        'filters=1',
        'foo[bar]=1',
        'include[x]=posts',
        'fields=name',
        'filter[=1',
        '=1',
        '%FF=1',
      ]) {
        expect([query, (await other.get(`/people?${query}`)).status]).toEqual([query, 400])
      }
    })
  })
})
