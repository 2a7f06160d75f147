import type { TestApi } from '../../support/api'
import { outcomeOf } from '../../support/expectations'
import { many, startOffice } from './support/office'

// What is no document is 400 (the anchor: 422, but for no body at all), and all mistakes of the shape come together (the anchor: the first).

let api: TestApi
beforeAll(async () => {
  api = await startOffice()
})
afterAll(() => api.close())

/** Every place where a body is read. */
const PLACES = [
  ['POST', '/teams'],
  ['PATCH', '/teams/1'],
  ['PATCH', '/teams/1/relationships/lead'],
  ['PATCH', '/teams/1/relationships/tags'],
  ['POST', '/teams/1/relationships/tags'],
  ['DELETE', '/teams/1/relationships/tags'],
] as const

describe.each(PLACES)('%s %s of', (method, path) => {
  it.each([
    ['B-01: no body', '', '400 document.missing'],
    ['B-02: null', 'null', '400 document.shape'],
    ['B-03: broken JSON', '{ "data" }', '400 document.syntax'],
    ['B-03: blanks', ' ', '400 document.syntax'],
    ['B-04: no data', '{ "meta": {} }', '400 document.shape'],
  ])('%s', async (_rule, rawBody, expected) => {
    expect(outcomeOf(await api.unchanged(() => api.request(method, path).send(rawBody)))).toBe(expected)
  })
})

describe.each(PLACES.slice(0, 2))('%s %s of data that is', (method, path) => {
  it.each([
    ['B-05: null', null],
    ['B-06: a list', [{ type: 'teams', id: '1' }]],
  ])('%s', async (_rule, data) => {
    const sending = () => api.request(method, path).send({ data })
    expect(outcomeOf(await api.unchanged(sending))).toBe('400 document.shape /data')
  })

  it.each([
    ['B-07: null', { lead: null }, '/lead'],
    ['B-07: null, where there is no such relationship', { nothing: null }, '/nothing'],
    ['B-08: without data, to-one', { lead: {} }, '/lead'],
    ['B-08: without data, to-many', { tags: { links: {} } }, '/tags'],
    ['B-09: a list for a to-one relationship', { lead: { data: [] } }, '/lead/data'],
    ['B-10: null for a to-many relationship', { tags: { data: null } }, '/tags/data'],
    ['B-11: an identifier for a to-many relationship', { tags: { data: { type: 'tags', id: 'old' } } }, '/tags/data'],
  ])('a relationship that is %s', async (_rule, relationships, end) => {
    const body = { data: { type: 'teams', id: '1', relationships } }
    const expected = `400 document.shape /data/relationships${end}`
    expect(outcomeOf(await api.unchanged(() => api.request(method, path).send(body)))).toBe(expected)
  })
})

describe('at a relationship endpoint', () => {
  it.each([
    ['B-09: a list for a to-one relationship', 'PATCH', 'lead', []],
    ['B-10: null for a to-many relationship', 'PATCH', 'tags', null],
    ['B-10: null, on adding', 'POST', 'tags', null],
    ['B-10: null, on removing', 'DELETE', 'tags', null],
    ['B-11: an identifier for a to-many relationship', 'PATCH', 'tags', { type: 'tags', id: 'old' }],
    ['B-11: an identifier, on adding', 'POST', 'tags', { type: 'tags', id: 'old' }],
    ['B-11: an identifier, on removing', 'DELETE', 'tags', { type: 'tags', id: 'old' }],
  ])('%s: %s %s', async (_rule, method, name, data) => {
    const sending = () => api.request(method, `/teams/1/relationships/${name}`).send({ data })
    expect(outcomeOf(await api.unchanged(sending))).toBe('400 document.shape /data')
  })
})

describe('what makes no difference', () => {
  const create = (rawBody: string) => api.post('/teams').send(rawBody)

  it('B-12: the order of members', async () => {
    const { body } = await create('{"data":{"attributes":{"name":"B-12"},"relationships":{},"type":"teams"}}')
    expect(body.data.attributes.name).toBe('B-12')
  })

  it('B-13: a relationship that is there twice: the last one counts', async () => {
    const tags = '"tags":{"data":[{"type":"tags","id":"old"}]},"tags":{"data":[{"type":"tags","id":"new"}]}'
    const { body } = await create(`{"data":{"type":"teams","attributes":{"name":"B-13"},"relationships":{${tags}}}}`)
    const { data } = (await api.get(`/teams/${body.data.id}/relationships/tags`)).body
    expect(data).toEqual(many('tags', 'new').data)
  })

  it('B-14: members that are none of the format', async () => {
    await create('{"date":1,"data":{"type":"teams","attributs":1,"attributes":{"name":"B-14"}}}').expect(201)
  })

  it('B-15: links and meta, wherever they are', async () => {
    const besides = { links: { self: '/x' }, meta: { a: 1 } }
    const tags = { ...besides, data: [{ type: 'tags', id: 'old', ...besides }] }
    const data = { type: 'teams', attributes: { name: 'B-15' }, relationships: { tags }, ...besides }
    await api
      .post('/teams')
      .send({ ...besides, data })
      .expect(201)
    await api.post('/teams/2/relationships/tags').send(tags).expect(204)
  })

  it('B-16: beaten: an unknown member of an extension is an unknown attribute, with its place', async () => {
    const body = { data: { type: 'teams', attributes: { name: 'B-16', 'audit:by': 'me' } } }
    const expected = '422 attribute.unknown /data/attributes/audit:by'
    expect(outcomeOf(await api.unchanged(() => api.post('/teams').send(body)))).toBe(expected)
  })
})

describe('names that follow a rule of the application', () => {
  let kebab: TestApi
  beforeAll(async () => {
    kebab = await startOffice({ fieldNames: (property) => property.replace(/[A-Z]/g, (it) => `-${it.toLowerCase()}`) })
  })
  afterAll(() => kebab.close())

  it('B-17: are those of bodies', async () => {
    const relationships = { 'partner-of': many('teams', '1') }
    const body = { data: { type: 'teams', id: '2', relationships } }
    await kebab.patch('/teams/2').send(body).expect(204)
  })

  it.each([
    [
      'B-17: are those of pointers',
      { attributes: { 'budget-x': 1 } },
      '422 attribute.unknown /data/attributes/budget-x',
    ],
    [
      'B-17: the names of properties are not known',
      { relationships: { partnerOf: { data: [] } } },
      '422 relationship.unknown /data/relationships/partnerOf',
    ],
  ])('%s', async (_rule, members, expected) => {
    const body = { data: { type: 'teams', id: '2', ...members } }
    expect(outcomeOf(await kebab.unchanged(() => kebab.patch('/teams/2').send(body)))).toBe(expected)
  })
})
