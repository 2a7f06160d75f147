import { ConfigurationError, createJsonApi } from 'stemma'
import { setUp } from '../../support/api'
import { errorsOf, expectError, keysOf, resourceKeys } from '../../support/expectations'
import { ATOMIC } from '../../support/operate'
import { startServer } from '../../support/server'
import { RESOURCES } from '../support/article-models'
import { RULES } from '../support/article-rules'
import { changed, newArticle, person, startArticles, tags } from '../support/articles'

// https://jsonapi.org/format/1.1/#query-parameters

const api = setUp(startArticles)
const codesOf = async (path: string) => (await api.get(path)).body.errors?.map(({ code }: { code: string }) => code)

describe('names', () => {
  it.each([
    ["filter[comments]=equals(body,'x')", undefined],
    ["filter[author.articles]=equals(title,'x')", undefined],
    ['filter[nope]=x', ['query.filter']],
    ['filter[]=x', ['query.filter']],
    ['filter[comments][]=x', ['query.unknown']],
    ['filter[comments][author.name]=x', ['query.unknown']],
  ])('QP-1 reads members of a family that are paths: %s', async (parameter, codes) => {
    expect(await codesOf(`/articles/1?${parameter}`)).toEqual(codes)
  })

  const INVALID = ['filter[_]', 'filter[a', 'filter]a[', 'filter[a]b', 'page[si ze!]', '']
  it.each(INVALID)('QP-2 returns 400 for an invalid name: %s=1', async (name) => {
    expect(await codesOf(`/articles?${name}=1`)).toEqual(['query.invalid-name'])
    expectError(await api.get(`/articles?${name}=1`), 400, name)
  })

  const UNKNOWN = ['foo=1', 'includes=author', 'limit=1', 'include[]=author', 'sort[x]=1']
  it.each(UNKNOWN)('QP-3 returns 400 for an unknown reserved name at every endpoint: %s', async (parameter) => {
    const [name] = parameter.split('=')
    const before = await api.contents()
    for (const [method, path, body] of EVERY_ENDPOINT) {
      const headers = path === '/operations' ? { 'content-type': ATOMIC } : {}
      const answer = await api.request(method, `${path}?${parameter}`).send(body).set(headers)
      expectError(answer, 400, name)
    }
    expect(await api.contents()).toEqual(before)
  })

  it('QP-4 refuses custom names of lower-case letters alone', () => {
    const { dataSource } = api
    const start = (...unknownParameters: readonly string[]) =>
      createJsonApi({ dataSource, resources: RESOURCES, definitions: RULES, unknownParameters, startupLog: false })
    expect(() => start('mine')).toThrow(ConfigurationError)
    expect(() => start('myParam', 'my-param', 'my_param')).not.toThrow()
  })

  const OF_EXTENSIONS = ['foo:bar', 'atomic:nope', 'atomic:operations', 'ATOMIC:nope']
  it.each(OF_EXTENSIONS)('QP-5, EX-5 returns 400 for a name of an extension: %s', async (name) => {
    expectError(await api.get(`/articles?${name}=1`), 400, name)
  })

  it('QP-7 returns 400 for a custom name that is not allowed', async () => {
    expectError(await api.get('/articles?utmSource=x'), 400, 'utmSource')
    const configuration = { dataSource: api.dataSource, resources: RESOURCES, definitions: RULES }
    const server = await startServer({ ...configuration, unknownParameters: ['utmSource'] })
    const [known, other] = [await server.get('/articles?utmSource=x'), await server.get('/articles?utmSourse=x')]
    await server.close()
    expect([known.status, other.status]).toEqual([200, 400])
    expect(other.body.errors[0].detail).toContain("Did you mean 'utmSource'?")
  })
})

describe('query strings', () => {
  it('QP-8 query strings are decoded as those of forms', async () => {
    for (const title of ['Title+07', 'Title%2007', '%54itle+07'])
      expect(resourceKeys(await api.get(`/articles?filter=equals(title,'${title}')`))).toEqual(['articles 7'])
    const encoded = await api.get('/articles/1?include=comments%2Eauthor%2Ctags')
    const plain = await api.get('/articles/1?include=comments.author,tags')
    expect(encoded.text).toBe(plain.text)
    expect(keysOf(plain.body.included)).toHaveLength(6)
  })

  it.each(['%zz', '%FF', '%C3', '%'])('QP-8 a query string that cannot be decoded returns 400: %s', async (text) => {
    expectError(await api.get(`/articles?filter=equals(title,'${text}')`), 400, 'filter')
    expectError(await api.get(`/articles?x${text}=1`), 400, `x${text}`)
  })

  it('QP-10, ER-13 brackets may be encoded, and errors name them as they are', async () => {
    const [plain, encoded, mixed] = ['page[size]=2', 'page%5Bsize%5D=2', 'page%5bsize]=2'].map(
      (query) => `/articles?${query}`,
    )
    const { text, body } = await api.get(plain ?? '')
    expect(body.data).toHaveLength(2)
    expect([(await api.get(encoded ?? '')).text, (await api.get(mixed ?? '')).text]).toEqual([text, text])
    expectError(await api.get('/articles?fields%5Barticles%5D=nope'), 400, 'fields[articles]')
  })

  it('QP-11 each member of a family is a parameter of its own', async () => {
    const errors = errorsOf(await api.get('/articles?page[size]=x&page[number]=y'))
    expect(errors).toEqual(['400 query.page page[size]', '400 query.page page[number]'])
    expect(resourceKeys(await api.get('/articles?page[size]=2&page[number]=2'))).toEqual(['articles 3', 'articles 4'])
  })

  it('QP-12 a query string may repeat include and filter, but not sort and page', async () => {
    const { included } = (await api.get('/articles/1?include=author&include=cover')).body
    expect(keysOf(included)).toEqual(['people 9', 'images 1'])
    const filters = "filter=equals(title,'Title 07')&filter=equals(title,'Title 08')"
    expect(resourceKeys(await api.get(`/articles?${filters}`))).toEqual(['articles 7', 'articles 8'])
    expectError(await api.get('/articles?sort=title&sort=views'), 400, 'sort')
    expectError(await api.get('/articles?page[size]=1&page[size]=2'), 400, 'page[size]')
  })
})

const EVERY_ENDPOINT: readonly (readonly [string, string, unknown?])[] = [
  ['GET', '/articles'],
  ['GET', '/articles/1'],
  ['GET', '/articles/1/author'],
  ['GET', '/articles/1/comments'],
  ['GET', '/articles/1/relationships/comments'],
  ['POST', '/articles', newArticle({ title: 'Ash' })],
  ['PATCH', '/articles/1', changed('1', { attributes: { title: 'Ash' } })],
  ['DELETE', '/articles/4'],
  ['PATCH', '/articles/1/relationships/author', { data: person(2) }],
  ['POST', '/articles/1/relationships/tags', { data: tags(4) }],
  ['DELETE', '/articles/1/relationships/tags', { data: tags(2) }],
  ['POST', '/operations', { 'atomic:operations': [{ op: 'add', ...newArticle({ title: 'Ash' }) }] }],
]
