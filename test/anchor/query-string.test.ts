import { type TestApi, using } from '../support/api'
import { singleError } from '../support/expectations'
import { refused } from './support/answered'
import { startStockedBlogs } from './support/stocked-blogs'

// What holds for all parameters.

let api: TestApi
beforeAll(async () => {
  api = await startStockedBlogs()
})
afterAll(() => api.close())

it.each([
  ['B-01', 'a parameter that is not known', 'filtre=has(tags)', 'query.unknown', 'filtre'],
  ['B-03', 'an empty name, here', '=x', 'query.name', ''],
  ['B-03', 'nothing but an equals sign, here', '=', 'query.name', ''],
  ['B-04', 'an empty filter', 'filter=', 'query.filter', 'filter'],
  ['B-04', 'an empty size', 'page[size]=', 'query.page', 'page[size]'],
  ['B-04', 'an empty number', 'page[number]=', 'query.page', 'page[number]'],
  ['B-05', 'a plural', 'filters=x', 'query.unknown', 'filters'],
  ['B-05', 'another case', 'Filter=x', 'query.unknown', 'Filter'],
  ['B-05', 'a bracket that is not closed', 'filter[=x', 'query.name', 'filter['],
  ['B-05', 'a bracket that is not opened', 'filter]=x', 'query.name', 'filter]'],
  ['B-05', 'another word for sort', 'sorting=title', 'query.unknown', 'sorting'],
  ['B-05', 'a plural of include', 'includes=tags', 'query.unknown', 'includes'],
  ['B-05', 'an include with a scope', 'include[tags]=articles', 'query.unknown', 'include[tags]'],
  ['B-05', 'fields of nothing', 'fields=title', 'query.unknown', 'fields'],
  ['B-05', 'fields of an empty type', 'fields[]=title', 'query.fields', 'fields[]'],
  ['B-05', 'another word for fields', 'fieldset=title', 'query.unknown', 'fieldset'],
  ['B-05', 'a page without brackets', 'page=2', 'query.unknown', 'page'],
  ['B-05', 'an unknown part of a page', 'page[x]=2', 'query.unknown', 'page[x]'],
  ['B-07', 'a repeated sort, here', 'sort=title&sort=views', 'query.repeated', 'sort'],
  ['B-07', 'a repeated page, here', 'page[size]=1&page[size]=2', 'query.repeated', 'page[size]'],
  ['B-13', 'a blank in a filter', "filter=equals(title, 'Oaks')", 'query.filter', 'filter'],
  ['B-13', 'a blank in the name of a filter', 'filter[ tags]=has(articles)', 'query.name', 'filter[ tags]'],
  ['B-13', 'a blank in a sort', 'sort=title, views', 'query.sort', 'sort'],
  ['B-13', 'a blank in an include', 'include=tags, blog', 'query.include', 'include'],
  ['B-13', 'a blank in a fieldset', 'fields[articles]=title, views', 'query.fields', 'fields[articles]'],
  ['B-13', 'a blank in a page', 'page[size]=1, tags:2', 'query.page', 'page[size]'],
])('%s: refuses %s', async (_rule, _what, query, code, parameter) => {
  expect(refused(await api.get(`/articles?${query}`))).toEqual({ status: 400, code, parameter })
})

it.each([
  ['B-04', 'include may be empty', 'include=', ['1', '2', '3']],
  ['B-04', 'sort may be empty, here', 'sort=', ['1', '2', '3']],
  ['B-04', 'fields may be empty', 'fields[articles]=', ['1', '2', '3']],
  ['B-07', 'of repeated filters one must hold', "filter=equals(id,'1')&filter=equals(title,'Yews')", ['1', '3']],
  ['B-14', 'what is encoded is decoded once', "filter=equals(subtitle,'Wood %26 ''bark''%2C 1%2B1')", ['2']],
  ['B-14', 'a plus is a blank', "filter=equals(subtitle,'Wood+%26+''bark'',+1%2B1')", ['2']],
  ['B-14', 'what is encoded twice stays encoded', "filter=contains(subtitle,'1%252B1')", []],
  ['B-14', 'commas and brackets within quotes are text', "filter=not(contains(title,'a),b(['))", ['1', '2', '3']],
])('%s: %s', async (_rule, _what, query, ids) => {
  const { status, body } = await api.get(`/articles?${query}`)
  expect([status, body.data.map(({ id }: { id: string }) => id)]).toEqual([200, ids])
})

it.each([
  ['B-10', 'filter', "equals(id,'1')"],
  ['B-10', 'sort', 'id'],
  ['B-10', 'include', 'tags'],
  ['B-10', 'page[size]', '1'],
  ['B-10', 'fields[tags]', 'rank'],
])('%s: operations take no %s', async (_rule, parameter, value) => {
  const answer = await api
    .post(`/operations?${parameter}=${value}`)
    .send({ 'atomic:operations': [{ op: 'remove', ref: { type: 'tags', id: 'red' } }] })
    .set({ 'content-type': 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"' })
  expect(refused(answer)).toEqual({ status: 400, code: 'query.not-allowed', parameter })
})

it('B-07: repeated includes and fieldsets are joined', async () => {
  const { body } = await api.get(
    '/articles/1?include=blog&include=tags&fields[articles]=title&fields[articles]=blog&fields[articles]=tags',
  )
  expect(Object.keys({ ...body.data.attributes, ...body.data.relationships })).toEqual(['title', 'blog', 'tags'])
  expect(body.included).toHaveLength(3)
})

it('B-06: all mistakes come together here, in the order of the URL', async () => {
  const { body } = await api.get('/articles?sort=x&include=y&filter=has(z)&nope=1')
  expect(body.errors.map(({ source }: { source: object }) => source)).toEqual(
    ['sort', 'include', 'filter', 'nope'].map((parameter) => ({ parameter })),
  )
})

describe('what is no collection', () => {
  it.each([
    ['B-08', '/articles/1', "filter=equals(id,'1')", 'filter'],
    ['B-08', '/articles/1', 'sort=id', 'sort'],
    ['B-08', '/articles/1', 'page[size]=1', 'page[size]'],
    ['B-08', '/articles/1', 'page[number]=1', 'page[number]'],
    ['B-08', '/articles/1/blog', 'sort=id', 'sort'],
    ['B-08', '/articles/1/relationships/blog', 'sort=id', 'sort'],
  ])('%s: %s refuses %s, at its name', async (_rule, path, query, parameter) => {
    expect(singleError(await api.get(`${path}?${query}`))).toMatchObject({
      code: 'query.not-allowed',
      parameter,
      position: 1,
    })
  })

  it.each([
    ['B-08', "filter[tags]=equals(id,'red')", ['red']],
    ['B-08', 'sort[tags]=-id', ['red', 'green']],
    ['B-08', 'page[size]=tags:1', ['green']],
  ])('%s: takes %s', async (_rule, query, ids) => {
    const { body } = await api.get(`/articles/1?include=tags&${query}`)
    expect(body.data.relationships.tags.data.map(({ id }: { id: string }) => id)).toEqual(ids)
  })
})

describe('an application', () => {
  it('B-02: can let unknown parameters through, which stay in the links to other pages', async () => {
    await using(startStockedBlogs({ unknownParameters: 'ignored' }), async (lenient) => {
      const { body } = await lenient.get('/articles?fooBar=b%20r&page[size]=1')
      expect(body.links.next).toBe('/articles?fooBar=b%20r&page%5Bsize%5D=1&page%5Bnumber%5D=2')
    })
  })

  it('B-09: can switch parameters off, which are not even read then', async () => {
    await using(startStockedBlogs({ parameters: ['page'] }), async (strict) => {
      for (const [parameter, value] of [
        ['filter', 'x('],
        ['sort', 'x'],
        ['include', 'x'],
        ['fields[articles]', 'x'],
      ]) {
        const answer = await strict.get(`/articles?${parameter}=${value}`)
        expect(refused(answer)).toEqual({ status: 400, code: 'query.not-allowed', parameter })
      }
      await strict.get('/articles?page[size]=1').expect(200)
    })
  })

  it('B-11: can read a parameter of its own, even an empty one', async () => {
    const read: unknown[] = []
    const before = ({ query }: { query: object }, _response: unknown, next: () => void) => {
      read.push(query)
      next()
    }
    await using(startStockedBlogs({ before, unknownParameters: ['skipCache'] }), async (own) => {
      await own.get('/articles?skipCache').expect(200)
      expect(read).toEqual([{ skipCache: '' }])
    })
  })
})

describe('a mistake', () => {
  it.each([
    ['B-12', 'before the name, where the parameter is not allowed', '/articles/1', '^sort=id'],
    ['B-12', 'in the name', '/articles', 'filter^[=x'],
    ['B-12', 'before the segment that is not known', '/articles', "filter=equals(blog.^titel,'a')"],
    ['B-12', 'behind a path that is too short', '/articles', 'sort=blog^'],
    ['B-12', 'before the segment that is too much', '/articles', 'sort=title.^x'],
    ['B-12', 'before the quote of a value that does not fit', '/articles', "filter=equals(views,^'a')"],
    ['B-12', 'at the attribute that is no text', '/articles', "filter=contains(^views,'1')"],
    ['B-12', 'before what stands where another sign must', '/articles', 'filter=equals(title^)'],
    ['B-12', 'at the end, where something is missing', '/articles', "filter=equals(title,'a'^"],
    ['B-12', 'before what is too much', '/articles', 'filter=has(tags)^)'],
    ['B-12', 'before the last character, where a quote is not closed', '/articles', "filter=equals(title,'^a"],
    ['B-12', 'before a number', '/articles', 'page[size]=^-5'],
    ['B-12', 'before a path that is too deep', '/articles', 'include=^blog.articles.blog.articles.blog.articles'],
  ])('%s: is marked, and its position told as a number: %s', async (_rule, _what, path, marked) => {
    const [name = '', ...value] = marked.split('=')
    const text = name.includes('^') ? name : value.join('=')
    const { detail, position } = singleError(await api.get(`${path}?${marked.replace('^', '')}`))
    expect({ position, detail }).toEqual({ position: text.indexOf('^') + 1, detail: expect.stringContaining(text) })
  })
})
