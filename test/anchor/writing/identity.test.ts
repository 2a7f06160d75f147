import type { TestApi } from '../../support/api'
import { outcomeOf } from '../../support/expectations'
import { ANN, startOffice } from './support/office'

// Who a resource object and a resource identifier say that they are.

let api: TestApi
beforeAll(async () => {
  api = await startOffice()
})
afterAll(() => api.close())

const CONFLICT = '409 document.type-conflict /data/type'

type Row = readonly [rule: string, data: unknown, expected: string]

const refused = (method: string, path: string, data: unknown) =>
  api.unchanged(() => api.request(method, path).send({ data }))

describe('of what is created', () => {
  it.each<Row>([
    ['C-01: no type', { attributes: {} }, '400 document.shape /data'],
    ['C-02: overruled: an unknown type is another than that of the URL', { type: 'nothings' }, CONFLICT],
    ['C-02: a type without letters', { type: '' }, CONFLICT],
    ['C-03: another type than that of the URL', { type: 'tasks' }, CONFLICT],
    ['C-06: an id that is a number', { type: 'teams', id: 1 }, '400 document.shape /data/id'],
    ['C-09: beaten: a local id of another one', { type: 'teams', id: '1', lid: 'a' }, '400 document.shape /data/lid'],
  ])('%s', async (_rule, data, expected) => {
    expect(outcomeOf(await refused('POST', '/teams', data))).toBe(expected)
  })

  it('C-09: overruled: a resource that is created may have a local id', async () => {
    const partners = { data: [{ type: 'teams', lid: 'self' }] }
    const data = { type: 'teams', lid: 'self', attributes: { name: 'C-09' }, relationships: { partners } }
    const { status, body } = await api.post('/teams').send({ data })
    const linkage = await api.get(`/teams/${body.data.id}/relationships/partners`)
    expect([status, linkage.body.data]).toEqual([201, [{ type: 'teams', id: body.data.id }]])
  })
})

describe('of what is updated', () => {
  it.each<Row>([
    ['C-01: no type', { id: '1' }, '400 document.shape /data'],
    ['C-02: overruled: an unknown type', { type: 'nothings', id: '1' }, CONFLICT],
    ['C-03: another type', { type: 'tasks', id: '1' }, CONFLICT],
    ['C-04: no id', { type: 'teams' }, '400 document.shape /data'],
    ['C-05: another id than that of the URL', { type: 'teams', id: '2' }, '409 document.id-conflict /data/id'],
    ['C-05: is compared as a text', { type: 'teams', id: '01' }, '409 document.id-conflict /data/id'],
    ['C-06: an id that is a number', { type: 'teams', id: 1 }, '400 document.shape /data/id'],
    ['C-08: an id of no length', { type: 'teams', id: '' }, '409 document.id-conflict /data/id'],
    ['C-09: a local id', { type: 'teams', id: '1', lid: 'a' }, '400 document.shape /data/lid'],
    [
      'C-10: an id among the attributes',
      { type: 'teams', id: '1', attributes: { id: '2' } },
      '422 attribute.unknown /data/attributes/id',
    ],
  ])('%s', async (_rule, data, expected) => {
    expect(outcomeOf(await refused('PATCH', '/teams/1', data))).toBe(expected)
  })

  it('C-05: says both ids', async () => {
    const { body } = await refused('PATCH', '/teams/1', { type: 'teams', id: '2' })
    expect(body.errors[0].detail).toBe("Expected the id of the URL, '1', found '2'.")
  })

  it('C-07: overruled: what can not be an id is not there', async () => {
    expect(outcomeOf(await refused('PATCH', '/teams/x', { type: 'teams', id: 'x' }))).toBe('404 resource.not-found')
  })
})

/** Identifiers, at the endpoint and within a resource object. */
const AT: readonly (readonly [
  where: string,
  send: (identifier: object) => readonly [string, string, unknown],
  string,
])[] = [
  ['a to-one endpoint', (data) => ['PATCH', '/teams/1/relationships/lead', data], '/data'],
  ['a to-many endpoint', (data) => ['PATCH', '/teams/1/relationships/members', [data]], '/data/0'],
  ['adding', (data) => ['POST', '/teams/1/relationships/members', [data]], '/data/0'],
  ['removing', (data) => ['DELETE', '/teams/1/relationships/members', [data]], '/data/0'],
  [
    'an update',
    (data) => ['PATCH', '/teams/1', { type: 'teams', id: '1', relationships: { lead: { data } } }],
    '/data/relationships/lead/data',
  ],
  [
    'a create',
    (data) => [
      'POST',
      '/teams',
      { type: 'teams', attributes: { name: 'x' }, relationships: { members: { data: [data] } } },
    ],
    '/data/relationships/members/data/0',
  ],
]

describe.each(AT)('of what is related, at %s', (_where, send, place) => {
  it.each<readonly [rule: string, identifier: object, code: string, end: string]>([
    ['C-01: no type', { id: ANN }, '400 document.shape', ''],
    ['C-02: an unknown type', { type: 'nothings', id: ANN }, '422 document.type-unknown', '/type'],
    ['C-02: a type without letters', { type: '', id: ANN }, '422 document.type-unknown', '/type'],
    ['C-03: an unrelated type', { type: 'teams', id: '1' }, '409 document.type-conflict', '/type'],
    ['C-04: no id', { type: 'members' }, '400 document.shape', ''],
    ['C-06: an id that is a number', { type: 'members', id: 1 }, '400 document.shape', '/id'],
    ['C-09: a local id that nothing has', { type: 'members', lid: 'a' }, '400 document.lid-unknown', ''],
    ['C-11: a type is looked at before an id', { type: 'teams', id: 'x' }, '409 document.type-conflict', '/type'],
  ])('%s', async (_rule, identifier, code, end) => {
    expect(outcomeOf(await refused(...send(identifier)))).toBe(`${code} ${place}${end}`)
  })
})

it('C-03: says which relationship it is that has other types', async () => {
  const { body } = await refused('PATCH', '/teams/1/relationships/lead', { type: 'teams', id: '1' })
  expect(body.errors[0].detail).toContain("'lead'")
})

it('C-07: overruled: an identifier with what can not be an id is not there', async () => {
  const answer = await refused('PATCH', '/members/1', { type: 'members', id: '1' })
  expect(outcomeOf(answer)).toBe('404 resource.not-found')
  const linked = await refused('PATCH', `/members/${ANN}/relationships/team`, { type: 'teams', id: 'x' })
  expect(outcomeOf(linked)).toBe('404 related.not-found /data')
})

it('C-11: an unknown type is found before the id of the server', async () => {
  expect(outcomeOf(await refused('POST', '/teams', { type: 'tasks', id: '5' }))).toBe(CONFLICT)
})
