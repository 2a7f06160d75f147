import { ResourceDefinition } from 'stemma'
import { type TestApi, using } from '../support/api'
import { Article } from '../support/blogs'
import { singleError } from '../support/expectations'
import { startGrove } from './support/grove'
import { detailAt, idsOf } from './support/paths'

let api: TestApi
beforeAll(async () => {
  api = await startGrove()
})
afterAll(() => api.close())

it.each([
  ['S-01', 'by the id when nothing else is said', '/articles', '1 2 3 4'],
  ['S-01', 'by the id below another resource', '/articles/1/tags', 'green red'],
  ['S-01', 'by the id, without pages too', '/tags/red/articles', '1 2'],
  ['S-02', 'by an attribute', '/articles?sort=title', '1 2 3 4'],
  ['S-02', 'downwards', '/articles?sort=-title', '4 3 2 1'],
  ['S-02', 'by several keys', '/articles?sort=-views,-title', '1 3 2 4'],
  ['S-02', 'along a path', '/articles?sort=blog.title,-id', '3 2 1 4'],
  ['S-02', 'along a path, downwards', '/comments?sort=-article.title', '3 1 2'],
  ['S-02', 'by the id', '/articles?sort=-id', '4 3 2 1'],
  ['S-02', 'related resources', '/blogs/1/articles?sort=-title', '2 1'],
  ['S-02', 'linkage', '/blogs/1/relationships/articles?sort=-title', '2 1'],
  ['S-03', 'by a count', '/blogs?sort=count(articles)', '3 2 1'],
  ['S-03', 'by a count, downwards', '/blogs?sort=-count(articles)', '1 2 3'],
  ['S-03', 'by a count of many to many', '/tags?sort=-count(articles)', 'red green blue'],
  ['S-03', 'by a count behind a path', '/comments?sort=count(article.tags)', '3 1 2'],
  ['S-09', 'ties by the id, here', '/articles?sort=views', '4 2 3 1'],
  ['S-09', 'ties by the id, downwards too, here', '/articles?sort=-views', '1 2 3 4'],
  ['S-10', 'nulls last', '/articles?sort=likes', '2 1 3 4'],
  ['S-10', 'nulls last, downwards too, here', '/articles?sort=-likes', '1 2 3 4'],
  ['S-10', 'paths that break last', '/articles?sort=blog.title', '3 1 2 4'],
  ['S-10', 'paths that break last, downwards too, here', '/articles?sort=-blog.title', '1 2 3 4'],
])('%s: sorts %s: %s', async (_rule, _what, path, expected) => {
  expect(await idsOf(api, path)).toBe(expected)
})

it.each([
  ['S-07', 'an empty key at the start', '^,title', 'an attribute'],
  ['S-07', 'an empty key between others', 'title,^,views', 'an attribute'],
  ['S-07', 'an empty key at the end', 'title,^', 'an attribute'],
  ['S-07', 'a minus alone', '-^', "an attribute of 'articles'"],
  ['S-07', 'two minuses', '-^-title', "an attribute of 'articles'"],
  ['S-07', 'a field that is not there', '^nothing', "found 'nothing'"],
  ['S-07', 'a field that is not there, behind a minus', '-^nothing', "found 'nothing'"],
  ['S-07', 'a to-one relationship without an attribute', 'blog^', "an attribute of 'blogs'"],
  ['S-07', 'a path that is not there', 'blog.^nothing', "found 'nothing'"],
  ['S-07', 'a path over a to-many relationship', '^tags.id', "the to-many relationship 'tags'"],
  ['S-07', 'a count that is not opened', '^count', "found 'count'"],
  ['S-07', 'a count of nothing', 'count(^)', "a to-many relationship of 'articles'"],
  ['S-07', 'a count of an attribute', 'count(^title)', "the attribute 'title'"],
  ['S-07', 'a count of a to-one relationship', 'count(blog^)', "a to-many relationship of 'blogs'"],
  ['S-07', 'a count that is not closed', 'count(tags^', "')'"],
  ['S-07', 'a colon', 'title:^', 'found'],
])('%s: refuses %s: %s', async (_rule, _what, marked, detail) => {
  expect(await detailAt(api, `/articles?sort=${marked}`, 'query.sort')).toContain(detail)
})

it.each([
  ['S-05', 'one resource', '/articles/1'],
  ['S-05', 'the other end of a to-one relationship', '/articles/1/blog'],
  ['S-05', 'the linkage of a to-one relationship', '/articles/1/relationships/blog'],
])('%s: a sort of %s is refused', async (_rule, _what, path) => {
  expect(singleError(await api.get(`${path}?sort=title`))).toMatchObject({
    status: 400,
    code: 'query.not-allowed',
    parameter: 'sort',
  })
})

it.each([
  ['S-08', 'an attribute', '^title', "the attribute 'title', which can't be sorted by"],
  ['S-08', 'an attribute behind a path', '-blog.^title', "the attribute 'title', which can't be sorted by"],
  ['S-08', 'a count, here', 'count(^tags)', "the to-many relationship 'tags', which can't be counted"],
])('%s: refuses %s that is not for it: %s', async (_rule, _what, marked, detail) => {
  await using(startGrove({ capabilities: { attribute: ['view', 'filter'], toMany: ['view'] } }), async (closed) => {
    expect(await detailAt(closed, `/articles?sort=${marked}`, 'query.sort')).toContain(detail)
  })
})

class ArticleOrder extends ResourceDefinition {
  readonly resource = Article

  override sort() {
    return '-title'
  }
}

it.each([
  ['S-11', 'holds when the client names none', '/articles', '4 3 2 1'],
  ['S-11', 'gives way to that of the client', '/articles?sort=title', '1 2 3 4'],
  ['S-11', 'holds for related resources', '/blogs/1/articles', '2 1'],
])('%s: the order of a definition %s', async (_rule, _what, path, expected) => {
  await using(startGrove({ definitions: [new ArticleOrder()] }), async (ordered) => {
    expect(await idsOf(ordered, path)).toBe(expected)
  })
})
