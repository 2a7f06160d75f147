import { setUp } from '../../support/api'
import { outcomeOf, singleError } from '../../support/expectations'
import { ATOMIC, EXTENSION, operate, operateWith, resultsOf, sendDocument } from '../../support/operate'
import { JSON_API_MEDIA_TYPE } from '../../support/request'
import { changed, newArticle, startArticles, tags } from '../support/articles'

// https://jsonapi.org/ext/atomic/#document-structure, #operation-objects, #result-objects, and the base's rules for media types.

const add = { op: 'add', ...newArticle({ title: 'Added' }) }
const AT = '/atomic:operations/0'
const api = setUp(startArticles)

describe('the media type', () => {
  it('AO-1, CN-2 names the extension in the response', async () => {
    const { headers, body } = await operate(api, add).expect(200)
    expect(headers['content-type']).toBe(`${JSON_API_MEDIA_TYPE};ext="${EXTENSION}"`)
    expect(body.jsonapi).toEqual({ version: '1.1', ext: [EXTENSION] })
  })

  it('AO-2 the extension is required for operations, and refused elsewhere', async () => {
    for (const type of [JSON_API_MEDIA_TYPE, 'application/json']) {
      const sending = () => sendDocument(api, { 'atomic:operations': [add] }, { 'content-type': type })
      expect(singleError(await api.unchanged(sending)).detail).toBe(`Expected '${ATOMIC}', found '${type}'.`)
    }
    const elsewhere = () =>
      api
        .post('/articles')
        .send(newArticle({ title: 'x' }))
        .set({ 'content-type': ATOMIC })
    expect(outcomeOf(await api.unchanged(elsewhere))).toBe('415 header.content-type Content-Type')
  })

  it.each([
    [`${JSON_API_MEDIA_TYPE};ext="${EXTENSION} ${EXTENSION}"`, 200],
    [`${JSON_API_MEDIA_TYPE}; ext="${EXTENSION}"; profile="https://example.com/unknown"`, 200],
    [`${JSON_API_MEDIA_TYPE};ext="${EXTENSION} https://example.com/unknown"`, 415],
    [`${JSON_API_MEDIA_TYPE};ext=atomic`, 415],
    [`${JSON_API_MEDIA_TYPE};ext="atomic"`, 415],
    [`${JSON_API_MEDIA_TYPE};ext="${EXTENSION.toUpperCase()}"`, 415],
    [`${ATOMIC};charset=utf-8`, 415],
    ['application/json', 415],
  ])('AO-3 the extensions in Content-Type are compared exactly: %s', async (type, expected) => {
    const before = await api.contents()
    await operateWith(api, { 'content-type': type }, add).expect(expected)
    expect(JSON.stringify(await api.contents()) === JSON.stringify(before)).toBe(expected === 415)
  }) // anchor: W/A-06

  it.each([
    [JSON_API_MEDIA_TYPE, 200],
    ['*/*', 200],
    ['application/*', 200],
    [`${ATOMIC};q=0.5`, 200],
    [`${JSON_API_MEDIA_TYPE};ext="https://example.com/unknown"`, 406],
    [`${ATOMIC};charset=utf-8`, 406],
    ['text/html', 406],
  ])('AO-44 Accept has to allow the extension: %s', async (accept, expected) => {
    const { headers } = await operateWith(api, { accept }, add).expect(expected)
    if (expected === 200) expect(headers['content-type']).toBe(ATOMIC)
  })

  it('AO-43 the media type of errors names the extension when the request does', async () => {
    expect((await operate(api).expect(400)).headers['content-type']).toBe(ATOMIC)
    const other = await operateWith(api, { 'content-type': 'text/plain' }, add).expect(415)
    expect(other.headers['content-type']).toBe(JSON_API_MEDIA_TYPE)
  })
})

describe('the endpoint', () => {
  it.each(['GET', 'PATCH', 'PUT', 'DELETE'])('AO-15 returns 405 for %s', async (method) => {
    const response = await api.request(method, '/operations')
    expect(outcomeOf(response)).toBe('405 url.method-not-allowed')
    expect(response.headers.allow).toBe('POST, OPTIONS')
  })

  it.each([
    ['include=author', 'query.not-allowed'],
    ['fields[articles]=title', 'query.not-allowed'],
    ['page[size]=1', 'query.not-allowed'],
    ["filter=equals(title,'a')", 'query.not-allowed'],
    ['sort=title', 'query.not-allowed'],
    ['foo=1', 'query.unknown'],
  ])('AO-41 refuses the query parameter %s', async (query, code) => {
    const body = { 'atomic:operations': [add] }
    const sending = () => api.post(`/operations?${query}`).send(body).set({ 'content-type': ATOMIC })
    expect(outcomeOf(await api.unchanged(sending))).toBe(`400 ${code} ${query.split('=')[0]}`)
  }) // anchor: O/R-28, R/B-10
})

describe('the document', () => {
  it.each([
    ['AO-4 has no data', { 'atomic:operations': [add], data: [] }, '/data'],
    ['AO-4 has no included resources', { 'atomic:operations': [add], included: [] }, '/included'],
    ['AO-5 has no results', { 'atomic:operations': [add], 'atomic:results': [{}] }, '/atomic:results'],
    ['AO-7 has no errors', { 'atomic:operations': [add], errors: [] }, '/errors'],
    ['AO-6 has operations', {}, ''],
    ['AO-6 is an object', [], ''],
    ['AO-6 has an array of operations, not null', { 'atomic:operations': null }, '/atomic:operations'],
    ['AO-6 has at least one operation', { 'atomic:operations': [] }, '/atomic:operations'],
    ['AO-6 has no number as operation', { 'atomic:operations': [1] }, AT],
    ['AO-6 has no null as operation', { 'atomic:operations': [add, null] }, '/atomic:operations/1'],
  ])('%s', async (_title, body, pointer) => {
    const response = await api.unchanged(() => sendDocument(api, body))
    expect(outcomeOf(response)).toBe(`400 document.shape ${pointer}`.trim())
  }) // anchor: O/R-06, O/R-07

  it('AO-4, AO-5, DS-17, MN-10 the document of the response has results and no included resources', async () => {
    const image = { type: 'images', relationships: { uploader: { data: { type: 'people', id: '9' } } } }
    const response = await operate(api, { op: 'add', data: image })
    expect(Object.keys(response.body).toSorted()).toEqual(['atomic:results', 'jsonapi'])
    expect(resultsOf(response)[0].data.relationships.uploader.data).toBeUndefined()
  })

  it('AO-7 a document of errors has no results', async () => {
    const failing = { op: 'remove', ref: { type: 'articles', id: '999' } }
    const response = await api.unchanged(() => operate(api, add, failing))
    expect(Object.keys(response.body).toSorted()).toEqual(['errors', 'jsonapi'])
  })

  it('AO-8, AO-13 the document may have meta anywhere, and unknown members', async () => {
    const meta = { a: [1] }
    const linkage = { data: tags(1).map((tag) => ({ ...tag, meta })), meta }
    const article = { ...newArticle({ title: 'x' }, { tags: linkage }).data, meta }
    const ref = { type: 'articles', id: '1', relationship: 'tags', meta }
    const operations = [
      { op: 'add', data: article, meta, unknown: true },
      { op: 'add', ref, data: linkage.data, meta: {} },
    ]
    const others = { jsonapi: { version: '1.1' }, links: {}, meta, other: 1 }
    await sendDocument(api, { 'atomic:operations': operations, ...others }).expect(200)
  }) // anchor: O/R-31
})

describe('an operation', () => {
  const ref = { type: 'articles', id: '30' }
  const removal = (target: unknown) => ({ op: 'remove', ref: target, data: tags(1) })

  it.each([
    ['AO-9 has an op', { ...add, op: undefined }, ''],
    ['AO-9 has an op in lower case', { ...add, op: 'Add' }, '/op'],
    ['AO-9 has no op that is unknown', { ...add, op: 'delete' }, '/op'],
    ['AO-10 has either ref or href', { op: 'remove', ref, href: '/articles/30' }, '/href'],
    ['AO-11 has a ref with an id', removal({ type: 'articles' }), '/ref'],
    ['AO-11 has a ref with a type', removal({ id: '30' }), '/ref'],
    ['AO-11 has a ref with either id or lid', removal({ ...ref, lid: 'a' }), '/ref/lid'],
    ['AO-11 has a ref of a relationship with an id', removal({ type: 'articles', relationship: 'tags' }), '/ref'],
    ['AO-11 has a ref whose id is a string', removal({ type: 'articles', id: 30 }), '/ref/id'],
    ['AO-11 has a ref whose type is a string', removal({ type: 7, id: '30' }), '/ref/type'],
    ['AO-11 has a ref of one relationship', removal({ ...ref, relationship: ['tags'] }), '/ref/relationship'],
    ['AO-11 has no null as ref', removal(null), '/ref'],
    ['AO-11 has no string as ref', removal('articles'), '/ref'],
    ['AO-13 has an object as meta', { ...add, meta: 1 }, '/meta'],
  ])('%s', async (_title, operation, pointer) => {
    const response = await api.unchanged(() => operate(api, operation))
    expect(outcomeOf(response)).toBe(`400 document.shape ${AT}${pointer}`)
  }) // anchor: O/R-08, O/R-15, O/R-16

  it.each([
    ['a path', () => '/articles/ID'],
    ['a path relative to the endpoint', () => 'articles/ID'],
    ['an absolute URL', () => `${api.url}/articles/ID`],
    ['a URL with dot segments', () => `${api.url}/people/../articles/ID/`],
  ])('AO-12 accepts %s as href', async (_title, href) => {
    const id = resultsOf(await operate(api, add))[0].data.id
    await operate(api, { op: 'remove', href: href().replace('ID', id) }).expect(204)
    await api.get(`/articles/${id}`).expect(404)
  }) // anchor: O/R-10

  it.each([
    ['/nope/1', '404 url.not-found'],
    ['/articles/1/relationships', '400 operation.target'],
    ['/articles//1', '404 url.not-found'],
    ['/articles/%ff', '400 url.malformed'],
    ['/articles/%ed%a0%80', '400 url.malformed'],
    ['/articles/..', '404 url.not-found'],
    ['/articles/30%00', '404 resource.not-found'],
    ['#', '404 url.not-found'],
    ['http://example.com/articles/30', '404 url.not-found'],
    ['\\\\example.com\\articles\\30', '404 url.not-found'],
    ['data:,articles/30', '404 url.not-found'],
    ['http://user:password@nowhere.invalid/articles/30', '404 url.not-found'],
    ['http://', '404 url.not-found'],
    ['', '404 url.not-found'],
    ['/operations', '404 url.not-found'],
    ['/articles', '400 operation.target'],
    ['/articles/1/author', '400 operation.target'],
    ['/articles/30?include=author', '400 document.shape'],
    [['/articles/30'], '400 document.shape'],
    [null, '400 document.shape'],
  ])('AO-12 refuses the href %s', async (href, expected) => {
    const response = await api.unchanged(() => operate(api, { op: 'remove', href }))
    expect(outcomeOf(response)).toBe(`${expected} ${AT}/href`)
  })
})

it('AO-14 returns results with data and meta, or empty results', async () => {
  const { id } = resultsOf(await operate(api, add))[0].data
  const response = await operate(
    api,
    add,
    { op: 'update', ...changed('9', { attributes: { name: 'Ina' } }, 'people') },
    { op: 'add', ref: { type: 'articles', id, relationship: 'tags' }, data: tags(1) },
    { op: 'remove', ref: { type: 'articles', id } },
  )
  const [created, ...others] = resultsOf(response)
  expect(Object.keys(created)).toEqual(['data', 'meta'])
  expect(others).toEqual([{}, {}, {}])
})
