import { type ResourceClass, ResourceDefinition } from 'stemma'
import { equals, not } from '../../src/query/make'
import { startApi, type TestApi } from '../support/api'
import { findLinked } from '../support/find-rows'
import { linkRow } from '../support/rows'
import { Boat, Harbour, Note, Sailboat, Task, TEAMS, Team, Tug, VESSELS } from '../support/writing-models'

// What a client may not see it can't write either: the rows that `filter` of a definition leaves out.

class Visible extends ResourceDefinition<Boat> {
  override readonly resource = Boat
  override filter() {
    return not(equals('name', 'Hidden'))
  }
}

let api: TestApi
let ids: Readonly<Record<'boat' | 'hidden' | 'hiddenSailboat' | 'hiddenTug' | 'harbour', string>>

beforeAll(async () => {
  api = await startApi(VESSELS, { definitions: [new Visible()] })
})
afterAll(() => api.close())

beforeEach(async () => {
  ids = {
    boat: await api.add(Boat, { name: 'Bee' }),
    hidden: await api.add(Boat, { name: 'Hidden' }),
    // The rule of boats holds for what derives from them, and for no sibling.
    hiddenSailboat: await api.add(Sailboat, { name: 'Hidden' }),
    hiddenTug: await api.add(Tug, { name: 'Hidden' }),
    harbour: await api.add(Harbour, {}),
  }
})

it.each([
  ['vessels', 'hidden', 404],
  ['boats', 'hidden', 404],
  ['vessels', 'hiddenSailboat', 404],
  ['sailboats', 'hiddenSailboat', 404],
  ['vessels', 'hiddenTug', 204],
] as const)('at /%s a row that is %s answers %i to every write', async (endpoint, row, status) => {
  const id = ids[row]
  const type = { hidden: 'boats', hiddenSailboat: 'sailboats', hiddenTug: 'tugs' }[row]
  const body = { data: { type, id, attributes: { name: 'Found' } } }
  await api.patch(`/${endpoint}/${id}/relationships/escort`).send({ data: null }).expect(status)
  await api.patch(`/${endpoint}/${id}`).send(body).expect(status)
  await api.delete(`/${endpoint}/${id}`).expect(status)
})

it.each(['hidden', 'hiddenSailboat'] as const)('a %s row can not be linked to, whatever it is named', async (row) => {
  for (const type of ['vessels', 'boats', 'sailboats']) {
    const data = { type, id: ids[row] }
    const answers = [
      await api.unchanged(() => api.patch(`/boats/${ids.boat}/relationships/escort`).send({ data })),
      await api.unchanged(() => api.post(`/harbours/${ids.harbour}/relationships/vessels`).send({ data: [data] })),
      await api.unchanged(() => api.patch(`/harbours/${ids.harbour}/relationships/vessels`).send({ data: [data] })),
    ]
    expect(answers.map(({ status, body }) => [status, body.errors[0].code])).toEqual(
      answers.map(() => [404, 'related.not-found']),
    )
  }
})

it('a hidden member is none of those that can be removed', async () => {
  await linkRow(api.dataSource, [Harbour, ids.harbour], 'vessels', [ids.boat, ids.hidden])
  const path = `/harbours/${ids.harbour}/relationships/vessels`
  const remove = (id: string) => api.delete(path).send({ data: [{ type: 'vessels', id }] })
  expect((await api.unchanged(() => remove(ids.hidden))).status).toBe(204)
  await remove(ids.boat).expect(204)
  const vessels = await findLinked(api.dataSource, [Harbour, ids.harbour], 'vessels')
  expect(vessels.map(String)).toEqual([ids.hidden])
})

it('what is created out of sight is created: 201 with its place, and without its data', async () => {
  const { status, headers, body } = await api.post('/vessels').send({
    data: { type: 'boats', attributes: { name: 'Hidden' } },
  })
  expect([status, 'data' in body]).toEqual([201, false])
  expect(headers.location).toMatch(/^\/boats\/\d+$/)
  await api.get(String(headers.location)).expect(404)
})

it('what is created out of sight is not said to be shown, also where that was asked for', async () => {
  const create = (name: string) =>
    api
      .post('/vessels')
      .send({ data: { type: 'boats', attributes: { name } } })
      .set({ prefer: 'return=representation' })
  const told = [await create('Seen'), await create('Hidden')].map(({ status, headers }) => [
    status,
    headers['preference-applied'],
  ])
  expect(told).toEqual([
    [201, 'return=representation'],
    [201, undefined],
  ])
})

it('what is changed out of sight is changed: 204, also where a document was asked for', async () => {
  const data = { type: 'boats', id: ids.boat, attributes: { name: 'Hidden' } }
  const { status, text } = await api.patch(`/boats/${ids.boat}?fields[boats]=name`).send({ data })
  expect([status, text]).toEqual([204, ''])
  await api.get(`/boats/${ids.boat}`).expect(404)
})

describe('members that must not be left alone', () => {
  class Seen extends ResourceDefinition {
    override readonly resource: ResourceClass

    constructor(resource: ResourceClass) {
      super()
      this.resource = resource
    }

    override filter() {
      return not(equals('id', '1'))
    }
  }

  it.each([
    ['tasks', Task, { title: 'Paint' }],
    ['notes', Note, {}],
  ] as const)('hidden %s are not in the way of replacing the others, and stay', async (name, entity, values) => {
    const teams = await startApi(TEAMS, { definitions: [new Seen(entity)] })
    await teams.add(Team, { name: 'Red' })
    for (let count = 0; count < 2; count += 1) await teams.add(entity, { ...values, team: { id: 1 } })
    const data = [{ type: name, id: '2' }]
    const { status } = await teams.unchanged(() => teams.patch(`/teams/1/relationships/${name}`).send({ data }))
    await teams.close()
    expect(status).toBe(204)
  })
})
