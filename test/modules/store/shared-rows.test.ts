import { equals, not } from 'stemma'
import { define, ref, refs, setUp, startServerOn } from '../../support/api'
import { Article, BLOGS, Blog, Comment, startBlogs, Tag } from '../../support/blogs'
import { DATABASE } from '../../support/database'
import { idsOf } from '../../support/expectations'
import { startFilledVehicles } from '../../support/filled-vehicles'

// Where many rows lead to the same one, a request about all rows of a table looks at what is related to that once, and not for each of them:
// else a filter takes as long as the rows times the size of their group.

const api = setUp(() => startBlogs({ totals: false }))
const ruled = setUp(() =>
  startServerOn(api, {
    resources: BLOGS,
    definitions: [
      define(Article, { filter: () => not(equals('title', 'hidden')) }),
      define(Blog, { filter: () => not(equals('title', 'Hidden')) }),
    ],
  }),
)
const vehicles = setUp(() => startFilledVehicles({ totals: false }))

/** Blog 1 has articles 1, 2 and 3, blog 2 article 4, and blog 3, which the rules hide, article 5. Article 6 has no blog. */
beforeAll(async () => {
  for (const title of ['Trees', 'Birds', 'Hidden']) await api.add(Blog, { title })
  for (const id of ['green', 'red', 'blue']) await api.add(Tag, { id })
  const tags = refs('green', 'red')
  await api.add(Article, { title: 'oak', blog: ref('1'), tags })
  await api.add(Article, { title: 'elm', blog: ref('1'), tags: refs('green') })
  await api.add(Article, { title: 'hidden', blog: ref('1'), tags: refs('red') })
  await api.add(Article, { title: 'wren', blog: ref('2') })
  await api.add(Article, { title: 'oak', blog: ref('3'), tags: refs('blue') })
  await api.add(Article, { title: 'oak' })
  const articles = ['1', '2', '4', '5', '6', undefined]
  for (const [place, article] of articles.entries()) {
    await api.add(Comment, {
      id: String(place + 1),
      body: `on ${article}`,
      article: article === undefined ? null : ref(article),
    })
  }
})

const BESIDE_ELM = "has(blog.articles,equals(title,'elm'))"

/** Subselects that run for each row. PostgreSQL makes a list of the rows of `exists` by itself. */
const perRow = (statements: readonly string[]) =>
  statements.flatMap(
    (text) =>
      text.match(DATABASE !== 'postgres' ? /exists \(|\(select count\(\*\) from/g : /\(select count\(\*\) from/g) ?? [],
  )

it.each<[path: string, ids: string]>([
  ["/articles?filter=has(blog.articles,equals(title,'elm'))", '1 2 3'],
  ["/articles?filter=not(has(blog.articles,equals(title,'elm')))", '4 5 6'],
  ["/articles?filter=or(equals(title,'wren'),has(blog.articles,equals(title,'elm')))", '1 2 3 4'],
  ['/articles?filter=has(blog.articles)', '1 2 3 4 5'],
  ["/comments?filter=has(article.blog.articles,equals(title,'elm'))", '1 2'],
  ["/comments?filter=has(article.tags,equals(id,'red'))", '1'],
  ["/articles?filter=equals(count(blog.articles),'1')", '4 5'],
  ["/articles?filter=equals(count(blog.articles),'0')", '6'],
  ["/comments?filter=not(equals(count(article.blog.articles),'0'))", '1 2 3 4'],
  ["/comments?filter=equals(count(article.tags),'1')", '2 4'],
  ["/comments?filter=or(equals(count(article.tags),'1'),equals(count(article.tags),'2'))", '1 2 4'],
  ["/articles?filter=greaterThan(count(blog.articles),'1')&page[number]=2&page[size]=2", '3'],
  ["/blogs?filter=has(articles,equals(count(blog.articles),'1'))", '2 3'],
  ["/blogs?filter=not(has(articles,or(equals(title,'elm'),equals(count(blog.articles),'1'))))", ''],
  ["/articles?filter=has(blog.articles,equals(count(blog.articles),'3'))", '1 2 3'],
  ["/articles?filter=has(tags,equals(count(articles),'1'))", '5'],
  ["/tags?filter=has(articles,greaterThan(count(tags),'1'))", 'green red'],
  ["/comments?filter=has(article.tags,greaterThan(count(articles),'1'))", '1 2'],
  ['/articles?sort=-count(blog.articles),id', '1 2 3 4 5 6'],
  ['/articles?sort=count(blog.articles),-id', '5 4 3 2 1 6'],
])('reads shared rows once: %s', async (path, ids) => {
  const page = path.includes('page') ? '' : '&page[size]=10'
  const statements = await api.statementsOf(async () => {
    expect(idsOf(await api.get(`${path}${page}`))).toBe(ids)
  })
  expect(perRow(statements)).toEqual([])
})

it.each<[path: string, ids: string]>([
  // Within `has` over a table of pairs many rows lead to the same one as well; the first `has` is about each row alone.
  ["/articles?filter=has(tags,has(articles,equals(title,'elm')))", '1 2'],
  ["/articles?filter=not(has(tags,has(articles,equals(title,'elm'))))", '3 4 5 6'],
  ["/tags?filter=has(articles,has(tags,equals(id,'red')))", 'green red'],
  ["/blogs?filter=has(articles,has(blog.articles,equals(title,'elm')))", '1'],
  ["/articles?filter=has(blog.articles,has(tags,has(articles,equals(title,'elm'))))", '1 2 3'],
  ["/blogs?filter=has(articles,has(comments,equals(count(article.comments),'1')))", '1 2 3'],
  [`/articles?filter=or(${BESIDE_ELM},and(${BESIDE_ELM},has(tags)))`, '1 2 3'],
])('reads shared rows within other subselects: %s', async (path, ids) => {
  expect(idsOf(await api.get(`${path}&page[size]=10`))).toEqual(ids)
})

it.each<[path: string, ids: string]>([
  ["/articles?filter=has(blog.articles,equals(title,'hidden'))", ''],
  ["/articles?filter=has(blog.articles,equals(title,'oak'))", '1 2'],
  ["/articles?filter=equals(count(blog.articles),'2')", '1 2'],
  ["/articles?filter=equals(count(blog.articles),'0')", '5 6'],
  ["/comments?filter=equals(count(article.blog.articles),'0')", '4 5 6'],
  ["/articles?filter=has(tags,has(articles,equals(title,'hidden')))", ''],
  ['/articles?sort=-count(blog.articles),id', '1 2 4 5 6'],
])('does not count shared rows that rules hide: %s', async (path, ids) => {
  const { body, status } = await ruled.get(`${path}&page[size]=10`)
  expect({ status, ids: body.data.map(({ id }: { readonly id: string }) => id).join(' ') }).toEqual({
    status: 200,
    ids,
  })
  if (!path.includes('sort')) expect(body.meta).toMatchObject({ total: body.data.length })
})

it.each([
  ["has(manufacturer.vehicles,equals(id,'1'))", '1 2'],
  ["isType(,bikes,has(manufacturer.vehicles,equals(id,'1')))", '1 2'],
])('reads shared rows of several types: %s', async (filter, ids) => {
  expect(idsOf(await vehicles.get(`/vehicles?filter=${filter}`))).toEqual(ids)
})

it('looks up the related rows of a few rows by index', async () => {
  const statements = await api.statementsOf(async () => {
    expect(idsOf(await api.get("/blogs/1/articles?filter=has(blog.articles,equals(title,'elm'))"))).toBe('1 2 3')
    expect(idsOf(await api.get("/blogs/1/articles?filter=equals(count(blog.articles),'3')"))).toBe('1 2 3')
  })
  expect(statements.join('\n')).toMatch(/exists \([\s\S]*\(select count\(\*\) from/)
})
