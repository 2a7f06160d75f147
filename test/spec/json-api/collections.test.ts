import type { Response } from 'supertest'
import type { TestApi } from '../../support/api'

import { attributeValues, keysOf, resourceKeys } from '../../support/expectations'
import { startArticles, tagId } from '../support/articles'
import { blamed } from '../support/blamed'

// https://jsonapi.org/format/1.1/#fetching-sorting, #fetching-pagination, #fetching-filtering

let api: TestApi
beforeAll(async () => {
  api = await startArticles()
})
afterAll(() => api.close())

const FEW = 'fields[articles]=title,views'
const ALL = `page[size]=100&${FEW}`
const shown = async (path: string) => resourceKeys(await api.get(path))
const titles = async (path: string) => attributeValues(await api.get(path), 'title')
const linksOf = async (path: string): Promise<Record<string, string | null>> => (await api.get(path)).body.links
const reversed = <Item>(list: readonly Item[]) => [...list].reverse()

const refusedFor = async (path: string) => blamed(await api.get(path))

/** The pages from one on. */
async function walk(start: string, along: 'next' | 'prev'): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = []
  for (let path: string | null | undefined = start; path; ) {
    const answer: Response = await api.get(path)
    pages.push(resourceKeys(answer))
    path = answer.body.links[along]
    expect(pages.length).toBeLessThan(50)
  }
  return pages
}

const TITLES = Array.from({ length: 30 }, (_, index) => `Title ${String(index + 1).padStart(2, '0')}`)
const ARTICLES = TITLES.map((_, index) => `articles ${index + 1}`)

describe('sorting', () => {
  it('SO-1 collections can be sorted, also by what is no field', async () => {
    expect((await titles('/articles?sort=-title')).slice(0, 2)).toEqual(['Title 30', 'Title 29'])
    expect((await shown('/articles?sort=-count(comments)')).slice(0, 3)).toEqual([
      'articles 3',
      'articles 1',
      'articles 2',
    ])
  })

  it('SO-2 several sort fields are applied in their order', async () => {
    const answer = await api.get(`/articles?sort=-views,title&${ALL}`)
    const views = attributeValues(answer, 'views') as number[]
    expect(views).toEqual([...views].sort((left, right) => right - left))
    const tied = attributeValues(answer, 'title').filter((_, index) => views[index] === 3)
    expect(tied).toEqual(TITLES.filter((_, index) => (index + 1) % 4 === 3))
    expect((await titles(`/articles?sort=-views,-title&${ALL}`)).slice(0, 7)).toEqual(reversed(tied))
  })

  it('SO-3 the order is ascending, and with a minus descending', async () => {
    expect(await titles(`/articles?sort=title&${ALL}`)).toEqual(TITLES)
    expect(await titles(`/articles?sort=-title&${ALL}`)).toEqual(reversed(TITLES))
  })

  it.each([
    '/articles?sort=nope',
    '/articles?sort=title,nope',
    '/articles?sort=--title',
    '/articles?sort=title,',
    '/articles?sort=comments.body',
    '/logs?sort=text',
    '/articles/1?sort=title',
  ])('SO-4 GET %s is refused', async (path) => {
    expect(await refusedFor(path)).toEqual(['400 in sort'])
  })

  it('SO-5 the primary data have the order, over all pages and at related endpoints', async () => {
    expect((await walk(`/articles?sort=-title&page[size]=12&${FEW}`, 'next')).flat()).toEqual(reversed(ARTICLES))
    expect((await titles('/people/9/articles?sort=-title')).slice(0, 2)).toEqual(['Title 29', 'Title 27'])
  })

  it('SO-6 without a sort the order is always the same', async () => {
    expect(await shown(`/articles?${ALL}`)).toEqual(ARTICLES)
    expect(await shown('/articles')).toEqual(ARTICLES.slice(0, 10))
  })

  it('SO-7 a path leads to an attribute of what is related', async () => {
    const found = await shown(`/articles?sort=author.name,-title&${ALL}`)
    // Ben, Ida, and nobody.
    const even = ARTICLES.filter((_, index) => index % 2 === 1 && index !== 1)
    const odd = ARTICLES.filter((_, index) => index % 2 === 0)
    expect(found).toEqual([...reversed(even), ...reversed(odd), 'articles 2'])
  })

  it('SO-8 a plus is a blank, and no sign of an order', async () => {
    expect(await refusedFor('/articles?sort=+title')).toEqual(['400 in sort'])
  })
})

describe('pagination', () => {
  it('PG-1 an answer is limited to a page', async () => {
    expect(await shown('/articles')).toHaveLength(10)
    expect(await shown('/articles?page[size]=7')).toHaveLength(7)
  })

  it('PG-2 there are links to other pages', async () => {
    expect(await linksOf('/articles?page[number]=2')).toEqual({
      self: '/articles?page%5Bnumber%5D=2',
      first: '/articles',
      prev: '/articles',
      next: '/articles?page%5Bnumber%5D=3',
      last: '/articles?page%5Bnumber%5D=3',
    })
  })

  it('PG-3 they are in the links of the list that they page', async () => {
    const { data, links } = (await api.get('/articles/3?include=comments')).body
    expect(Object.keys(links)).toEqual(['self'])
    const { next } = data.relationships.comments.links
    expect(await shown(next)).toEqual(['comments 13', 'comments 14', 'comments 15', 'comments 16'])
    const list = (await api.get('/articles?include=comments')).body
    expect(await shown(list.links.next)).toEqual(ARTICLES.slice(10, 20))
    expect(list.data[2].relationships.comments.links.next).toBe(next)
  })

  it('PG-4 they are called first, last, prev and next', async () => {
    expect(Object.keys(await linksOf('/articles?page[number]=2')).sort()).toEqual([
      'first',
      'last',
      'next',
      'prev',
      'self',
    ])
  })

  it.each([
    ['the first page', '/articles', ['prev']],
    ['the last page', '/articles?page[number]=3', ['next']],
    ['an empty list', '/articles/2/comments', ['prev', 'next', 'last']],
    ['a page behind the end', '/articles?page[number]=9', ['next']],
  ])('PG-5 links that lead nowhere are null: %s', async (_, path, names) => {
    const pages = Object.entries(await linksOf(path)).filter(([, link]) => link === null)
    expect(pages.map(([name]) => name).sort()).toEqual([...names].sort())
  })

  it('PG-6 next and prev follow the order', async () => {
    const start = `/articles?sort=-title&page[size]=8&${FEW}`
    const pages = await walk(start, 'next')
    expect(pages.flat()).toEqual(reversed(ARTICLES))
    expect(await walk((await linksOf(start)).last ?? '', 'prev')).toEqual(reversed(pages))
    expect(await shown((await linksOf(`${start}&page[number]=3`)).first ?? '')).toEqual(pages[0])
  })

  it('PG-7 the family page says which', async () => {
    expect(await shown('/articles?page[number]=3&page[size]=4')).toEqual(ARTICLES.slice(8, 12))
    const { links } = (await api.get('/articles?page[size]=4').set({ accept: CURSORS })).body
    expect(links.next).toContain('page%5Bafter%5D=')
    expect(await shown(links.next)).toEqual(ARTICLES.slice(4, 8))
  })

  it('PG-8 all else that was asked for is kept', async () => {
    const asked = 'sort=-title&include=author&fields[articles]=title&page[size]=2'
    const { next } = await linksOf(`/articles?${asked}`)
    const kept = 'sort=-title&include=author&fields%5Barticles%5D=title&page%5Bsize%5D=2&page%5Bnumber%5D=2'
    expect(next).toBe(`/articles?${kept}`)
    const { data, included } = (await api.get(next ?? '')).body
    expect([keysOf(data), keysOf(included)]).toEqual([
      ['articles 28', 'articles 27'],
      ['people 2', 'people 9'],
    ])
    expect(data[0].attributes).toEqual({ title: 'Title 28' })
  })

  it('PG-9 every resource is on one page', async () => {
    expect((await walk(`/articles?page[size]=7&${FEW}`, 'next')).flat()).toEqual(ARTICLES)
    const { first, last } = await linksOf(`/articles?page[size]=7&page[number]=2&${FEW}`)
    expect(await shown(first ?? '')).toEqual(ARTICLES.slice(0, 7))
    expect(await shown(last ?? '')).toEqual(ARTICLES.slice(28))
  })

  it.each([
    ['page[size]', '-1'],
    ['page[size]', 'abc'],
    ['page[size]', '0'],
    ['page[nope]', '1'],
    ['page', '2'],
    ['page[]', '1'],
  ])('PG-11 %s=%s is refused', async (parameter, value) => {
    expect(await refusedFor(`/articles?${parameter}=${value}`)).toEqual([`400 in ${parameter}`])
  })

  it('PG-12 every list has pages', async () => {
    expect(await shown('/people/9/articles?page[size]=1')).toEqual(['articles 1'])
    const path = '/articles/1/relationships/comments?page[size]=1'
    expect(await shown(path)).toEqual(['comments 5'])
    expect(await walk(path, 'next')).toEqual([['comments 5'], ['comments 12']])
  })
})

const CURSORS = 'application/vnd.api+json;profile="https://jsonapi.org/profiles/ethanresnick/cursor-pagination"'

describe('filtering', () => {
  it('FI-1 the family filter says what is wanted', async () => {
    expect(await shown("/articles?filter=equals(title,'Title 07')")).toEqual(['articles 7'])
    const path = "/articles/1?include=comments&filter[comments]=equals(body,'Comment 12')"
    expect(keysOf((await api.get(path)).body.included)).toEqual(['comments 12'])
  })

  it.each([
    ['/articles', 'filter[nope]', '1'],
    ['/articles', 'filter[title]', 'x'],
    ['/articles', 'filter', 'title'],
    ['/articles', 'filter', "equals(nope,'1')"],
    ['/logs', 'filter', "equals(text,'Written')"],
    ['/articles/1', 'filter', "equals(title,'x')"],
  ])('FI-2 at %s %s=%s is refused', async (path, parameter, value) => {
    expect(await refusedFor(`${path}?${parameter}=${value}`)).toEqual([`400 in ${parameter}`])
  })

  it('FI-3 the part in brackets can be a path', async () => {
    const path = "/articles/1?include=author.articles&filter[author.articles]=equals(title,'Title 05')"
    expect(keysOf((await api.get(path)).body.included)).toEqual(['people 9', 'articles 5'])
  })

  it('filters by the ids of what is related', async () => {
    expect(await shown(`/articles?filter=equals(author.id,'9')&${ALL}`)).toHaveLength(15)
    expect(await shown(`/articles?filter=any(author.id,'9','2')&${ALL}`)).toHaveLength(29)
    const both = `and(equals(author.id,'9'),has(tags,equals(id,'${tagId(2)}')))`
    expect(await shown(`/articles?filter=${both}`)).toEqual(['articles 1'])
  })
})
