import { equals, not } from 'stemma'
import { define, ref, refs, setUp, useApi } from '../../support/api'
import { Article, Comment, Revision } from '../../support/blogs'
import { expectError, idsAt, resourceKeys } from '../../support/expectations'
import { startFilledBlogs } from '../../support/filled-blogs'
import { followLinks } from '../../support/follow-pages'
import { expectMistake } from '../../support/marked-paths'
import type { Row } from '../../support/row'

const api = setUp(startFilledBlogs)
beforeAll(async () => {
  for (let number = 5; number <= 12; number += 1) await api.add(Article, { title: `Elm ${number % 3}` })
  for (let number = 1; number <= 20; number += 1) await api.add(Comment, { id: String(10 + number), article: ref('1') })
  for (let number = 1; number <= 5; number += 1) await api.add(Revision, { number, article: ref('3') })
})

it.each<Row<[path: string, expected: string]>>([
  ['/articles', '1 2 3 4 5 6 7 8 9 10', 'R/P-01'],
  ['/articles?page[size]=2', '1 2', 'R/P-01'],
  ['/blogs/1/articles?page[size]=1', '1', 'R/P-01'],
  ['/blogs/1/relationships/articles?page[size]=1&page[number]=2', '2', 'R/P-01'],
  ['/articles?page[size]=5&page[number]=2', '6 7 8 9 10', 'R/P-02'],
  ['/articles?include=tags&page[size]=tags:1,3', '1 2 3', 'R/P-02'],
  ['/articles?include=tags&page[number]=4,tags:1&page[size]=3', '10 11 12', 'R/P-02'],
  ['/articles?page[size]=100&page[number]=1', '1 2 3 4 5 6 7 8 9 10 11 12', 'R/P-06'],
  ['/articles?page[number]=3', '', 'R/P-07'],
  ['/tags/red/articles?page[size]=1', '1 2', 'R/P-18'],
  ['/tags/red/articles?page[number]=2', '1 2', 'R/P-18'],
  ['/tags/red/relationships/articles?page[size]=1', '1 2', 'R/P-18'],
])('returns a page: %s', async (path, expected) => expect(await idsAt(api, path)).toBe(expected))

it.each([
  ['/articles?page[size]=4', 12],
  ['/articles?sort=-title&page[size]=7', 12],
  ["/articles?filter=not(equals(title,'Ash'))&page[size]=3", 11],
  ["/articles?filter=not(equals(title,'Ash'))&page[size]=11", 11],
  ['/articles/1/comments?page[size]=3&sort=body', 22],
  ['/articles/1/relationships/comments?page[size]=4', 22],
  ['/articles/3/revisions', 5],
  ['/revisions?page[size]=2', 7],
])('reaches each resource once by next and again by prev: %s', async (start, count) => {
  const forwards = await followLinks(api, start, 'next')
  const keys = forwards.flatMap(resourceKeys)
  expect([keys.length, new Set(keys).size]).toEqual([count, count])
  const backwards = await followLinks(api, forwards.at(-1)?.body.links.self, 'prev')
  expect(backwards.toReversed().flatMap(resourceKeys)).toEqual(keys)
  expect(backwards).toHaveLength(forwards.length)
})

it.each<Row<[path: string, expected: string]>>([
  ['/articles?page[size]=5', 'first 1, last 3, prev none, next 2', 'R/P-11'],
  ['/articles?page[size]=5&page[number]=2', 'first 1, last 3, prev 1, next 3', 'R/P-11'],
  ['/articles?page[size]=5&page[number]=3', 'first 1, last 3, prev 2, next none', 'R/P-11'],
  ['/articles?page[size]=5&page[number]=4', 'first 1, last 3, prev 3, next none'],
  ['/articles?page[number]=9', 'first 1, last 2, prev 2, next none', 'R/P-11'],
  ['/blogs', 'first 1, last 1, prev none, next none', 'R/P-11'],
  ["/articles?filter=equals(title,'none')", 'first 1, last none, prev none, next none', 'R/P-11'],
  ['/articles/4/revisions?page[size]=1', 'first 1, prev none, next 2', 'R/P-12'],
  ['/articles/4/revisions?page[size]=2', 'first 1, prev none, next none', 'R/P-12'],
  ['/articles/4/revisions?page[size]=3', 'first 1, prev none, next none', 'R/P-12'],
  ['/articles/4/revisions?page[size]=1&page[number]=2', 'first 1, prev 1, next none', 'R/P-12'],
  ['/tags/red/articles', '', 'R/P-13'],
])('links to the other pages of %s', async (path, expected) => {
  const { links } = (await api.get(path)).body
  const numberOf = (link: string | null) =>
    link && (new URL(link, 'http://host').searchParams.get('page[number]') ?? '1')
  const pages = ['first', 'last', 'prev', 'next'].filter((name) => name in links)
  expect(pages.map((name) => `${name} ${numberOf(links[name]) ?? 'none'}`).join(', ')).toBe(expected)
})

const SECOND = 'page%5Bnumber%5D=2'

it.each<Row<[query: string, expected: string]>>([
  ['?sort=-id&page[size]=5', '?sort=-id&page%5Bsize%5D=5&page%5Bnumber%5D=2', 'R/P-14'],
  ['?page[number]=1&sort=-id', '?page%5Bnumber%5D=2&sort=-id', 'R/P-14'],
  ['?page[number]=tags:2&include=tags', '?page%5Bnumber%5D=2,tags%3A2&include=tags', 'R/P-14'],
  ['?page[size]=10', '?page%5Bsize%5D=10&page%5Bnumber%5D=2', 'R/P-14'],
  ["?filter=not(equals(title,'a+b%2Bc d'))", `?filter=not(equals(title,%27a%20b%2Bc%20d%27))&${SECOND}`, 'R/P-14'],
  [
    "?filter=equals(views,'0')&filter=greaterThan(views,'0')",
    '?filter=equals(views,%270%27)&filter=greaterThan(views,%270%27)&page%5Bnumber%5D=2',
    'R/P-15',
  ],
  ['/?page[size]=5', '/?page%5Bsize%5D=5&page%5Bnumber%5D=2', 'R/A-11'],
])('keeps the path and the other parameters of /articles%s, encoded', async (query, expected) => {
  const { next } = (await api.get(`/articles${query}`)).body.links
  expect(next).toBe(`/articles${expected}`)
  expect((await api.get(next)).body.links.self).toBe(next)
})

it('writes neither last nor a total for a relationship whose totals are off', async () => {
  const { data, links, meta } = (await api.get('/articles/4/revisions')).body
  expect(data).toHaveLength(2)
  expect(Object.keys(links)).toEqual(['self', 'first', 'prev', 'next'])
  expect(meta).toBeUndefined()
})

it.each([
  // Those of a relationship come before those of the option.
  [{}, '/articles/1/revisions?page[size]=^6', 'a page size from 1 to 5'],
  [{}, '/articles?include=revisions&page[size]=revisions:^6', 'a page size from 1 to 5'],
  [{ maxNumber: 2 }, '/articles?page[number]=^3', 'from 1 to 2'],
  [{ maxNumber: 2 }, '/blogs?page[number]=articles:^3', 'from 1 to 2'],
  [{ size: 2, maxSize: 3 }, '/articles?page[size]=^4', 'from 1 to 3'],
])('returns 400 for a page beyond its limits, with the option %j: %s', async (page, marked, detail) => {
  await useApi(startFilledBlogs({ page }), (limited) => expectMistake(limited, marked, 'query.page', detail))
}) // anchor: R/P-06

it('has no maximum size where maxSize is null, and no last link where totals are off', async () => {
  const page = { maxSize: null, maxNumber: 2, size: 2 }
  await useApi(startFilledBlogs({ page, totals: false }), async (unlimited) => {
    await unlimited.get('/articles?page[size]=100000').expect(200)
    const { body } = await unlimited.get('/articles?page[number]=2')
    expect(body.meta).toBeUndefined()
    expect(body.links).toMatchObject({ prev: '/articles', next: null })
    expect(body.links).not.toHaveProperty('last')
  })
})

describe('without a default size', () => {
  const unpaged = setUp(() => startFilledBlogs({ page: { size: null } }))

  it.each<Row<[path: string, expected: string]>>([
    ['/articles', '1 2 3 4', 'R/P-01'],
    ['/articles?page[size]=3', '1 2 3', 'R/P-01'],
    ['/articles?page[number]=1', '1 2 3 4'],
    ['/blogs?page[number]=articles:2', '1 2 3'],
  ])('returns all resources unless a size is sent: %s', async (path, expected) => {
    expect(await idsAt(unpaged, path)).toBe(expected)
  })

  it.each([
    ['/articles?page[number]=2', '2', 'articles'],
    ['/blogs/1/articles?page[number]=2', '2', 'articles'],
    ['/blogs/1/relationships/articles?page[number]=3', '3', 'articles'],
    ['/blogs?include=articles.comments&page[number]=articles.comments:2', '2', 'comments'],
  ])('returns 400 for the number of a page without a size: %s', async (path, number, type) => {
    const { errors } = (await unpaged.get(path).expect(400)).body
    const detail = `Expected a page size of '${type}' with the page number ${number}, found none. Send 'page[size]' too.`
    expect(errors).toMatchObject([{ code: 'query.page', detail, source: { parameter: 'page[number]' } }])
  })

  it('changes nothing by a write whose response would have such a page', async () => {
    const data = { type: 'blogs', id: '1', attributes: { title: 'New' } }
    const path = '/blogs/1?include=articles&page[number]=articles:2'
    await unpaged.unchanged(() => unpaged.patch(path).send({ data }).expect(400))
  })

  it('writes no links to pages', async () => {
    expect((await unpaged.get('/articles')).body.links).toEqual({ self: '/articles' })
  }) // anchor: R/P-13
})

const articleRules = define(Article, { filter: () => not(equals('title', 'Beech')), page: () => ({ size: 1 }) })

describe('with a definition', () => {
  const ruled = setUp(() => startFilledBlogs({ definitions: [articleRules] }))
  beforeAll(() => ruled.add(Article, { title: 'Elm', blog: ref('1'), tags: refs('red') }))

  it.each([
    ['/tags/red/articles', '1 5', 'R/P-18'],
    ['/articles?page[size]=8', '1', 'R/P-19'],
    ['/articles?page[size]=8&page[number]=2', '3', 'R/P-19'],
  ])('limits the size to that of the definition where there are pages: %s', async (path, expected) => {
    expect(await idsAt(ruled, path)).toBe(expected)
  })

  it('counts pages by the size of the definition if there is no other', async () => {
    const definitions = [define(Article, { page: () => ({ size: 3 }) })]
    await useApi(startFilledBlogs({ page: { size: null }, definitions }), async (sized) => {
      expect(await idsAt(sized, '/articles?page[number]=2')).toBe('4')
      expectError(await sized.get('/articles?page[number]=9007199254740991'), 400, 'page[number]')
    })
  })
})
