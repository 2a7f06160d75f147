import type { Response } from 'supertest'
import type { TestApi } from '../../support/api'
import { errorsOf } from '../../support/expectations'
import { ATOMIC, EXTENSION, operate, operateWith, resultsOf, sendDocument } from '../../support/operate'

import { changed, newArticle, startArticles, tags } from '../support/articles'

// https://jsonapi.org/ext/atomic/#document-structure, #operation-objects, #result-objects, and the rules for media types of the base.

const JSON_API = 'application/vnd.api+json'

const add = { op: 'add', ...newArticle({ title: 'Added' }) }
const removal = { op: 'remove', ref: { type: 'articles', id: '30' } }

let api: TestApi

beforeAll(async () => {
  api = await startArticles()
})
afterAll(() => api.close())

/** What is refused leaves everything as it was. */
async function refusals(sending: () => Promise<Response>): Promise<readonly string[]> {
  return errorsOf(await api.unchanged(sending))
}

describe('the media type', () => {
  it('AO-1 of the answer has the extension, with its URI in quotes', async () => {
    const { status, headers, body } = await operate(api, add)
    expect([status, headers['content-type']]).toEqual([200, `${JSON_API};ext="${EXTENSION}"`])
    expect(body.jsonapi).toEqual({ version: '1.1', ext: [EXTENSION] })
  })

  it('AO-2 without the extension gives operations no meaning', async () => {
    const sending = () => sendDocument(api, { 'atomic:operations': [add] }, { 'content-type': JSON_API })
    expect(await refusals(sending)).toEqual(['415 header.content-type Content-Type'])
    const elsewhere = () =>
      api
        .post('/articles')
        .send(newArticle({ title: 'x' }))
        .set({ 'content-type': ATOMIC })
    expect(await refusals(elsewhere)).toEqual(['415 header.content-type Content-Type'])
  })

  it.each([
    [`${JSON_API};ext="${EXTENSION} ${EXTENSION}"`, 200],
    [`${JSON_API}; ext="${EXTENSION}"; profile="https://example.com/unknown"`, 200],
    [`${JSON_API};ext="${EXTENSION} https://example.com/unknown"`, 415],
    [`${JSON_API};ext=atomic`, 415],
    [`${JSON_API};ext="${EXTENSION.toUpperCase()}"`, 415],
    [`${ATOMIC};charset=utf-8`, 415],
    ['application/json', 415],
  ])('AO-3 is read exactly: %s', async (type, expected) => {
    const before = await api.contents()
    await operateWith(api, { 'content-type': type }, add).expect(expected)
    expect(JSON.stringify(await api.contents()) === JSON.stringify(before)).toBe(expected === 415)
  })

  it.each([
    [JSON_API, 200],
    ['*/*', 200],
    ['application/*', 200],
    [`${ATOMIC};q=0.5`, 200],
    [`${JSON_API};ext="https://example.com/unknown"`, 406],
    [`${ATOMIC};charset=utf-8`, 406],
    ['text/html', 406],
  ])('AO-44 is asked for with Accept: %s', async (accept, expected) => {
    const { headers } = await operateWith(api, { accept }, add).expect(expected)
    if (expected === 200) expect(headers['content-type']).toBe(ATOMIC)
  })

  it('AO-43 of mistakes is that of JSON:API', async () => {
    const { status, headers } = await operate(api)
    expect([status, headers['content-type']]).toEqual([400, ATOMIC])
    const other = await operateWith(api, { 'content-type': 'text/plain' }, add)
    expect([other.status, other.headers['content-type']]).toEqual([415, JSON_API])
  })
})

describe('the endpoint', () => {
  it.each(['GET', 'PATCH', 'PUT', 'DELETE'])('AO-15 takes POST, and not %s', async (method) => {
    const { status, headers, body } = await api.request(method, '/operations')
    expect([status, headers.allow]).toEqual([405, 'POST, OPTIONS'])
    expect(body.errors).toMatchObject([{ code: 'url.method-not-allowed' }])
  })

  it('AO-15 says so', async () => {
    const { status, headers } = await api.request('OPTIONS', '/operations')
    expect([status, headers.allow]).toEqual([204, 'POST, OPTIONS'])
  })

  it.each([
    ['include=author', 'query.not-allowed'],
    ['fields[articles]=title', 'query.not-allowed'],
    ['page[size]=1', 'query.not-allowed'],
    ["filter=equals(title,'a')", 'query.not-allowed'],
    ['foo=1', 'query.unknown'],
  ])('AO-41 takes no parameters: %s', async (queryString, code) => {
    const answer = await api.unchanged(() =>
      api
        .post(`/operations?${queryString}`)
        .send({ 'atomic:operations': [add] })
        .set({ 'content-type': ATOMIC }),
    )
    expect(answer.body.errors).toMatchObject([
      { status: '400', code, source: { parameter: queryString.split('=')[0] } },
    ])
  })
})

describe('the document', () => {
  it.each(['data', 'included'])('AO-4 has no %s', async (name) => {
    const body = { 'atomic:operations': [add], [name]: [] }
    expect(await refusals(() => sendDocument(api, body))).toEqual([`400 document.shape /${name}`])
  })

  it('AO-4 has none in the answer either, also where a rule includes something', async () => {
    const image = { type: 'images', relationships: { uploader: { data: { type: 'people', id: '9' } } } }
    const answer = await operate(api, { op: 'add', data: image })
    expect(Object.keys(answer.body).toSorted()).toEqual(['atomic:results', 'jsonapi'])
    expect(resultsOf(answer)[0].data.relationships.uploader.data).toBeUndefined()
  })

  it('AO-5 has operations or results, not both', async () => {
    const body = { 'atomic:operations': [add], 'atomic:results': [{}] }
    expect(await refusals(() => sendDocument(api, body))).toEqual(['400 document.shape /atomic:results'])
    const answer = await operate(api, add)
    expect(answer.body['atomic:operations']).toBeUndefined()
  })

  it.each([
    [{}, ''],
    [{ 'atomic:operations': null }, '/atomic:operations'],
    [{ 'atomic:operations': {} }, '/atomic:operations'],
    [{ 'atomic:operations': 'x' }, '/atomic:operations'],
    [{ 'atomic:operations': [] }, '/atomic:operations'],
    [{ 'atomic:operations': [1] }, '/atomic:operations/0'],
    [{ 'atomic:operations': [add, null] }, '/atomic:operations/1'],
    [{ 'atomic:operations': [[]] }, '/atomic:operations/0'],
    [[], ''],
  ])('AO-6 has at least one operation: %j', async (body, pointer) => {
    expect(await refusals(() => sendDocument(api, body))).toEqual([`400 document.shape ${pointer}`.trim()])
  })

  it('AO-7 has no errors beside operations, and no results beside errors', async () => {
    const body = { 'atomic:operations': [add], errors: [] }
    expect(await refusals(() => sendDocument(api, body))).toEqual(['400 document.shape /errors'])
    const failing = { op: 'remove', ref: { type: 'articles', id: '999' } }
    const answer = await api.unchanged(() => operate(api, add, failing))
    expect(Object.keys(answer.body).toSorted()).toEqual(['errors', 'jsonapi'])
  })

  it('AO-8 may have jsonapi, links, meta, and what nobody knows', async () => {
    const body = { 'atomic:operations': [add], jsonapi: { version: '1.1' }, links: {}, meta: { a: 1 }, other: 1 }
    await sendDocument(api, body).expect(200)
  })
})

describe('an operation', () => {
  it.each([
    [{ ...add, op: undefined }, ''],
    [{ ...add, op: 'Add' }, '/op'],
    [{ ...add, op: 'delete' }, '/op'],
    [{ ...add, op: 1 }, '/op'],
    [{ ...add, op: null }, '/op'],
    [{ ...add, op: 'toString' }, '/op'],
  ])('AO-9 has an op: %j', async (operation, pointer) => {
    expect(await refusals(() => operate(api, operation))).toEqual([`400 document.shape /atomic:operations/0${pointer}`])
  })

  it('AO-10 has a ref or an href, not both', async () => {
    const operation = { ...removal, href: '/articles/30' }
    expect(await refusals(() => operate(api, operation))).toEqual(['400 document.shape /atomic:operations/0/href'])
  })

  it.each([
    [{ type: 'articles' }, '/ref'],
    [{ id: '30' }, '/ref'],
    [{ type: 'articles', id: '30', lid: 'a' }, '/ref/lid'],
    [{ type: 'articles', relationship: 'tags' }, '/ref'],
    [{ type: 'articles', id: 30 }, '/ref/id'],
    [{ type: 7, id: '30' }, '/ref/type'],
    [{ type: 'articles', id: '30', relationship: ['tags'] }, '/ref/relationship'],
    [[], '/ref'],
    [null, '/ref'],
    ['articles', '/ref'],
  ])('AO-11 has a ref of a type and an id or lid, and maybe a relationship: %j', async (ref, pointer) => {
    expect(await refusals(() => operate(api, { op: 'remove', ref, data: tags(1) }))).toEqual([
      `400 document.shape /atomic:operations/0${pointer}`,
    ])
  })

  it.each([
    ['a path', () => '/articles/ID'],
    ['a path relative to the endpoint', () => 'articles/ID'],
    ['an address', () => `${api.url}/articles/ID`],
    ['a URL with dots in it', () => `${api.url}/people/../articles/ID/`],
  ])('AO-12 has an href that is %s', async (_words, href) => {
    const id = resultsOf(await operate(api, add))[0].data.id
    await operate(api, { op: 'remove', href: href().replace('ID', id) }).expect(204)
    await api.get(`/articles/${id}`).expect(404)
  })

  it.each([
    ['/nope/1', '404 url.not-found'],
    ['/articles/1/relationships', '400 operation.target'],
    ['/articles//1', '404 url.not-found'],
    ['/articles/%ff', '400 url.malformed'],
    ['http://example.com/articles/30', '404 url.not-found'],
    ['//example.com/articles/30', '404 url.not-found'],
    ['https:articles/30', '404 url.not-found'],
    ['javascript:/articles/30', '404 url.not-found'],
    ['http://', '404 url.not-found'],
    ['', '404 url.not-found'],
    ['/operations', '404 url.not-found'],
    ['/articles', '400 operation.target'],
    ['/articles/1/author', '400 operation.target'],
    ['/articles/30?include=author', '400 document.shape'],
    ['/articles/__proto__', '404 resource.not-found'],
    ['/__proto__/1', '404 url.not-found'],
    [['/articles/30'], '400 document.shape'],
    [null, '400 document.shape'],
  ])('AO-12 has no href that leads elsewhere: %s', async (href, expected) => {
    expect(await refusals(() => operate(api, { op: 'remove', href }))).toEqual([
      `${expected} /atomic:operations/0/href`,
    ])
  })

  it('AO-13 may have meta, an object', async () => {
    await operate(api, { ...add, meta: {} }).expect(200)
    await operate(api, { ...add, meta: { anything: [1] }, unknown: true }).expect(200)
    expect(await refusals(() => operate(api, { ...add, meta: 1 }))).toEqual([
      '400 document.shape /atomic:operations/0/meta',
    ])
  })
})

it('AO-14 a result has data or meta, or is empty', async () => {
  const { id } = resultsOf(await operate(api, add))[0].data
  const answer = await operate(
    api,
    add,
    { op: 'update', ...changed('9', { attributes: { name: 'Ina' } }, 'people') },
    { op: 'add', ref: { type: 'articles', id, relationship: 'tags' }, data: tags(1) },
    { op: 'remove', ref: { type: 'articles', id } },
  )
  const [created, ...others] = resultsOf(answer)
  expect(Object.keys(created)).toEqual(['data', 'meta'])
  expect(others).toEqual([{}, {}, {}])
})
