import { Resource, ToOne } from 'stemma'
import { Entity, ManyToOne, PrimaryGeneratedColumn } from 'typeorm'
import { refs, startApi, using } from '../../support/api'
import { Article, startBlogs, Tag } from '../../support/blogs'
import { errorsOf, expectError, singleError } from '../../support/expectations'
import { getRaw } from '../../support/raw-http'
import { setUp } from '../../support/set-up'

// Which URLs there are, and which methods and query parameters they take.

const api = setUp(startBlogs)
beforeAll(async () => {
  await api.add(Article, { title: 'A' })
  await api.add(Tag, { id: 'red', articles: refs('1') })
})

it.each([
  ['an unknown type', '/article', 'url', "'articles'"],
  ['an unknown type with an id', '/article/1', 'url', "'articles'"],
  ['an unknown type with a relationship', '/article/1/tags', 'url', "'articles'"],
  ['an unknown type with linkage', '/article/1/relationships/tags', 'url', "'articles'"],
  ['the root', '/', 'url', "Nothing is at '/': each resource type has a URL of its own, as '/blogs'."],
  ['an empty segment', '/articles//tags', 'url', ''],
  ['too many segments', '/articles/1/tags/red', 'url', ''],
  ['no name of a relationship', '/articles/1/relationships/', 'relationship', 'relationships'],
  ['an unknown relationship', '/articles/1/blogs', 'relationship', "'blogs'"],
  ['an unknown relationship in linkage', '/articles/1/relationships/blogs', 'relationship', "'blogs'"],
  ['a relationship that is a blank', '/articles/1/%20', 'relationship', "' '"],
])('returns 404 for %s: %s', async (_what, path, missing, detail) => {
  const response = await api.get(path) // anchor: R/A-03, R/A-08
  expectError(response, 404, undefined, `${missing}.not-found`)
  expect(response.body.errors[0].detail).toContain(detail)
})

it.each(['%zz', '%', '%e4', '%c3%28'])('returns 400 for an id that is %s, and 404 for a name', async (broken) => {
  expectError(await api.get(`/articles/${broken}`), 400, undefined, 'url.malformed')
  expectError(await api.get(`/${broken}`), 404, undefined, 'url.not-found')
  expectError(await api.get(`/articles/1/${broken}`), 404, undefined, 'relationship.not-found')
})

@Resource('möbel')
@Entity()
class Furniture {
  @PrimaryGeneratedColumn() id: number
  @ToOne({ name: 'nächstes' }) @ManyToOne('Furniture', { nullable: true }) next: Furniture | null
}

it('serves names outside ASCII as links spell them, and in no other way', async () => {
  await using(startApi([Furniture]), async (other) => {
    await other.add(Furniture)
    const { links, data } = (await other.get('/m%C3%B6bel/1').expect(200)).body
    expect([links.self, data.links.self]).toEqual(['/m%C3%B6bel/1', '/m%C3%B6bel/1'])
    for (const path of Object.values<string>(data.relationships.nächstes.links)) await other.get(path).expect(200)
    for (const path of ['/m%c3%b6bel', '/%6D%C3%B6bel', '/m%C3%B6bel/1/n%c3%a4chstes']) {
      expect((await getRaw(other.url, path)).status).toBe(404)
    }
  })
})

it.each([
  ['a broken encoding', 'filter=%zz', 'query.filter'],
  ['an unknown parameter', 'filtre=has(tags)', 'query.unknown'],
  ['an unknown family', 'include[tags]=id', 'query.unknown'],
  ['an empty name', '=x', 'query.name'],
  ['an illegal name', 'fil!ter=x', 'query.name'],
])('returns 400 for %s at every endpoint', async (_what, query, code) => {
  for (const path of ['/articles', '/articles/1', '/articles/1/tags', '/articles/1/relationships/tags']) {
    expect(singleError(await api.get(`${path}?${query}`))).toMatchObject({ status: 400, code })
  }
})

it('returns all errors of a query string at once', async () => {
  const query = 'sort=titel,-viewz&include=tagz&fields[articles]=x&page[size]=0&filter=has(x)&y=1'
  expect(errorsOf(await api.get(`/articles?${query}`).expect(400))).toEqual([
    ...['400 query.sort sort', '400 query.sort sort', '400 query.include include'],
    ...['400 query.fields fields[articles]', '400 query.page page[size]', '400 query.filter filter'],
    '400 query.unknown y',
  ])
}) // anchor: R/B-06

const CHANGES = ' PATCH changes what it names, and leaves the rest as it is.'
const OWN_URL = ' Each resource is written at its own URL.'
it.each([
  ['PUT', '/articles', 'GET, HEAD, POST, OPTIONS', ''],
  ['PATCH', '/articles', 'GET, HEAD, POST, OPTIONS', OWN_URL],
  ['DELETE', '/articles', 'GET, HEAD, POST, OPTIONS', OWN_URL],
  ['POST', '/articles/1', 'GET, HEAD, PATCH, DELETE, OPTIONS', ''],
  ['PUT', '/articles/1', 'GET, HEAD, PATCH, DELETE, OPTIONS', CHANGES],
  ['POST', '/articles/1/tags', 'GET, HEAD, OPTIONS', ''],
  ['PATCH', '/articles/1/tags', 'GET, HEAD, OPTIONS', ''],
  ['DELETE', '/articles/1/tags', 'GET, HEAD, OPTIONS', ''],
  ['PUT', '/articles/1/relationships/tags', 'GET, HEAD, PATCH, POST, DELETE, OPTIONS', CHANGES],
])('returns 405 with the methods to use for %s %s, and Allow for OPTIONS', async (method, path, allowed, hint) => {
  const response = await api.request(method, path)
  expectError(response, 405, undefined, 'url.method-not-allowed')
  expect(response.headers.allow).toBe(allowed)
  expect(response.body.errors[0].detail).toBe(`Found ${method}, expected one of ${allowed}.${hint}`)
  const options = await api.request('OPTIONS', path)
  expect([options.status, options.headers.allow]).toEqual([204, allowed])
})

it('starts all links with the path that the API is mounted at, and they lead somewhere', async () => {
  await using(startBlogs({ mountPath: '/api/v1' }), async (mounted) => {
    for (const id of ['x', 'y']) await mounted.add(Tag, { id })
    await mounted.add(Article, { title: 'A', tags: refs('x', 'y') })
    for (const path of [
      ...['/articles?include=tags&page[size]=1', '/articles/1?include=tags.articles', '/articles/1/tags?page[size]=1'],
      ...['/articles/1/relationships/tags?page[size]=1', '/articles/1/blog', '/articles/1/relationships/blog'],
    ]) {
      const { text } = await mounted.get(`/api/v1${path}`).expect(200) // anchor: R/A-16, R/A-18
      const links = text.matchAll(/"(?:self|related|first|last|prev|next)":"([^"]*)"/g)
      const urls = [...links].map(([, url]) => url ?? '')
      expect(urls.length).toBeGreaterThan(0)
      expect(urls.filter((url) => !url.startsWith('/api/v1/'))).toEqual([])
      for (const url of urls) await mounted.get(url).expect(200)
    }
    await mounted.get('/api/v1/article').expect(404)
  })
})
