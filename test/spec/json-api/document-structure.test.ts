import { setUp } from '../../support/api'
import { keysAt, outcomeOf } from '../../support/expectations'
import { startHumans } from '../../support/humans'

// https://jsonapi.org/format/1.1/#document-structure, in requests. Structure of responses: every-response.test.ts.

const api = setUp(startHumans)
const [adam, clara] = ['1', '2']

beforeAll(async () => {
  await api.addMan({ name: 'Adam', hasBeard: false })
  await api.addWoman({ name: 'Clara', maidenName: 'Clay' })
  await api.link(adam, 'children', [clara])
})

describe('Top Level', () => {
  it('DS-4, MN-7, MN-8 a body may have meta, links, unknown members and names with @, which are ignored', async () => {
    const foreign = { meta: { a: 1 }, links: { self: '/' }, foreign: [1], '@id': 'x', 'ns:name': 1 }
    const identifier = { type: 'women', id: clara, attributes: {}, ...foreign }
    const attributes = { name: 'Adam', '@type': 'x', '@name': 5 }
    const relationships = { wife: { ...foreign, data: identifier }, '@wife': 5 }
    const data = { type: 'men', id: adam, ...foreign, attributes, relationships }
    const body = { jsonapi: { version: '1.0', meta: {} }, ...foreign, data }
    await api.patch(`/humans/${adam}`).send(body).expect(204)
    expect(await keysAt(api, `/men/${adam}/relationships/wife`)).toEqual([`women ${clara}`])
    const sending = () => api.post(`/men/${adam}/relationships/children`).send({ ...foreign, data: [identifier] })
    expect(outcomeOf(await api.unchanged(sending))).toBe('204')
  }) // anchor: W/B-14, W/B-15

  it('a body may have its members in any order, and a name twice, of which the last counts', async () => {
    const body = `{"data":{"attributes":{"name":"First","name":"Last"},"id":"${adam}","type":"men"}}`
    await api.patch(`/men/${adam}`).send(body).expect(204)
    expect((await api.get(`/men/${adam}`)).body.data.attributes.name).toBe('Last')
  }) // anchor: W/B-12, W/B-13

  it('RI-7 a body may have identifiers in included, which create nothing, but no resources', async () => {
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

describe('Resource Identifier Objects', () => {
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
  ])('RI-6 a local id that no resource has returns 400: %s %s', async (method, path, data, pointer) => {
    const response = await api.unchanged(() => api.request(method, path).send({ data }))
    expect(outcomeOf(response)).toBe(`400 document.lid-unknown ${pointer}`)
  }) // anchor: W/C-09
})
