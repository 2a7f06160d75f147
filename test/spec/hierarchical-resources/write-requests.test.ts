import { setUp } from '../../support/api'
import { keysOf, outcomeOf } from '../../support/expectations'
import { startHumans } from '../../support/humans'

// What a request that writes may hold beside the document of a resource, and where it may be sent. Errors of documents: errors.test.ts.

const api = setUp(startHumans)
const [adam, clara] = ['1', '2']

beforeAll(async () => {
  await api.addMan({ name: 'Adam', hasBeard: false })
  await api.addWoman({ name: 'Clara', maidenName: 'Clay' })
  await api.link(adam, 'children', [clara])
})

describe('a local id', () => {
  const itself = { type: 'men', lid: 'me' }
  const FATHER = '/data/relationships/father/data'
  const attributes = { name: 'New' }
  const father = { father: { data: itself } }

  it.each([
    ['PATCH', '/men/1/relationships/bestFriend', itself, '/data'],
    ['POST', '/men/1/relationships/children', [itself], '/data/0'],
    ['PATCH', '/men/1', { type: 'men', id: '1', relationships: father }, FATHER],
    ['POST', '/men', { type: 'men', lid: 'b', attributes, relationships: father }, FATHER],
    ['POST', '/women', { type: 'women', lid: 'me', attributes, relationships: father }, FATHER],
  ])('RI-6 is refused when no resource has it: %s %s', async (method, path, data, pointer) => {
    const response = await api.unchanged(() => api.request(method, path).send({ data }))
    expect(outcomeOf(response)).toBe(`400 document.lid-unknown ${pointer}`)
  }) // anchor: W/C-09
})

describe('a body may have', () => {
  it('DS-4, MN-7, MN-8 meta, links, unknown members and names with @, which are ignored', async () => {
    const foreign = { meta: { a: 1 }, links: { self: '/' }, foreign: [1], '@id': 'x', 'ns:name': 1 }
    const identifier = { type: 'women', id: clara, attributes: {}, ...foreign }
    const attributes = { name: 'Adam', '@type': 'x', '@name': 5 }
    const relationships = { wife: { ...foreign, data: identifier }, '@wife': 5 }
    const data = { type: 'men', id: adam, ...foreign, attributes, relationships }
    const others = { jsonapi: { version: '1.0', meta: {} }, ...foreign }
    const body = { ...others, data }
    await api.patch(`/humans/${adam}`).send(body).expect(204)
    expect(keysOf((await api.get(`/men/${adam}/relationships/wife`)).body.data)).toEqual([`women ${clara}`])
    const sending = () => api.post(`/men/${adam}/relationships/children`).send({ ...foreign, data: [identifier] })
    expect(outcomeOf(await api.unchanged(sending))).toBe('204')
  }) // anchor: W/B-14, W/B-15

  it('its members in any order, and a name twice, of which the last counts', async () => {
    const body = `{"data":{"attributes":{"name":"First","name":"Last"},"id":"${adam}","type":"men"}}`
    await api.patch(`/men/${adam}`).send(body).expect(204)
    expect((await api.get(`/men/${adam}`)).body.data.attributes.name).toBe('Last')
  }) // anchor: W/B-12, W/B-13

  it('RI-7 identifiers in included, which create nothing, and no resources', async () => {
    const data = { type: 'men', attributes: { name: 'New' } }
    const included = [{ type: 'women', id: '1', attributes: { name: 'Other' } }]
    const response = await api.unchanged(() => api.post('/humans').send({ data, included }))
    expect(outcomeOf(response)).toBe('400 document.shape /included/0/attributes')
    const named = [{ type: 'women', id: '999' }]
    await api.post('/humans').send({ data, included: named }).expect(201)
    const wife = `/men/${adam}/relationships/wife`
    const refused = await api.unchanged(() => api.patch(wife).send({ data: null, included }))
    expect(outcomeOf(refused)).toBe('400 document.shape /included/0/attributes')
    const members = `/men/${adam}/relationships/children`
    for (const send of [() => api.post(members), () => api.delete(members)])
      expect((await api.unchanged(() => send().send({ data: {}, included }))).body.errors).toHaveLength(2)
    await api.patch(wife).send({ data: null, included: named }).expect(204)
    expect((await api.get('/women')).body.meta.total).toBe(1)
  })
})

describe('a write is refused because of its', () => {
  const body = { data: { type: 'men', attributes: { name: 'New' } } }

  it.each([
    ['POST', '/nothings', '404 url.not-found'],
    ['PATCH', '/nothings/1', '404 url.not-found'],
    ['POST', '/nothings/1/relationships/wife', '404 url.not-found'],
    ['PATCH', '/men/1/relationships/nothing', '404 relationship.not-found'],
    ['POST', '/men/1/relationships/nothing', '404 relationship.not-found'],
    ['DELETE', '/men/1/relationships/%20', '404 relationship.not-found'],
    ['PATCH', '/men/1/relationships/name', '404 relationship.not-found'],
    ['POST', '/men/1/children', '405 url.method-not-allowed'],
    ['PUT', '/men/1/relationships/wife', '405 url.method-not-allowed'],
    ['POST', '/men/1/relationships/wife', '403 relationship.not-to-many'],
    ['DELETE', '/humans/1/relationships/wife', '403 relationship.not-to-many'],
    ['POST', '/men?nothing=1', '400 query.unknown nothing'],
    ['POST', '/men?filter=equals(name,%27a%27)', '400 query.not-allowed filter'],
    ['POST', '/men?sort=name', '400 query.not-allowed sort'],
    ['POST', '/men?include=nothing', '400 query.include include'],
    ['PATCH', '/men/1?include=%20', '400 query.include include'],
    ['PATCH', '/men/1/relationships/wife?include=wife', '400 query.not-allowed include'],
    ['DELETE', '/men/1?include=wife', '400 query.not-allowed include'],
  ])('URL: %s %s', async (method, path, expected) => {
    for (const sent of [body, { data: null }, '{']) {
      const response = await api.unchanged(() => api.request(method, path).send(sent))
      expect(outcomeOf(response)).toBe(expected)
      expect('allow' in response.headers).toBe(response.status === 405)
    }
  }) // anchor: W/A-02, W/A-03, W/I-08, W/Q-05
})
