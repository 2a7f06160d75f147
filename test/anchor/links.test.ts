import { Attribute, Resource, ToMany, ToOne } from 'stemma'
import { Column, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import { startApi, type TestApi, using } from '../support/api'
import { startHumans } from '../support/humans'
import { answered } from './support/answered'
import { startStockedBlogs } from './support/stocked-blogs'

// Which links there are, and where they lead.

let api: TestApi
beforeAll(async () => {
  api = await startStockedBlogs()
})
afterAll(() => api.close())

const FILTER = "/articles?filter=equals(title,'Oaks')"
const BLOG = { self: '/articles/1/relationships/blog', related: '/articles/1/blog' }

it.each([
  [
    'L-01',
    'self is the URL that was asked for, its parameters encoded here',
    FILTER,
    { links: { self: '/articles?filter=equals(title,%27Oaks%27)' } },
  ],
  [
    'L-01',
    'self is in error documents too',
    '/articles/99?include=blog',
    { links: { self: '/articles/99?include=blog' } },
  ],
  ['L-02', 'related leads from linkage to the resource', '/articles/1/relationships/blog', { links: BLOG }],
  [
    'L-02',
    'related leads from linkage to the resources',
    '/blogs/1/relationships/articles',
    { links: { related: '/blogs/1/articles' } },
  ],
  ['L-03', 'self of a resource leads to it', '/articles', { data: [{ links: { self: '/articles/1' } }, {}, {}] }],
  ['L-03', 'self of a related resource leads to it', '/articles/1/blog', { data: { links: { self: '/blogs/1' } } }],
  [
    'L-03',
    'self of an included resource leads to it',
    '/articles/1?include=blog',
    { included: [{ links: { self: '/blogs/1' } }] },
  ],
  [
    'L-04',
    'a relationship leads to its linkage and its resources',
    '/articles/1',
    { data: { relationships: { blog: { links: BLOG } } } },
  ],
])('%s: %s', async (_rule, _what, path, expected) => {
  expect(answered(await api.get(path))).toMatchObject(expected)
})

it.each([
  ['L-02', '/articles/1/blog', ['self']],
  ['L-02', '/blogs/1/articles', ['self', 'first', 'last', 'prev', 'next']],
])('%s: related is not in %s', async (_rule, path, names) => {
  expect(Object.keys((await api.get(path)).body.links)).toEqual(names)
})

it('L-02: related is that of the stored type here, like all other links', async () => {
  const humans = await startHumans()
  await humans.addMan({ name: 'Adam' })
  expect((await humans.get('/humans/1/relationships/wife')).body.links).toEqual({
    self: '/humans/1/relationships/wife',
    related: '/men/1/wife',
  })
  await humans.close()
})

it('L-05: linkage has no links', async () => {
  expect((await api.get('/articles/1/relationships/blog')).body.data).toEqual({ type: 'blogs', id: '1' })
})

it.each([
  ['L-06', 'paths by default here', {}, ''],
  ['L-06', 'with the host of the request by option', { base: 'request' }, undefined],
  ['L-06', 'with a host by option', { base: 'https://example.com' }, 'https://example.com'],
] as const)('%s: links are %s', async (_rule, _what, links, host) => {
  await using(startStockedBlogs({ links }), async (server) => {
    const { body } = await server.get('/articles/1?include=blog')
    expect([body.links.self, body.data.links.self, body.included[0].links.self]).toEqual(
      ['/articles/1?include=blog', '/articles/1', '/blogs/1'].map((path) => `${host ?? server.url}${path}`),
    )
  })
})

it.each([
  ['L-07', 'of documents', { topLevel: 'off' }, { pages: true, resource: true, relationship: true, self: false }],
  ['L-07', 'to pages', { pages: 'off' }, { pages: false, resource: true, relationship: true, self: true }],
  ['L-07', 'of resources', { resource: 'off' }, { pages: true, resource: false, relationship: true, self: true }],
  [
    'L-07',
    'of relationships',
    { relationship: 'off' },
    { pages: true, resource: true, relationship: false, self: true },
  ],
] as const)('%s: links %s can be switched off', async (_rule, _what, links, expected) => {
  await using(startStockedBlogs({ links }), async (server) => {
    const { body } = await server.get('/blogs?include=articles&page[size]=1')
    const [blog] = body.data
    expect({
      self: 'self' in body.links,
      pages: 'next' in body.links,
      resource: 'links' in blog,
      relationship: 'links' in blog.relationships.articles,
    }).toEqual(expected)
  })
})

/** Says nothing of itself, but for one relationship. */
@Resource('vaults', { links: { topLevel: 'off', resource: 'off', relationship: 'off', pages: 'off' } })
@Entity()
class Vault {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'int', default: 1 }) depth: number
  @ToOne() @ManyToOne('Bank', 'vaults', { nullable: true }) bank: Bank | null
  @ToOne({ links: 'on' }) @ManyToOne('Bank', { nullable: true }) owner: Bank | null
}

@Resource('banks')
@Entity()
class Bank {
  @PrimaryGeneratedColumn() id: number
  @ToMany() @OneToMany('Vault', 'bank') vaults: Vault[]
}

describe('links of a type', () => {
  let banks: TestApi
  beforeAll(async () => {
    banks = await startApi([Vault, Bank])
    await banks.add(Bank)
    await banks.add(Vault, { bank: { id: 1 } })
  })
  afterAll(() => banks.close())

  it('L-07: are what it says, and a relationship may say otherwise', async () => {
    expect(Object.keys((await banks.get('/vaults/1')).body.data.relationships)).toEqual(['owner'])
  })

  it.each([
    ['L-08', 'the related resources', '/banks/1/vaults', false],
    ['L-08', 'the linkage', '/banks/1/relationships/vaults', false],
    ['L-08', 'what is related in the other direction', '/vaults/1/bank', true],
  ])('%s: top-level ones are those of the type of %s: %s', async (_rule, _what, path, has) => {
    expect('links' in (await banks.get(path)).body).toBe(has)
  })

  it('L-09: leave no empty objects', async () => {
    expect((await banks.get('/vaults/1?fields[vaults]=depth,bank')).text).not.toContain('links')
  })
})

it.each([
  ['L-10', 'a path', {}, '/docs.json', '/docs.json'],
  ['L-10', 'a path made absolute', { base: 'https://example.com/v1' }, '/docs.json', 'https://example.com/docs.json'],
  ['L-10', 'a URL elsewhere', {}, 'https://docs.example.com/a', 'https://docs.example.com/a'],
] as const)('%s: describedby may be %s, on errors too', async (_rule, _what, links, describedBy, describedby) => {
  await using(startStockedBlogs({ links, describedBy }), async (server) => {
    for (const path of ['/articles', '/articles/99']) {
      expect((await server.get(path)).body.links).toMatchObject({ describedby })
    }
  })
})
