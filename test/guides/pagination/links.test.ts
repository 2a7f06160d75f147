import { refs, using } from '../../support/api'
import { Article } from '../../support/blogs'
import { startFilledBlogs } from '../../support/filled-blogs'
import type { Row } from '../../support/row'
import { setUp } from '../../support/set-up'
import { Feature, startVehicles, Tandem } from '../../support/vehicles'

const api = setUp(startFilledBlogs)
beforeAll(async () => {
  for (let number = 5; number <= 12; number += 1) await api.add(Article, { title: `Elm ${number}` })
})

const bodyOf = async (path: string) => (await api.get(path)).body

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
  const { links } = await bodyOf(path)
  const numberOf = (link: string | null) =>
    link && (new URL(link, 'http://host').searchParams.get('page[number]') ?? '1')
  const pages = ['first', 'last', 'prev', 'next'].filter((name) => name in links)
  expect(pages.map((name) => `${name} ${numberOf(links[name]) ?? 'none'}`).join(', ')).toBe(expected)
})

it.each<Row<[query: string, expected: string]>>([
  ['?sort=-id&page[size]=5', '?sort=-id&page%5Bsize%5D=5&page%5Bnumber%5D=2', 'R/P-14'],
  ['?page[number]=1&sort=-id', '?page%5Bnumber%5D=2&sort=-id', 'R/P-14'],
  ['?page[number]=tags:2&include=tags', '?page%5Bnumber%5D=2,tags%3A2&include=tags', 'R/P-14'],
  ['?page[size]=10', '?page%5Bsize%5D=10&page%5Bnumber%5D=2', 'R/P-14'],
  [
    "?filter=not(equals(title,'a+b%2Bc d'))",
    '?filter=not(equals(title,%27a%20b%2Bc%20d%27))&page%5Bnumber%5D=2',
    'R/P-14',
  ],
  [
    "?filter=equals(views,'0')&filter=greaterThan(views,'0')",
    '?filter=equals(views,%270%27)&filter=greaterThan(views,%270%27)&page%5Bnumber%5D=2',
    'R/P-15',
  ],
  ['/?page[size]=5', '/?page%5Bsize%5D=5&page%5Bnumber%5D=2'],
])('keeps the path and the other parameters of /articles%s, encoded', async (query, expected) => {
  const { next } = (await bodyOf(`/articles${query}`)).links
  expect(next).toBe(`/articles${expected}`)
  expect((await bodyOf(next)).links.self).toBe(next)
})

it('writes no number in the link to the first page', async () => {
  const { prev } = (await bodyOf('/articles?page[size]=5&page[number]=2&sort=id')).links
  expect(prev).toBe('/articles?page%5Bsize%5D=5&sort=id')
}) // anchor: R/P-14

it.each<Row<[path: string, total: number]>>([
  ['/articles?page[number]=99', 12, 'R/P-07'],
  ["/articles?filter=equals(title,'none')", 0],
  ["/articles?filter=contains(title,'Elm')&page[size]=1", 8, 'R/P-20'],
  ['/blogs/1/articles', 2, 'R/P-16'],
  ['/articles/1/tags', 2, 'R/P-16'],
  ['/blogs/1/relationships/articles?page[size]=1', 2, 'R/P-16'],
  ['/tags/red/articles', 2, 'R/P-18'],
])('writes the total of %s', async (path, total) => {
  expect((await bodyOf(path)).meta).toEqual({ total })
})

it('counts related resources without an inverse relationship', async () => {
  await using(startVehicles(), async (vehicles) => {
    const feature = await vehicles.add(Feature, { description: 'bell' })
    await vehicles.add(Tandem, { tandemFeatures: refs(feature) })
    expect((await vehicles.get('/tandems/1/features')).body.meta).toEqual({ total: 1 })
  })
}) // anchor: R/P-16

it('writes neither last nor a total for a relationship whose totals are off', async () => {
  const { data, links, meta } = await bodyOf('/articles/4/revisions')
  expect(data).toHaveLength(2)
  expect(Object.keys(links)).toEqual(['self', 'first', 'prev', 'next'])
  expect(meta).toBeUndefined()
})
