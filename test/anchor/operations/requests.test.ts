import { ResourceDefinition } from 'stemma'
import type { TestApi } from '../../support/api'
import { outcomeOf } from '../../support/expectations'
import { operate, resultsOf, sendDocument } from '../../support/operate'
import { Draft, Member, Team } from '../../support/writing-models'
import { ANN, BOB, NOBODY, startOffice } from '../writing/support/office'

// What a request may hold, and how it is answered.

class DraftRules extends ResourceDefinition<Draft> {
  override readonly resource = Draft
  override afterWrite(): never {
    throw new TypeError('secret')
  }
}

let api: TestApi
const reported: unknown[] = []
beforeAll(async () => {
  api = await startOffice({
    definitions: [new DraftRules()],
    operations: { maximum: 10 },
    report: (error) => reported.push(error),
  })
})
afterAll(() => api.close())

const RED = { type: 'teams', id: '1' }
const member = (name: unknown, rest: object = {}) => ({
  op: 'add',
  data: { type: 'members', attributes: { name }, ...rest },
})
const renamed = (id: string, name: string) => ({ op: 'update', data: { type: 'members', id, attributes: { name } } })
const removed = (id: string) => ({ op: 'remove', ref: { type: 'members', id } })
const tagged = (op: string, data: unknown) => ({ op, ref: { ...RED, relationship: 'tags' }, data })
const old = [{ type: 'tags', id: 'old' }]

describe('an answer', () => {
  it('R-01: has a result for each operation, in order', async () => {
    const results = resultsOf(await operate(api, member('Cid'), renamed(BOB, 'Rob'), member('Dan')))
    expect(results.map(({ data }: { data?: { attributes: object } }) => data?.attributes ?? {})).toMatchObject([
      { name: 'Cid' },
      {},
      { name: 'Dan' },
    ])
  })

  it('R-02: is empty where all are void', async () => {
    await operate(api, renamed(BOB, 'Bob'), tagged('add', old)).expect(204)
  })

  it('R-03: void are deletions, relationships, updates and creations by client id that change nothing else', async () => {
    const id = '33333333-3333-4333-8333-333333333333'
    const whole = { op: 'add', data: { type: 'members', id, attributes: { name: 'Eve', nickname: 'eve' } } }
    await operate(api, whole, renamed(id, 'Eva'), tagged('update', old), removed(id)).expect(204)
  })

  it('R-04: tells no local ids', async () => {
    expect((await operate(api, member('Fay', { lid: 'secret' }))).text).not.toContain('secret')
  })

  it('R-05: links to nothing that is switched off', async () => {
    const closed = await startOffice({ endpoints: ['createResource'] })
    const [{ data }] = resultsOf(await operate(closed, member('Gus')))
    expect(Object.keys(data)).toEqual(['type', 'id', 'attributes'])
    await closed.close()
  })
})

describe('a document', () => {
  it.each([
    ['R-06: overruled: without operations is 400, with a place', { 'atomic:operations': [] }, '/atomic:operations'],
    ['R-06: overruled: without any', {}, undefined],
  ])('%s', async (_rule, body, pointer) => {
    const answer = await api.unchanged(() => sendDocument(api, body))
    expect(outcomeOf(answer)).toBe(['400 document.shape', pointer].filter(Boolean).join(' '))
  })

  it('R-09: overruled: with too many is 413, before any of them is looked at', async () => {
    const many = [...Array.from({ length: 10 }, () => member('Many')), null]
    expect(outcomeOf(await api.unchanged(() => operate(api, ...many)))).toBe(
      '413 operation.too-many /atomic:operations',
    )
  })

  it('R-30: may have many', async () => {
    const five = Array.from({ length: 5 }, (_, index) => member(`Five ${index}`))
    const ids = resultsOf(await operate(api, ...five)).map(({ data }: { data: { id: string } }) => data.id)
    await operate(api, ...ids.map((id: string) => renamed(id, 'Fifth'))).expect(204)
    expect(await api.dataSource.getRepository(Member).countBy({ name: 'Fifth' })).toBe(5)
    await operate(api, ...ids.map(removed)).expect(204)
    const unlimited = await startOffice({ operations: { maximum: null } })
    expect(resultsOf(await operate(unlimited, ...Array.from({ length: 100 }, () => member('Many'))))).toHaveLength(100)
    await unlimited.close()
  })

  it('R-31: may have meta everywhere', async () => {
    const meta = { said: 'by the client' }
    const tags = { data: [{ type: 'tags', id: 'old', meta }], meta }
    const team = { type: 'teams', attributes: { name: 'Meta' }, relationships: { tags }, meta }
    const ref = { ...RED, relationship: 'tags', meta }
    const body = {
      'atomic:operations': [
        { op: 'add', data: team, meta },
        { op: 'add', ref, data: tags.data, meta },
      ],
      meta,
    }
    await sendDocument(api, body).expect(200)
  })
})

describe('an operation', () => {
  const AT = '/atomic:operations/0'
  const both = { type: 'members', id: ANN, lid: 'a' }
  const neither = { type: 'members' }
  const relationship = (name: string) => ({ ...RED, relationship: name })

  it.each<readonly [rule: string, operation: unknown, expected: string]>([
    ['R-07: null, here', null, `400 document.shape ${AT}`],
    ['R-08: an unknown op, here with its place', { ...member('x'), op: 'replace' }, `400 document.shape ${AT}/op`],
    ['R-11: a ref without relationship, to add', { ...member('x'), ref: RED }, `400 operation.target ${AT}/ref`],
    ['R-12: a removal without a target', { op: 'remove' }, `400 document.shape ${AT}`],
    [
      'R-14: another type in the data',
      { ...renamed(ANN, 'x'), ref: RED },
      `409 document.type-conflict ${AT}/data/type`,
    ],
    [
      'R-14: another id in the data',
      { ...renamed(ANN, 'x'), ref: { type: 'members', id: BOB } },
      `409 document.id-conflict ${AT}/data/id`,
    ],
    ['R-15: both id and lid in ref', { op: 'remove', ref: both }, `400 document.shape ${AT}/ref/lid`],
    ['R-15: both in data', { op: 'add', data: both }, `400 document.shape ${AT}/data/lid`],
    [
      'R-15: both in linkage',
      tagged('add', [{ type: 'tags', id: 'old', lid: 'a' }]),
      `400 document.shape ${AT}/data/0/lid`,
    ],
    ['R-16: neither in ref', { op: 'remove', ref: neither }, `400 document.shape ${AT}/ref`],
    ['R-16: neither in data', { op: 'update', data: neither }, `400 document.shape ${AT}/data`],
    ['R-16: neither in linkage', tagged('add', [{ type: 'tags' }]), `400 document.shape ${AT}/data/0`],
    [
      'R-17: overruled: an unknown relationship is not there',
      { op: 'update', ref: relationship('nope'), data: null },
      `404 relationship.not-found ${AT}/ref/relationship`,
    ],
    [
      'R-18: adding to one',
      { op: 'add', ref: relationship('lead'), data: [] },
      `403 relationship.to-one ${AT}/ref/relationship`,
    ],
    [
      'R-18: removing from one',
      { op: 'remove', ref: relationship('lead'), data: [] },
      `403 relationship.to-one ${AT}/ref/relationship`,
    ],
    ['R-19: no data', { op: 'update', ref: relationship('lead') }, `400 document.shape ${AT}`],
    ['R-19: a list for one', { op: 'update', ref: relationship('lead'), data: [] }, `400 document.shape ${AT}/data`],
    ['R-19: one for a list', tagged('add', old[0]), `400 document.shape ${AT}/data`],
    ['R-20: what is not there', renamed(NOBODY, 'x'), `404 resource.not-found ${AT}/data`],
    [
      'R-20: what is related to nothing',
      tagged('add', [{ type: 'tags', id: 'nope' }]),
      `404 related.not-found ${AT}/data/0`,
    ],
    [
      'R-20: an id that is taken',
      { op: 'add', data: { type: 'tags', id: 'old' } },
      `409 resource.id-taken ${AT}/data/id`,
    ],
  ])('%s is refused', async (_rule, operation, expected) => {
    expect(outcomeOf(await api.unchanged(() => operate(api, operation)))).toBe(expected)
  })

  it('R-10: beaten: may have an href', async () => {
    const id = await api.add(Member, { name: 'Ida' })
    await operate(api, { ...renamed(id, 'Ina'), href: `/members/${id}` }).expect(204)
    await operate(api, { op: 'remove', href: `/members/${id}` }).expect(204)
  })

  it('R-13: may update with a ref and without', async () => {
    await operate(api, renamed(ANN, 'Anna')).expect(204)
    await operate(api, { ...renamed(ANN, 'Ann'), ref: { type: 'members', id: ANN } }).expect(204)
  })
})

describe('operations', () => {
  it.each([
    [
      'R-22: are undone together, here for a related resource of the first',
      [
        {
          op: 'add',
          data: {
            type: 'teams',
            attributes: { name: 'x' },
            relationships: { lead: { data: { type: 'members', id: NOBODY } } },
          },
        },
        member('x'),
      ],
      '404 related.not-found /atomic:operations/0/data/relationships/lead/data',
    ],
    [
      'R-22: here for one of the last',
      [
        member('x', { lid: 'a' }),
        { op: 'update', ref: { type: 'members', lid: 'a', relationship: 'team' }, data: { type: 'teams', id: '999' } },
      ],
      '404 related.not-found /atomic:operations/1/data',
    ],
  ])('%s', async (_rule, operations, expected) => {
    expect(outcomeOf(await api.unchanged(() => operate(api, ...operations)))).toBe(expected)
  })

  it('R-21: overruled: that fail by themselves tell nothing', async () => {
    const draft = { op: 'add', data: { type: 'drafts', attributes: { title: 'x' } } }
    const answer = await api.unchanged(() => operate(api, member('x'), draft))
    expect(outcomeOf(answer)).toBe('500 server.error')
    expect(reported).toEqual([new TypeError('secret')])
  })

  it('R-25: that are switched off are refused together, before any is performed', async () => {
    const closed = await startOffice({ endpoints: ['getResource', 'createResource'] })
    const answer = await closed.unchanged(() =>
      operate(closed, renamed(NOBODY, 'x'), member('x'), removed(NOBODY), tagged('add', old)),
    )
    expect(outcomeOf(answer)).toBe(
      [0, 2, 3]
        .map((at) => `403 endpoint.off /atomic:operations/${at}/${['data', '', 'ref', 'ref/relationship'][at]}`)
        .join(', '),
    )
    await closed.close()
  })

  it('R-27: are looked at together, before any is performed', async () => {
    const answer = await api.unchanged(() =>
      operate(api, renamed(NOBODY, 'x'), member(5), renamed(ANN, 'x'.repeat(99))),
    )
    expect(outcomeOf(answer)).toBe(
      '422 attribute.value /atomic:operations/1/data/attributes/name, 422 attribute.value /atomic:operations/2/data/attributes/name',
    )
  })

  it.each([
    ['R-28', 'filter', 'query.not-allowed'],
    ['R-28', 'sort', 'query.not-allowed'],
    ['R-28', 'include', 'query.not-allowed'],
    ['R-28', 'page[size]', 'query.not-allowed'],
    ['R-28', 'fields[teams]', 'query.not-allowed'],
    ['R-28', 'own', 'query.unknown'],
  ])('%s: take no parameter %s', async (_rule, parameter, code) => {
    const headers = { 'content-type': 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"' }
    const body = { 'atomic:operations': [member('x')] }
    const answer = await api.unchanged(() => api.post(`/operations?${parameter}=name`).send(body).set(headers))
    expect(outcomeOf(answer)).toBe(`400 ${code} ${parameter}`)
  })

  it('R-29: see what those before them have done', async () => {
    const name = { type: 'teams', attributes: { name: 'Once' } }
    const again = await api.unchanged(() => operate(api, { op: 'add', data: name }, { op: 'add', data: name }))
    expect(outcomeOf(again)).toBe('409 constraint.unique /atomic:operations/1/data/attributes/name')
    const freed = { ...name, lid: 'a' }
    await operate(
      api,
      { op: 'add', data: freed },
      { op: 'remove', ref: { type: 'teams', lid: 'a' } },
      { op: 'add', data: name },
    )
    expect(await api.dataSource.getRepository(Team).countBy({ name: 'Once' })).toBe(1)
  })
})
