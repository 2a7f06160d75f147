import { using } from '../../support/api'
import { errorsOf, expectError, idsOf } from '../../support/expectations'
import { startFilledBlogs } from '../../support/filled-blogs'
import { operateWith } from '../../support/operate'
import { setUp } from '../../support/set-up'

// How query strings are parsed is tested in test/modules/query.

const api = setUp(startFilledBlogs)

it.each(['include', 'sort', 'fields[articles]'])('accepts an empty %s', async (parameter) => {
  expect(idsOf(await api.get(`/articles?${parameter}=`))).toBe('1 2 3 4')
}) // anchor: R/B-04

it.each([
  ['filter', "equals(id,'1')"],
  ['sort', 'id'],
  ['include', 'tags'],
  ['page[size]', '1'],
  ['fields[tags]', 'rank'],
])('refuses %s for operations', async (parameter, value) => {
  const post = (path: string) => api.post(`${path}?${parameter}=${value}`)
  const response = await operateWith({ post }, {}, { op: 'remove', ref: { type: 'tags', id: 'red' } })
  expectError(response, 400, parameter, 'query.not-allowed')
}) // anchor: R/B-10

it('combines repeated includes and fieldsets', async () => {
  const fields = ['title', 'blog', 'tags'].map((name) => `fields[articles]=${name}`).join('&')
  const { body } = await api.get(`/articles/1?include=blog&include=tags&${fields}`)
  expect(Object.keys({ ...body.data.attributes, ...body.data.relationships })).toEqual(['title', 'blog', 'tags'])
  expect(body.included).toHaveLength(3)
}) // anchor: R/B-07

it('reports all mistakes, in the order of the URL', async () => {
  expect(errorsOf(await api.get('/articles?sort=x&include=y&filter=has(z)&nope=1'))).toEqual([
    ...['400 query.sort sort', '400 query.include include', '400 query.filter filter', '400 query.unknown nope'],
  ])
}) // anchor: R/B-06

it('refuses parameters of a collection for a single resource, except for what is included', async () => {
  expectError(await api.get('/articles/1/blog?sort=id'), 400, 'sort', 'query.not-allowed')
  const { body } = await api.get('/articles/1?include=tags&sort[tags]=-id&page[size]=tags:1&filter[tags]=has(articles)')
  expect(body.data.relationships.tags.data).toEqual([{ type: 'tags', id: 'red' }])
}) // anchor: R/B-08

it('keeps unknown parameters in links with the option unknownParameters', async () => {
  await using(startFilledBlogs({ unknownParameters: 'ignored' }), async (lenient) => {
    const { links } = (await lenient.get('/articles?fooBar=b%20r&page[size]=1')).body
    expect(links.next).toBe('/articles?fooBar=b%20r&page%5Bsize%5D=1&page%5Bnumber%5D=2')
  })
}) // anchor: R/B-02

it('passes unknown parameters to the application, even without a value', async () => {
  const read: unknown[] = []
  const before = ({ query }: { query: object }, _response: unknown, next: () => void) => {
    read.push(query)
    next()
  }
  await using(startFilledBlogs({ before, unknownParameters: ['skipCache'] }), async (own) => {
    await own.get('/articles?skipCache').expect(200)
    expect(read).toEqual([{ skipCache: '' }])
  })
}) // anchor: R/B-11

it('refuses parameters that the option parameters leaves out, without parsing them', async () => {
  await using(startFilledBlogs({ parameters: ['page'] }), async (strict) => {
    for (const parameter of ['filter', 'sort', 'include', 'fields[articles]'])
      expectError(await strict.get(`/articles?${parameter}=x(`), 400, parameter, 'query.not-allowed')
    await strict.get('/articles?page[size]=1').expect(200)
  })
}) // anchor: R/B-09
