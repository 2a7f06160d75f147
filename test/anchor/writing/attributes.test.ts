import { startApi, type TestApi } from '../../support/api'
import { outcomeOf } from '../../support/expectations'
import { startServer } from '../../support/server'
import { many } from './support/office'
import { Sheet } from './support/sheets'

// What can be sent for attributes. Which ones a client may write: capabilities.test.ts.

let api: TestApi
let id: string
beforeAll(async () => {
  api = await startApi([Sheet])
})
afterAll(() => api.close())
beforeEach(async () => {
  id = await api.add(Sheet, { title: 'Map', note: 'old' })
})

const create = (attributes: object) => api.post('/sheets').send({ data: { type: 'sheets', attributes } })
const update = (attributes: object) => api.patch(`/sheets/${id}`).send({ data: { type: 'sheets', id, attributes } })
const stored = async () => (await api.get(`/sheets/${id}`)).body.data.attributes

describe('refused, on create and on update, is', () => {
  it.each([
    ['D-01: an attribute that is not there', { titel: 'Map' }, '422 attribute.unknown /data/attributes/titel'],
    ['D-06: one that the server maintains', { doubled: 6 }, '422 attribute.read-only /data/attributes/doubled'],
    ['D-07: a number for a text', { title: 5 }, '422 attribute.value /data/attributes/title'],
    ['D-07: a text for a number', { height: '5' }, '422 attribute.value /data/attributes/height'],
    ['D-07: an object for a text', { note: {} }, '422 attribute.value /data/attributes/note'],
    ['D-07: null where there must be a value', { height: null }, '422 attribute.value /data/attributes/height'],
    ['D-11: what is no base64', { bytes: '?' }, '422 attribute.value /data/attributes/bytes'],
    [
      'D-08: beaten: all mistakes come together',
      { nothing: 1, height: 'x', doubled: 1 },
      '422 attribute.unknown /data/attributes/nothing, 422 attribute.value /data/attributes/height, ' +
        '422 attribute.read-only /data/attributes/doubled',
    ],
  ])('%s', async (_rule, attributes, expected) => {
    const sent = { title: 'Map', ...attributes }
    for (const sending of [create, update]) {
      expect(outcomeOf(await api.unchanged(() => sending(sent)))).toBe(expected)
    }
  })

  it('D-02: a relationship that is not there', async () => {
    const relationships = { pages: many('sheets', '1') }
    const expected = '422 relationship.unknown /data/relationships/pages'
    const post = () =>
      api.post('/sheets').send({ data: { type: 'sheets', attributes: { title: 'Map' }, relationships } })
    const patch = () => api.patch(`/sheets/${id}`).send({ data: { type: 'sheets', id, relationships } })
    for (const sending of [post, patch]) expect(outcomeOf(await api.unchanged(sending))).toBe(expected)
  })

  it('D-07: a value says what it was to be, and what was found', async () => {
    const { body } = await update({ height: 'x' })
    expect(body.errors[0].detail).toMatch(/integer.*'x'/)
  })
})

it('D-09: what is not sent keeps its value, and null is one', async () => {
  await update({ title: 'Plan' }).expect(200)
  expect(await stored()).toMatchObject({ title: 'Plan', note: 'old' })
  await update({ note: null })
  expect(await stored()).toMatchObject({ title: 'Plan', note: null })
})

it('D-10: an object is replaced as a whole', async () => {
  await update({ extra: { a: { b: 1 }, c: [1] } })
  await update({ extra: { a: { d: null } } })
  expect((await stored()).extra).toEqual({ a: { d: null } })
})

it.each([
  ['D-11: bytes are base64', 'AP8='],
  ['D-11: no bytes are a text without letters', ''],
  ['D-11: null empties', null],
])('%s', async (_rule, bytes) => {
  expect((await create({ title: 'Map', bytes })).body.data.attributes.bytes).toBe(bytes)
  await update({ bytes: 'AAAA' })
  await update({ bytes })
  expect((await stored()).bytes).toBe(bytes)
})

it('D-12: what the database reckons is answered when it may have changed', async () => {
  const { status, body } = await update({ height: 5 })
  expect([status, body?.data.attributes]).toMatchObject([200, { height: 5, doubled: 10 }])
})

it('D-13: what is left out on create has its default', async () => {
  const { status, body } = await create({ title: 'Map' })
  const attributes = { title: 'Map', height: 3, note: null, extra: null, bytes: null, doubled: 6 }
  expect([status, body.data.attributes]).toEqual([201, attributes])
})

it('D-03: unknown fields can be ignored, with all that stands in them', async () => {
  const server = await startServer({ dataSource: api.dataSource, resources: [Sheet], unknownFields: 'ignored' })
  const unknown = { attributes: { titel: 'x', pages: 1 }, relationships: { pages: 'nothing of its shape', title: {} } }
  const body = (attributes: object) => ({
    type: 'sheets',
    attributes: { ...attributes, ...unknown.attributes },
    relationships: unknown.relationships,
  })
  const created = await server.post('/sheets').send({ data: body({ title: 'Map' }) })
  expect([created.status, created.body.data.attributes.title]).toEqual([201, 'Map'])
  const updated = await server.patch(`/sheets/${id}`).send({ data: { ...body({ height: 7 }), id } })
  expect([updated.status, await stored()]).toMatchObject([200, { title: 'Map', height: 7 }])
  const operations = [
    { op: 'add', data: body({ title: 'Plan' }) },
    { op: 'update', data: { ...body({ note: 'new' }), id } },
  ]
  const contentType = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
  const sent = await server
    .post('/operations')
    .send({ 'atomic:operations': operations })
    .set({ 'content-type': contentType, accept: contentType })
  expect([sent.status, await stored()]).toMatchObject([200, { note: 'new', height: 7 }])
  // What is known is looked at as ever.
  const wrong = await server.patch(`/sheets/${id}`).send({ data: { ...body({ height: 'x', doubled: 1 }), id } })
  expect(outcomeOf(wrong)).toBe(
    '422 attribute.value /data/attributes/height, 422 attribute.read-only /data/attributes/doubled',
  )
  await server.close()
})
