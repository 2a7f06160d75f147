import { setUp } from '../../support/set-up'
import { newArticle, person, startArticles } from '../support/articles'
import { namesOf, resourcesOf } from '../support/parts'

// https://jsonapi.org/recommendations/

const api = setUp(startArticles)

const documentAt = async (path: string) => {
  const { status, body } = await api.get(path)
  expect({ path, status }).toEqual({ path, status: 200 })
  return body
}

it('RC-1 names are in camel case like properties', async () => {
  const resources = resourcesOf(await documentAt('/articles/1?include=author.bestFriend,comments,tags'))
  const fields = namesOf(resources.flatMap(({ attributes = {}, relationships = {} }) => [attributes, relationships]))
  expect(fields).toEqual(expect.arrayContaining(['bestFriend', 'updatedAt']))
  const names = [...fields, ...namesOf(resources), ...resources.map(({ type }) => type)]
  expect(names.filter((name) => !/^[a-z][a-zA-Z0-9]*[a-z]$/.test(name))).toEqual([])
})

it.each([
  ['/articles', 'articles'],
  ['/articles/1', 'articles'],
  ['/articles/1/author', 'people'],
  ['/articles/1/comments', 'comments'],
  ['/articles/1/relationships/author', 'people'],
  ['/articles/1/relationships/comments', 'comments'],
])('RC-2 URLs follow the recommendation: %s', async (path, type) => {
  const { data, links } = await documentAt(path)
  expect([data].flat()[0].type).toBe(type)
  expect(links.self).toBe(path)
})

it('RC-3 the self link of a resource is its own URL in all documents', async () => {
  expect((await documentAt('/articles/1/author')).data.links).toEqual({ self: '/people/9' })
  expect((await documentAt('/people/9/articles')).data[0].links).toEqual({ self: '/articles/1' })
})

it('RC-4 every document, resource and relationship has links', async () => {
  const document = await documentAt('/articles?include=author,comments&page[size]=2')
  expect(Object.keys(document.links).sort()).toEqual(['first', 'last', 'next', 'prev', 'self'])
  for (const { type, id, links, relationships = {} } of resourcesOf(document)) {
    expect(links).toEqual({ self: `/${type}/${id}` })
    for (const [name, relationship] of Object.entries(relationships)) {
      const expected = { self: `/${type}/${id}/relationships/${name}`, related: `/${type}/${id}/${name}` }
      expect(relationship.links).toMatchObject(expected)
    }
  }
})

it('RC-6 dates are in ISO 8601', async () => {
  const before = new Date().toISOString()
  const { body } = await api.post('/articles').send(newArticle({ title: 'Ash' }, { author: { data: person(9) } }))
  const { updatedAt } = body.data.attributes
  expect(updatedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(Math.abs(Date.parse(updatedAt) - Date.parse(before))).toBeLessThan(60_000)
})
