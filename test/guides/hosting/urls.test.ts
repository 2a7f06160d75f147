import { Resource, ToOne } from 'stemma'
import { Entity, ManyToOne, PrimaryGeneratedColumn } from 'typeorm'
import { refs, setUp, startApi, useApi } from '../../support/api'
import { Article, startBlogs, Tag } from '../../support/blogs'
import { expectError } from '../../support/expectations'
import { getRaw } from '../../support/raw-http'

// Which URLs there are, and which methods and query parameters they take.

const api = setUp(startBlogs)
beforeAll(async () => {
  await api.add(Article, { title: 'A' })
  await api.add(Tag, { id: 'red', articles: refs('1') })
})

it.each([
  ['an unknown type', '/article', 'url', "'articles'"],
  ['an unknown type with linkage', '/article/1/relationships/tags', 'url', "'articles'"],
  ['the root', '/', 'url', "Nothing is at '/': each resource type has a URL of its own, as '/blogs'."],
  ['an empty segment', '/articles//tags', 'url', ''],
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
  await useApi(startApi([Furniture]), async (other) => {
    await other.add(Furniture)
    const { links, data } = (await other.get('/m%C3%B6bel/1').expect(200)).body
    expect([links.self, data.links.self]).toEqual(['/m%C3%B6bel/1', '/m%C3%B6bel/1'])
    for (const path of Object.values<string>(data.relationships.nächstes.links)) await other.get(path).expect(200)
    for (const path of ['/m%c3%b6bel', '/%6D%C3%B6bel', '/m%C3%B6bel/1/n%c3%a4chstes'])
      expect((await getRaw(other.url, path)).status).toBe(404)
  })
})

// Allow: test/spec/json-api/http.
it.each([
  ['PATCH', '/articles', 'GET, HEAD, POST, OPTIONS', ' Each resource is written at its own URL.'],
  ['POST', '/articles/1/tags', 'GET, HEAD, OPTIONS', ''],
])('returns 405 with the methods to use for %s %s', async (method, path, allowed, hint) => {
  const response = await api.request(method, path)
  expectError(response, 405, undefined, 'url.method-not-allowed')
  expect(response.body.errors[0].detail).toBe(`Found ${method}, expected one of ${allowed}.${hint}`)
})
