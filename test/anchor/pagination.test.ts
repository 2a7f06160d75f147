import { equals, not, ResourceDefinition } from 'stemma'
import { ref, refs, type TestApi, using } from '../support/api'
import { Article } from '../support/blogs'
import { includedKeys, linkageKeys, singleError } from '../support/expectations'
import { Feature, startVehicles, Tandem } from '../support/vehicles'
import { startGrove } from './support/grove'
import { detailAt, idsOf } from './support/paths'

let api: TestApi
beforeAll(async () => {
  api = await startGrove()
  for (let number = 5; number <= 12; number += 1) await api.add(Article, { title: `Elm ${number}` })
})
afterAll(() => api.close())

it.each([
  ['P-01', 'the first ten when nothing is said', '/articles', '1 2 3 4 5 6 7 8 9 10'],
  ['P-01', 'the first page of a size', '/articles?page[size]=2', '1 2'],
  ['P-01', 'related resources', '/blogs/1/articles?page[size]=1', '1'],
  ['P-01', 'linkage', '/blogs/1/relationships/articles?page[size]=1&page[number]=2', '2'],
  ['P-02', 'a size and a number', '/articles?page[size]=5&page[number]=2', '6 7 8 9 10'],
  ['P-02', 'the last of the entries', '/articles?include=tags&page[size]=tags:1,3', '1 2 3'],
  ['P-02', 'the first of the entries', '/articles?include=tags&page[number]=4,tags:1&page[size]=3', '10 11 12'],
  ['P-06', 'the maximum', '/articles?page[size]=100&page[number]=1', '1 2 3 4 5 6 7 8 9 10 11 12'],
  ['P-07', 'nothing beyond the end', '/articles?page[number]=3', ''],
])('%s: gives %s: %s', async (_rule, _what, path, expected) => {
  expect(await idsOf(api, path)).toBe(expected)
})

it.each([
  ['P-02', 'of its own size', 'include=articles&page[size]=articles:1', ['articles 1', 'articles 3']],
  ['P-02', 'of its own number', 'include=articles&page[size]=articles:1&page[number]=articles:2', ['articles 2']],
  [
    'P-02',
    'behind another relationship',
    'include=articles.comments&page[size]=articles.comments:1',
    ['articles 1', 'comments 1', 'articles 2', 'comments 3', 'articles 3'],
  ],
  ['P-22', 'limited for each parent', 'include=articles&page[size]=1,articles:1', ['articles 1']],
])('%s: an included relationship has a page %s', async (_rule, _what, query, expected) => {
  expect(includedKeys(await api.get(`/blogs?${query}`))).toEqual(expected)
})

it('P-22: an included relationship has no links to pages and no total', async () => {
  const { body } = await api.get('/blogs/1?include=articles&page[size]=articles:1')
  expect(Object.keys(body.data.relationships.articles).sort()).toEqual(['data', 'links'])
  expect(Object.keys(body.data.relationships.articles.links)).toEqual(['self', 'related'])
})

it.each([
  ['P-03', 'a size of 0, here', '/articles?page[size]=^0', 'a page size from 1 to 100'],
  ['P-03', 'a size of 0 of what is included, here', '/blogs?page[size]=articles:^0', 'a page size from 1 to 100'],
  ['P-04', 'a negative size', '/articles?page[size]=^-1', 'a page size from 1 to 100'],
  ['P-05', 'a number of 0', '/articles?page[number]=^0', 'a page number from 1'],
  ['P-05', 'a negative number', '/articles?page[number]=^-1', 'a page number from 1'],
  ['P-06', 'a size over the maximum', '/articles?page[size]=^101', 'a page size from 1 to 100'],
  ['P-06', 'a size over the maximum of what is included', '/blogs?page[size]=articles:^101', 'from 1 to 100'],
  ['P-06', 'a size over that of a relationship', '/articles/1/revisions?page[size]=^6', 'a page size from 1 to 5'],
  ['P-08', 'a word for a size', '/articles?page[size]=^ten', "found 'ten'"],
  ['P-08', 'a word for the number of what is included', '/blogs?page[number]=articles:^ten', "found 'ten'"],
  ['P-08', 'an empty entry', '/articles?page[size]=1,^', 'found the end'],
  ['P-09', 'a path to one resource', '/articles?page[size]=blog^:1', 'a to-many relationship'],
  ['P-09', 'a path that is not there', '/articles?page[number]=^nothing:1', "found 'nothing'"],
  ['P-09', 'an attribute', '/articles?page[size]=^title:1', "the attribute 'title'"],
])('%s: refuses %s: %s', async (_rule, _what, marked, detail) => {
  expect(await detailAt(api, marked, 'query.page')).toContain(detail)
})

it.each([
  ['P-10', 'one resource', '/articles/1?page[size]=1', 'page[size]'],
  ['P-10', 'the other end of a to-one relationship', '/articles/1/blog?page[number]=2', 'page[number]'],
])('%s: a page of %s is refused', async (_rule, _what, path, parameter) => {
  expect(singleError(await api.get(path))).toMatchObject({ status: 400, code: 'query.not-allowed', parameter })
})

it('P-10: pages of what one resource includes are given, without links', async () => {
  const { body } = await api.get('/articles/1?include=comments&page[size]=comments:1')
  expect(linkageKeys([body.data] as never, 'comments')).toEqual([['comments 1']])
  expect(Object.keys(body.links)).toEqual(['self'])
})

it.each([
  ['P-06', 'a maximum number', { page: { maximumNumber: 2 } }, '/articles?page[number]=^3', 'from 1 to 2'],
  [
    'P-06',
    'a maximum number of what is included',
    { page: { maximumNumber: 2 } },
    '/blogs?page[number]=articles:^3',
    'from 1 to 2',
  ],
  ['P-06', 'a maximum size', { page: { size: 2, maximumSize: 3 } }, '/articles?page[size]=^4', 'from 1 to 3'],
])('%s: %s can be set', async (_rule, _what, options, marked, detail) => {
  await using(startGrove(options), async (limited) => {
    expect(await detailAt(limited, marked, 'query.page')).toContain(detail)
  })
})

/** The pages that links lead to, by name: `first 1, last 3, next 2`. */
async function pages(of: TestApi, path: string): Promise<string> {
  const { body } = await of.get(path)
  const numberOf = (link: string) => new URL(link, 'http://host').searchParams.get('page[number]') ?? '1'
  return Object.entries<string | null>(body.links)
    .filter(([name]) => ['first', 'last', 'prev', 'next'].includes(name))
    .map(([name, link]) => `${name} ${link === null ? 'none' : numberOf(link)}`)
    .join(', ')
}

it.each([
  ['P-11', 'the first page', '/articles?page[size]=5', 'first 1, last 3, prev none, next 2'],
  ['P-11', 'a page in the middle', '/articles?page[size]=5&page[number]=2', 'first 1, last 3, prev 1, next 3'],
  ['P-11', 'the last page', '/articles?page[size]=5&page[number]=3', 'first 1, last 3, prev 2, next none'],
  ['P-11', 'the only page', '/blogs', 'first 1, last 1, prev none, next none'],
  ['P-11', 'nothing', "/articles?filter=equals(title,'none')", 'first 1, last none, prev none, next none'],
  ['P-11', 'a page beyond the end, back to the last', '/articles?page[number]=9', 'first 1, last 2, prev 2, next none'],
  ['P-12', 'a full page that is not counted', '/articles/4/revisions?page[size]=1', 'first 1, prev none, next 2'],
  ['P-12', 'a page that is not full', '/articles/4/revisions?page[size]=3', 'first 1, prev none, next none'],
  [
    'P-12',
    'a full page with nothing behind it, here without a next',
    '/articles/4/revisions?page[size]=2',
    'first 1, prev none, next none',
  ],
  [
    'P-12',
    'a second page that is not counted',
    '/articles/4/revisions?page[size]=1&page[number]=2',
    'first 1, prev 1, next none',
  ],
  ['P-13', 'what has no pages', '/tags/red/articles', ''],
])('%s: links of %s', async (_rule, _what, path, expected) => {
  expect(await pages(api, path)).toBe(expected)
})

it.each([
  ['P-14', 'appended to what was sent', '?sort=-id&page[size]=5', '?sort=-id&page%5Bsize%5D=5&page%5Bnumber%5D=2'],
  ['P-14', 'put in its place', '?page[number]=1&sort=-id', '?page%5Bnumber%5D=2&sort=-id'],
  ['P-14', 'put among other entries', '?page[number]=tags:2&include=tags', '?page%5Bnumber%5D=2,tags%3A2&include=tags'],
  ['P-14', 'kept beside a size that is the default, here', '?page[size]=10', '?page%5Bsize%5D=10&page%5Bnumber%5D=2'],
  [
    'P-14',
    'encoded',
    "?filter=not(equals(title,'a+b%2Bc d'))",
    '?filter=not(equals(title,%27a%20b%2Bc%20d%27))&page%5Bnumber%5D=2',
  ],
  [
    'P-15',
    'left as often as it was sent, here',
    "?filter=equals(views,'0')&filter=greaterThan(views,'0')",
    '?filter=equals(views,%270%27)&filter=greaterThan(views,%270%27)&page%5Bnumber%5D=2',
  ],
])('%s: a parameter in a link is %s', async (_rule, _what, query, expected) => {
  expect((await api.get(`/articles${query}`)).body.links.next).toBe(`/articles${expected}`)
})

it('P-14: the first page has no number in its link', async () => {
  const { body } = await api.get('/articles?page[size]=5&page[number]=2&sort=id')
  expect(body.links.prev).toBe('/articles?page%5Bsize%5D=5&sort=id')
})

const totalOf = async (of: TestApi, path: string) => (await of.get(path)).body.meta?.total

it.each([
  ['P-16', 'one to many', '/blogs/1/articles', 2],
  ['P-16', 'many to many', '/articles/1/tags', 2],
  ['P-16', 'linkage', '/blogs/1/relationships/articles?page[size]=1', 2],
  ['P-18', 'what has no pages', '/tags/red/articles', 2],
  ['P-20', 'what a filter leaves', "/articles?filter=contains(title,'Elm')&page[size]=1", 8],
])('%s: the total of %s', async (_rule, _what, path, expected) => {
  expect(await totalOf(api, path)).toBe(expected)
})

it('P-16: related resources are counted without an inverse too, here', async () => {
  await using(startVehicles(), async (vehicles) => {
    const feature = await vehicles.add(Feature, { description: 'bell' })
    await vehicles.add(Tandem, { tandemFeatures: refs(feature) })
    expect(await totalOf(vehicles, '/tandems/1/features')).toBe(1)
  })
})

describe('under a definition', () => {
  class ArticleRules extends ResourceDefinition {
    readonly resource = Article

    override filter() {
      return not(equals('title', 'Beech'))
    }

    override page() {
      return { size: 1 }
    }
  }

  let ruled: TestApi
  beforeAll(async () => {
    ruled = await startGrove({ definitions: [new ArticleRules()] })
    await ruled.add(Article, { title: 'Elm', blog: ref('1'), tags: refs('red') })
  })
  afterAll(() => ruled.close())

  it.each([
    ['P-17', 'a collection', '/articles', 4],
    ['P-17', 'related resources whose inverse is to one, here', '/blogs/1/articles', 2],
    ['P-17', 'related resources whose inverse is to many', '/tags/red/articles', 2],
    ['P-17', 'nothing, as the parent is hidden, here without a total', '/articles/2/tags', undefined],
  ])('%s: the total counts what can be seen: %s', async (_rule, _what, path, expected) => {
    expect(await totalOf(ruled, path)).toBe(expected)
  })

  it.each([
    ['P-18', 'not where a relationship has no pages', '/tags/red/articles', '1 5'],
    ['P-19', 'to what the definition says', '/articles?page[size]=8', '1'],
    ['P-19', 'and goes on from there', '/articles?page[size]=8&page[number]=2', '3'],
  ])('%s: a larger size is lowered %s', async (_rule, _what, path, expected) => {
    expect(await idsOf(ruled, path)).toBe(expected)
  })
})

it.each([
  ['P-18', 'the size that is asked for', '/tags/red/articles?page[size]=1'],
  ['P-18', 'the number that is asked for', '/tags/red/articles?page[number]=2'],
  ['P-18', 'the size that is asked for linkage', '/tags/red/relationships/articles?page[size]=1'],
])('%s: a relationship without pages ignores %s', async (_rule, _what, path) => {
  expect(await idsOf(api, path)).toBe('1 2')
})

it('P-18: an included relationship without pages ignores the size that is asked for', async () => {
  const answer = await api.get('/tags/red?include=articles&page[size]=articles:1')
  expect(includedKeys(answer)).toEqual(['articles 1', 'articles 2'])
})

describe('without a default size', () => {
  let unpaged: TestApi
  beforeAll(async () => {
    unpaged = await startGrove({ page: { size: null } })
  })
  afterAll(() => unpaged.close())

  it.each([
    ['P-01', 'all are given', '/articles', '1 2 3 4'],
    ['P-01', 'a size can be asked for', '/articles?page[size]=3', '1 2 3'],
    ['P-21', 'a number alone has no effect', '/articles?page[number]=2', '1 2 3 4'],
  ])('%s: %s', async (_rule, _what, path, expected) => {
    expect(await idsOf(unpaged, path)).toBe(expected)
  })

  it('P-13: there are no links to pages', async () => {
    expect((await unpaged.get('/articles')).body.links).toEqual({ self: '/articles' })
  })
})

it.each([
  ['P-20', 'counted by the statement of its rows', {}, 1],
  ['P-20', 'not counted where it need not be', { totals: 'off' }, 1],
] as const)('%s: a collection is %s', async (_rule, _what, options, expected) => {
  await using(startGrove(options), async (counted) => {
    expect(await counted.statementsOf(() => counted.get('/articles'))).toHaveLength(expected)
  })
})
