import { setUp, useApi } from '../../support/api'
import { attributeValues, expectError, includedKeys, keysAt, keysOf, resourceKeys } from '../../support/expectations'
import { ACCEPT, followLinks } from '../../support/follow-pages'
import { startArticles } from '../support/articles'

// https://jsonapi.org/format/1.1/#fetching-sorting, #fetching-pagination, #fetching-filtering

const api = setUp(startArticles)
const FEW = 'fields[articles]=title,views'
const ALL = `page[size]=100&${FEW}`
const titles = async (path: string) => attributeValues(await api.get(path), 'title')
const linksOf = async (path: string): Promise<Record<string, string | null>> => (await api.get(path)).body.links
const reversed = <Item>(list: readonly Item[]) => [...list].reverse()

const pagesFrom = async (start: string, along: 'next' | 'prev') =>
  (await followLinks(api, start, along)).map(resourceKeys)

const TITLES = Array.from({ length: 30 }, (_, index) => `Title ${String(index + 1).padStart(2, '0')}`)
const ARTICLES = TITLES.map((_, index) => `articles ${index + 1}`)

describe('Sorting', () => {
  it('SO-1 sorts by attributes and by counts, of related resources too', async () => {
    expect((await titles('/articles?sort=-title')).slice(0, 2)).toEqual(['Title 30', 'Title 29'])
    expect((await titles('/people/9/articles?sort=-title')).slice(0, 2)).toEqual(['Title 29', 'Title 27'])
    const keys = await keysAt(api, '/articles?sort=-count(comments)&page[size]=3')
    expect(keys).toEqual(['articles 3', 'articles 1', 'articles 2'])
  })

  it('SO-2 applies several sort fields in their order', async () => {
    const answer = await api.get(`/articles?sort=-views,title&${ALL}`)
    const views = attributeValues(answer, 'views') as number[]
    expect(views).toEqual([...views].sort((left, right) => right - left))
    const tied = attributeValues(answer, 'title').filter((_, index) => views[index] === 3)
    expect(tied).toEqual(TITLES.filter((_, index) => (index + 1) % 4 === 3))
    expect((await titles(`/articles?sort=-views,-title&${ALL}`)).slice(0, 7)).toEqual(reversed(tied))
  })

  it('SO-3 sorts ascending, and with a minus descending', async () => {
    expect(await titles(`/articles?sort=title&${ALL}`)).toEqual(TITLES)
    expect(await titles(`/articles?sort=-title&${ALL}`)).toEqual(reversed(TITLES))
  })

  it.each([
    ...['/articles?sort=nope', '/articles?sort=title,nope', '/articles?sort=--title', '/articles?sort=title,'],
    ...['/articles?sort=comments.body', '/logs?sort=text', '/articles/1?sort=title', '/articles/1/author?sort=name'],
    // A plus is a blank.
    ...['/articles/1/relationships/author?sort=name', '/articles?sort=+title'],
  ])('SO-4, SO-8 returns 400 for GET %s', async (path) => {
    expectError(await api.get(path), 400, 'sort')
  }) // anchor: R/S-05, R/B-08

  it('SO-6 returns a collection in a stable order by default', async () => {
    expect(await keysAt(api, `/articles?${ALL}`)).toEqual(ARTICLES)
    expect(await keysAt(api, '/articles')).toEqual(ARTICLES.slice(0, 10))
  })

  it('SO-7 sorts by an attribute of a related resource', async () => {
    const found = await keysAt(api, `/articles?sort=author.name,-title&${ALL}`)
    // Ben, Ida, then none.
    const even = ARTICLES.filter((_, index) => index % 2 === 1 && index !== 1)
    const odd = ARTICLES.filter((_, index) => index % 2 === 0)
    expect(found).toEqual([...reversed(even), ...reversed(odd), 'articles 2'])
  })
})

describe('Pagination', () => {
  it('PG-2, PG-4 links first, last, prev and next page', async () => {
    expect(await linksOf('/articles?page[number]=2')).toEqual({
      self: '/articles?page%5Bnumber%5D=2',
      first: '/articles',
      prev: '/articles',
      next: '/articles?page%5Bnumber%5D=3',
      last: '/articles?page%5Bnumber%5D=3',
    })
  }) // anchor: R/P-14

  it('PG-3, RO-14 puts page links beside the list that they page', async () => {
    const { data, links } = (await api.get('/articles/3?include=comments')).body
    expect(Object.keys(links)).toEqual(['self'])
    const { next } = data.relationships.comments.links
    expect(await keysAt(api, next)).toEqual(['comments 13', 'comments 14', 'comments 15', 'comments 16'])
    const list = (await api.get('/articles?include=comments')).body
    expect(await keysAt(api, list.links.next)).toEqual(ARTICLES.slice(10, 20))
    expect(list.data[2].relationships.comments.links.next).toBe(next)
  })

  it.each([
    ['the first page', '/articles', ['prev']],
    ['the last page', '/articles?page[number]=3', ['next']],
    ['an empty list', '/articles/2/comments', ['prev', 'next', 'last']],
    ['a page behind the end', '/articles?page[number]=9', ['next']],
  ])('PG-5 returns null for a link without a page: %s', async (_, path, names) => {
    const pages = Object.entries(await linksOf(path)).filter(([, link]) => link === null)
    expect(pages.map(([name]) => name).sort()).toEqual([...names].sort())
  })

  it('PG-6, PG-9, SO-5 keeps the order along next and prev', async () => {
    const start = `/articles?sort=-title&page[size]=8&${FEW}`
    const pages = await pagesFrom(start, 'next')
    expect(pages.flat()).toEqual(reversed(ARTICLES))
    expect(await pagesFrom((await linksOf(start)).last ?? '', 'prev')).toEqual(reversed(pages))
    expect(await keysAt(api, (await linksOf(`${start}&page[number]=3`)).first ?? '')).toEqual(pages[0])
  })

  it('PG-1, PG-7 reads the parameters of the family page', async () => {
    expect(await keysAt(api, '/articles?page[number]=3&page[size]=4')).toEqual(ARTICLES.slice(8, 12))
    const { links } = (await api.get('/articles?page[size]=4').set(ACCEPT)).body
    expect(links.next).toContain('page%5Bafter%5D=')
    expect(await keysAt(api, links.next)).toEqual(ARTICLES.slice(4, 8))
  })

  it('PG-8 keeps other query parameters in page links', async () => {
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

  it.each([
    ['page[size]', '-1'],
    ['page[size]', 'abc'],
    ['page[size]', '0'],
    ['page[nope]', '1'],
    ['page', '2'],
    ['page[]', '1'],
  ])('PG-11 returns 400 for %s=%s', async (parameter, value) => {
    expectError(await api.get(`/articles?${parameter}=${value}`), 400, parameter)
  })

  it('PG-12 pages related resources and linkage', async () => {
    expect(await keysAt(api, '/people/9/articles?page[size]=1')).toEqual(['articles 1'])
    const path = '/articles/1/relationships/comments?page[size]=1'
    expect(await keysAt(api, path)).toEqual(['comments 5'])
    expect(await pagesFrom(path, 'next')).toEqual([['comments 5'], ['comments 12']])
  })
})

describe('Filtering', () => {
  it('FI-1 filters by the family filter', async () => {
    expect(await keysAt(api, "/articles?filter=equals(title,'Title 07')")).toEqual(['articles 7'])
    const path = "/articles/1?include=comments&filter[comments]=equals(body,'Comment 12')"
    expect(includedKeys(await api.get(path))).toEqual(['comments 12'])
  })

  it.each([
    ['/articles', 'filter[nope]', '1'],
    ['/articles', 'filter[title]', 'x'],
    ['/articles', 'filter', 'title'],
    ['/articles', 'filter', "equals(nope,'1')"],
    ['/logs', 'filter', "equals(text,'Written')"],
    ['/articles/1', 'filter', "equals(title,'x')"],
  ])('FI-2 returns 400 for GET %s?%s=%s', async (path, parameter, value) => {
    expectError(await api.get(`${path}?${parameter}=${value}`), 400, parameter)
  })

  it('FI-3 takes a path in brackets', async () => {
    const path = "/articles/1?include=author.articles&filter[author.articles]=equals(title,'Title 05')"
    expect(includedKeys(await api.get(path))).toEqual(['people 9', 'articles 5'])
  })

  it("FI-4 filters by related ids, of several values, together, with the option 'fieldFilters'", async () => {
    await useApi(startArticles({ fieldFilters: true }), async (server) => {
      expect(await keysAt(server, '/comments?filter[author]=9')).toEqual(['comments 12'])
      expect(await keysAt(server, '/comments?filter[author]=9,2')).toEqual(['comments 5', 'comments 12'])
      expect(await keysAt(server, '/comments?filter[author]=9,2&filter[body]=Comment 5')).toEqual(['comments 5'])
    })
  })
})
