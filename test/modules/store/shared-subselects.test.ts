import { count, equals, not } from 'stemma'
import { define, ref, refs, setUp, startServerOn } from '../../support/api'
import { Article, BLOGS, Blog, Comment, startBlogs, Tag } from '../../support/blogs'
import { idsOf } from '../../support/expectations'
import { startFilledVehicles } from '../../support/filled-vehicles'

// A client can name the same count or has in hundreds of terms. A statement looks it up once for each row.

const api = setUp(() => startBlogs({ totals: false }))
const ruled = setUp(() =>
  startServerOn(api, {
    resources: BLOGS,
    totals: false,
    definitions: [
      define(Article, { filter: () => not(equals(count('comments'), 3)) }),
      define(Comment, { filter: () => not(equals('body', 'hidden')) }),
    ],
  }),
)
const vehicles = setUp(() => startFilledVehicles({ totals: false }))

/** The articles 1 to 5 have as many comments as their id says, less one; those of article 3 are hidden. Article 4 and 5 have a tag. */
beforeAll(async () => {
  await api.add(Blog, { title: 'Trees' })
  await api.add(Tag, { id: 'green' })
  let id = 0
  for (const comments of [0, 1, 2, 3, 4]) {
    const tags = comments > 2 ? refs('green') : []
    const article = await api.add(Article, { title: `has ${comments}`, blog: comments > 0 ? ref('1') : null, tags })
    for (let left = comments; left > 0; left--) {
      id += 1
      await api.add(Comment, { id: String(id), body: comments === 2 ? 'hidden' : 'shown', article: ref(article) })
    }
  }
})

const COMMENTED = "has(comments,equals(body,'shown'))"
const terms = (values: readonly number[]) => values.map((value) => `equals(count(comments),'${value}')`).join()
const lookUps = (statements: readonly string[]) =>
  statements.map((text) => text.match(/count\(\*\)(?: as n0)? from|exists \(| in \(select/g)?.length ?? 0)

it.each<[filter: string, ids: string, lookUps: number]>([
  [`or(${terms([1, 3, 9])})`, '2 4', 1],
  [`or(${terms(Array.from({ length: 100 }, (_, value) => value + 4))})`, '5', 1],
  ["and(greaterThan(count(comments),'1'),lessThan(count(comments),'4'))", '3 4', 1],
  ["or(equals(count(comments),'1'),and(has(tags),equals(count(comments),'4')),not(has(tags)))", '1 2 3 5', 2],
  [`or(and(${COMMENTED},equals(title,'has 1')),and(${COMMENTED},has(tags)))`, '2 4 5', 2],
  ["or(has(comments,equals(body,'shown')),equals(has(comments,equals(body,'hidden')),'true'))", '2 3 4 5', 2],
  ["or(equals(count(blog.articles),'3'),equals(count(blog.articles),'4'))", '2 3 4 5', 1],
  ["has(blog.articles,or(equals(count(comments),'4'),equals(count(comments),'7')))", '2 3 4 5', 2],
  ["and(equals(title,'has 3'),or(equals(count(tags),'1'),equals(count(tags),'2')),any(id,'4','5'))", '4', 1],
])('evaluates a repeated subselect of a condition once: %s', async (filter, ids, expected) => {
  const statements = await api.statementsOf(async () => {
    expect(idsOf(await api.get(`/articles?filter=${filter}`))).toBe(ids)
  })
  expect(lookUps(statements)).toEqual([expected])
})

it('evaluates a subselect of a rule apart from the same subselect of a client', async () => {
  const filter = `or(${terms([0, 4])})`
  // Clients see no comment of article 3, and the rule three of article 4.
  const statements = await api.statementsOf(async () => {
    expect(idsOf(await ruled.get(`/articles?filter=${filter}`))).toBe('1 3 5')
  })
  expect(lookUps(statements)).toEqual([2])
})

it('reuses the statement for other values', async () => {
  const filterBy = (one: string, other: string) =>
    `or(and(has(comments,equals(body,'${one}')),has(tags)),and(has(comments,equals(body,'${other}')),equals(title,'has 2')))`
  const idsBy = async (one: string, other: string) => idsOf(await api.get(`/articles?filter=${filterBy(one, other)}`))
  expect(await idsBy('shown', 'shown')).toBe('4 5')
  expect(await idsBy('shown', 'hidden')).toBe('3 4 5')
  expect(await idsBy('hidden', 'hidden')).toBe('3')
  expect(await idsBy('hidden', 'shown')).toBe('')
})

it.each([
  ["or(isType(,cars,equals(count(wheels),'2')),isType(,bikes,equals(count(wheels),'1')))", '1 2 3'],
  ["or(equals(count(manufacturer.vehicles),'2'),isType(,bikes,equals(count(manufacturer.vehicles),'3')))", '1 2 3 4'],
  ['or(isType(,tandems,and(has(wheels),has(lights))),and(has(wheels),isType(,cars)))', '2 3'],
])('evaluates a subselect of several branches once: %s', async (filter, ids) => {
  expect(idsOf(await vehicles.get(`/vehicles?filter=${filter}`))).toEqual(ids)
})

it('sorts by a value once if the client repeats it', async () => {
  const statements = await api.statementsOf(async () => {
    const path = '/articles?sort=-count(comments),count(comments),-count(comments),title,-title'
    expect(idsOf(await api.get(path))).toBe('5 4 3 2 1')
  })
  expect(lookUps(statements)).toEqual([1])
})

it.each<[filter: string, sent: string]>([
  ["or(has(tags),has(tags),equals(title,'a'))", "or(has(tags),equals(title,'a'))"],
  ['and(not(has(tags)),not(has(tags)))', 'not(has(tags))'],
  ["any(title,'a','b','a')", "any(title,'a','b')"],
])('omits repeated terms and values of a filter: %s', async (filter, once) => {
  const texts = (path: string) => api.statementsOf(() => api.get(path).expect(200))
  expect(await texts(`/articles?filter=${filter}`)).toEqual(await texts(`/articles?filter=${once}`))
})
