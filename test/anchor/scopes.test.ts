import type { TestApi } from '../support/api'
import { includedKeys, linkageKeys } from '../support/expectations'
import { startGrove } from './support/grove'
import { detailAt, idsOf } from './support/paths'

// `filter[path]` and `sort[path]`: what is said of included resources.

let api: TestApi
beforeAll(async () => {
  api = await startGrove()
})
afterAll(() => api.close())

it.each([
  ['F-23', 'what is included', "/blogs/1?include=articles&filter[articles]=equals(views,'3')", ['articles 2']],
  [
    'F-23',
    'of a collection',
    "/blogs?include=articles&filter[articles]=equals(views,'3')",
    ['articles 2', 'articles 3'],
  ],
  [
    'F-23',
    'behind a to-one relationship',
    "/comments/1?include=article.tags&filter[article.tags]=equals(id,'red')",
    ['articles 1', 'tags red'],
  ],
  [
    'F-23',
    'behind a to-many relationship',
    "/blogs/1?include=articles.tags&filter[articles.tags]=equals(id,'green')",
    ['articles 1', 'tags green', 'articles 2'],
  ],
  ['F-23', 'of related resources', "/blogs/1/articles?include=tags&filter[tags]=equals(id,'green')", ['tags green']],
  [
    'F-23',
    'in several places at once',
    "/articles/1?include=tags,comments&filter[tags]=equals(rank,'2')&filter[comments]=equals(body,null)",
    ['comments 2', 'tags red'],
  ],
  ['S-04', 'what is included', '/articles/1?include=tags&sort[tags]=-id', ['tags red', 'tags green']],
  ['S-04', 'by an attribute', '/articles/1?include=tags&sort[tags]=rank', ['tags green', 'tags red']],
  [
    'S-04',
    'behind another relationship',
    '/comments/1?include=article.tags&sort[article.tags]=-rank',
    ['articles 1', 'tags red', 'tags green'],
  ],
  [
    'S-04',
    'of related resources',
    '/comments/3/article?include=blog.articles&sort[blog.articles]=-id',
    ['blogs 1', 'articles 1'],
  ],
  [
    'S-04',
    'in several places at once',
    '/articles/1?include=tags,comments&sort[tags]=-id&sort[comments]=-id',
    ['comments 2', 'comments 1', 'tags red', 'tags green'],
  ],
])('%s: narrows or orders %s: %s', async (_rule, _what, path, expected) => {
  expect(includedKeys(await api.get(path))).toEqual(expected)
})

it.each([
  ['F-23', 'parents of which nothing is left stay', "filter[articles]=equals(views,'5')", [['articles 1'], [], []]],
  ['S-04', 'linkage has the order', 'sort[articles]=-id', [['articles 2', 'articles 1'], ['articles 3'], []]],
])('%s: %s', async (_rule, _what, scoped, expected) => {
  const { body } = await api.get(`/blogs?include=articles&${scoped}`)
  expect(linkageKeys(body.data, 'articles')).toEqual(expected)
})

it('F-25: a scope that is not included has no effect', async () => {
  expect(await idsOf(api, "/blogs?filter[articles]=equals(title,'none')")).toBe('1 2 3')
})

it.each([
  ['F-24', 'a scope that is not there', "filter[^nothing]=equals(id,'1')", 'query.filter', "found 'nothing'"],
  [
    'F-24',
    'a to-one relationship as a scope',
    "filter[blog^]=equals(id,'1')",
    'query.filter',
    'a to-many relationship',
  ],
  ['F-24', 'an attribute as a scope', "filter[^title]=equals(id,'1')", 'query.filter', "the attribute 'title'"],
  ['F-24', 'a scope whose end is not there', "filter[blog.^nothing]=equals(id,'1')", 'query.filter', "found 'nothing'"],
  ['S-06', 'a scope that is not there', 'sort[^nothing]=id', 'query.sort', "found 'nothing'"],
  ['S-06', 'a to-one relationship as a scope', 'sort[blog^]=id', 'query.sort', 'a to-many relationship'],
  ['S-06', 'a field that the end of the scope lacks', 'sort[blog.articles]=^rank', 'query.sort', "found 'rank'"],
])('%s: refuses %s', async (_rule, _what, marked, code, detail) => {
  expect(await detailAt(api, `/articles?${marked}`, code)).toContain(detail)
})
