import type { AddressInfo } from 'node:net'
import express from 'express'
import { Attribute, createJsonApi, Resource, ToMany, ToOne } from 'stemma'
import { ChildEntity, Column, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn, TableInheritance } from 'typeorm'
import { startApi, type TestApi, using } from '../support/api'
import { BLOGS, Blog, Revision } from '../support/blogs'
import { serve } from '../support/server'
import { answered } from './support/answered'
import { refusalOf } from './support/refusal-of'
import { startStockedBlogs } from './support/stocked-blogs'

// Where the API stands in an application, and what its parts are called there.

@Resource('blog-posts')
@Entity('t_post')
class Post {
  @PrimaryGeneratedColumn() id: number
  @Attribute({ name: 'word-count' }) @Column({ type: 'int', default: 7 }) wordCount: number
  @ToOne({ name: 'written-by' }) @ManyToOne('Writer', 'posts', { nullable: true }) writer: Writer | null
}

@Resource('guest-writers')
@Entity('t_writer')
class Writer {
  @PrimaryGeneratedColumn() id: number
  @Attribute({ name: 'pen-name' }) @Column({ type: 'varchar', length: 40, default: 'Ann' }) penName: string
  @ToMany({ name: 'all-posts' }) @OneToMany('Post', 'writer') posts: Post[]
}

@Entity()
class Plain {
  @PrimaryGeneratedColumn() id: number
}

@Resource('bases')
@Entity()
class OtherBase {
  @PrimaryGeneratedColumn() id: number
}

@Resource('twins')
@Entity()
class Twins {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'int' }) one: number
  @Attribute({ name: 'one' }) @Column({ type: 'int' }) two: number
}

@Resource('bases')
@Entity()
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
class Base {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'int' }) size: number
}

@Resource('deriveds')
@ChildEntity()
class Derived extends Base {
  @Attribute({ name: 'length' }) override size: number
}

const EVERY_PARAMETER = [
  "filter=equals(written-by.pen-name,'Ann')&sort=-word-count&include=written-by",
  'fields[blog-posts]=word-count,written-by&fields[guest-writers]=pen-name',
].join('&')

let api: TestApi
beforeAll(async () => {
  api = await startStockedBlogs()
})
afterAll(() => api.close())

describe('the path in front', () => {
  it.each([
    ['A-16', 'a namespace', '/api/v1', '/api/v1'],
    ['A-18', 'a directory', '/inner', '/inner'],
    ['A-19', 'a parameter of the route', '/:country/shops', '/nl/shops'],
  ])('%s: %s is in all links, those of included resources too', async (_rule, _what, mountPath, path) => {
    const { router } = createJsonApi({ dataSource: api.dataSource, resources: BLOGS, startUp: 'quiet' })
    const server = await serve(express().use(mountPath, router))
    const { status, text } = await server.get(`${path}/articles?include=blog,tags&page[size]=1`)
    await server.close()
    const links = [...text.matchAll(/"(?:self|related|first|last|next)":"([^"]+)"/g)].map(([, url = '']) => url)
    expect({ status, elsewhere: links.filter((url) => !url.startsWith(`${path}/`)) }).toEqual({
      status: 200,
      elsewhere: [],
    })
    expect(links.length).toBeGreaterThan(20)
  })
})

it.each([
  [
    'A-17',
    'the route of a type is its public name',
    '/blog-posts/1?include=written-by',
    {
      data: { type: 'blog-posts', links: { self: '/blog-posts/1' } },
      included: [{ type: 'guest-writers', links: { self: '/guest-writers/1' } }],
    },
  ],
  [
    'A-25',
    'fields are shown under their public names',
    '/blog-posts/1',
    {
      data: { attributes: { 'word-count': 7 }, relationships: { 'written-by': {} } },
    },
  ],
  [
    'A-25',
    'parameters know them',
    `/blog-posts?${EVERY_PARAMETER}`,
    {
      data: [{ relationships: { 'written-by': { data: { id: '1' } } } }],
      included: [{ attributes: { 'pen-name': 'Ann' } }],
    },
  ],
])('%s: %s', async (_rule, _what, path, document) => {
  const posts = await startApi([Post, Writer])
  await posts.add(Writer)
  await posts.add(Post, { writer: { id: 1 } })
  expect(answered(await posts.get(path))).toMatchObject({ status: 200, ...document })
  await posts.close()
})

it.each([
  [
    'A-25',
    'kebab',
    toKebab,
    'filter=equals(published-at,null)&sort=-is-published&fields[articles]=published-at',
    'published-at',
  ],
  [
    'A-25',
    'pascal',
    toPascal,
    'filter=equals(PublishedAt,null)&sort=-IsPublished&fields[articles]=PublishedAt',
    'PublishedAt',
  ],
])('%s: all fields may have their names by one rule: %s', async (_rule, _case, fieldNames, query, name) => {
  await using(startStockedBlogs({ fieldNames }), async (named) => {
    const { body } = await named.get(`/articles?${query}`)
    expect(body).toMatchObject({ data: [{ id: '2', attributes: { [name]: null } }, { id: '3' }] })
  })
})

function toKebab(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function toPascal(property: string): string {
  return property.slice(0, 1).toUpperCase() + property.slice(1)
}

describe('other routes of the application', () => {
  it('A-20: may answer with the documents of another URL', async () => {
    const before = express.Router().get('/articles/popular', (request, _response, next) => {
      request.url = '/articles?sort=-views&page[size]=1'
      next()
    })
    const { router } = createJsonApi({ dataSource: api.dataSource, resources: BLOGS, startUp: 'quiet' })
    const hosted = await serve(express().use(before).use(router))
    const { body } = await hosted.get('/articles/popular')
    await hosted.close()
    expect(body).toMatchObject({ data: [{ type: 'articles', id: '1' }] })
  })

  it.each([
    ['A-23', 'content types', '/health', 200, 'text/plain; charset=utf-8', 'fine'],
    ['A-23', 'mistakes', '/broken', 418, 'application/json; charset=utf-8', '{"sorry":true}'],
  ])('%s: keep their own %s', async (_rule, _what, path, status, type, text) => {
    const app = express()
      .get('/health', (_request, response) => void response.type('text').send('fine'))
      .get('/broken', (_request, response) => void response.status(418).json({ sorry: true }))
      .use(createJsonApi({ dataSource: api.dataSource, resources: BLOGS, startUp: 'quiet' }).router)
    const server = app.listen(0)
    const { port } = server.address() as AddressInfo
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept: 'text/html' } })
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([status, type, text])
    server.close()
  })
})

describe('endpoints that are switched off', () => {
  let readable: TestApi
  beforeAll(async () => {
    readable = await startStockedBlogs({ endpoints: ['getCollection', 'getResource', 'getRelated'] })
  })
  afterAll(() => readable.close())

  it.each([
    ['A-21', 'POST', '/articles'],
    ['A-21', 'PATCH', '/articles/1'],
    ['A-21', 'DELETE', '/articles/1'],
    ['A-21', 'GET', '/articles/1/relationships/tags'],
    ['A-22', 'PATCH', '/articles/1/relationships/tags'],
  ])('%s: answer 403 to %s %s, whatever the query string', async (_rule, method, path) => {
    expect(answered(await readable.request(method, `${path}?nonsense`))).toMatchObject({
      status: 403,
      errors: [{ code: 'endpoint.off', detail: `${method} ${path} is switched off.` }],
    })
  })

  it.each([
    ['A-21', '/articles'],
    ['A-21', '/articles/1'],
    ['A-21', '/articles/1/tags'],
  ])('%s: leave %s as it is', async (_rule, path) => {
    await readable.get(path).expect(200)
  })

  it('A-22: are linked from nowhere', async () => {
    const { body } = await readable.get('/articles/1')
    expect(body.data.relationships.tags.links).toEqual({ related: '/articles/1/tags' })
  })
})

it.each([
  ['A-24', 'a class twice', { resources: [...BLOGS, Blog] }, 'Blog: it is registered more than once.'],
  ['A-24', 'a class that is no resource', { resources: [Plain] }, 'Plain: it is registered, but has no @Resource.'],
  ['A-24', 'two classes for one type', { resources: [Base, OtherBase] }, "OtherBase: its public name 'bases'"],
  [
    'A-26',
    'one name for two fields',
    { resources: [Twins] },
    "Twins.two: its public name 'one' is that of Twins.one too",
  ],
  [
    'A-26',
    'a relationship to a type that is not registered',
    { resources: [Revision], entities: BLOGS },
    'Revision.article: its target Article is not registered.',
  ],
  [
    'A-26',
    'an inherited field under another name',
    { resources: [Base, Derived] },
    'Derived.size: it is a field of Base already',
  ],
])('%s: at start-up refuses %s', async (_rule, _what, sources, mistake) => {
  expect(await refusalOf(sources)).toContain(`ConfigurationError: ${mistake}`)
})
