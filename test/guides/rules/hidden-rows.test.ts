import { equals, not, type ResourceClass } from 'stemma'
import { startApi, using } from '../../support/api'
import { define } from '../../support/define'
import { newResource, resource, toMany, toOne } from '../../support/documents'
import { errorsOf } from '../../support/expectations'
import { findLinked } from '../../support/find-rows'
import { linkRow } from '../../support/rows'
import { setUp } from '../../support/set-up'
import { Boat, Harbour, Note, Sailboat, Task, TEAMS, Team, Tug, VESSELS } from '../../support/writing-models'

// Writes to rows that `filter` of a definition leaves out.

const hiding = (resource: ResourceClass, attribute: string, value: string) =>
  define<object>(resource, { filter: () => not(equals(attribute, value)) })

const api = setUp(() => startApi(VESSELS, { definitions: [hiding(Boat, 'name', 'Hidden')] }))
let ids: Readonly<Record<'boat' | 'hidden' | 'hiddenSailboat' | 'hiddenTug' | 'harbour', string>>

beforeEach(async () => {
  ids = {
    boat: await api.add(Boat, { name: 'Bee' }),
    hidden: await api.add(Boat, { name: 'Hidden' }),
    // The rule of boats holds for derived types, not for siblings.
    hiddenSailboat: await api.add(Sailboat, { name: 'Hidden' }),
    hiddenTug: await api.add(Tug, { name: 'Hidden' }),
    harbour: await api.add(Harbour, {}),
  }
})

it.each([
  ['vessels', 'hidden', 'boats', 404],
  ['boats', 'hidden', 'boats', 404],
  ['vessels', 'hiddenSailboat', 'sailboats', 404],
  ['sailboats', 'hiddenSailboat', 'sailboats', 404],
  ['vessels', 'hiddenTug', 'tugs', 204],
] as const)('at /%s answers every write to the row %s, one of %s, with %i', async (endpoint, row, type, status) => {
  const path = `/${endpoint}/${ids[row]}`
  await api.patch(`${path}/relationships/escort`).send({ data: null }).expect(status)
  await api
    .patch(path)
    .send(resource(type, ids[row], { name: 'Found' }))
    .expect(status)
  await api.delete(path).expect(status)
})

it.each(
  (['hidden', 'hiddenSailboat'] as const).flatMap((row) =>
    ['vessels', 'boats', 'sailboats'].map((type) => [row, type] as const),
  ),
)('returns 404 when the row %s is linked as one of %s', async (row, type) => {
  const members = `/harbours/${ids.harbour}/relationships/vessels`
  const requests = [
    () => api.patch(`/boats/${ids.boat}/relationships/escort`).send(toOne(type, ids[row])),
    () => api.post(members).send(toMany(type, ids[row])),
    () => api.patch(members).send(toMany(type, ids[row])),
  ]
  for (const request of requests)
    expect(errorsOf(await api.unchanged(request))).toEqual([expect.stringContaining('404 related.not-found')])
}) // anchor: W/M-02

it('does not remove a hidden member from a relationship', async () => {
  await linkRow(api.dataSource, [Harbour, ids.harbour], 'vessels', [ids.boat, ids.hidden])
  const remove = (id: string) =>
    api.delete(`/harbours/${ids.harbour}/relationships/vessels`).send(toMany('vessels', id)).expect(204)
  await api.unchanged(() => remove(ids.hidden))
  await remove(ids.boat)
  const vessels = await findLinked(api.dataSource, [Harbour, ids.harbour], 'vessels')
  expect(vessels.map(String)).toEqual([ids.hidden])
}) // anchor: W/M-02

it('returns 201 with Location and without data for a new resource that is hidden, also with Prefer', async () => {
  const create = (name: string) =>
    api.post('/vessels').send(newResource('boats', { name })).set({ prefer: 'return=representation' }).expect(201)
  expect((await create('Seen')).headers['preference-applied']).toBe('return=representation')
  const { headers, body } = await create('Hidden')
  expect(['data' in body, headers['preference-applied']]).toEqual([false, undefined])
  expect(headers.location).toMatch(/^\/boats\/\d+$/)
  await api.get(String(headers.location)).expect(404)
})

it('returns 204 for a change that hides the resource, also when a document was requested', async () => {
  const sent = resource('boats', ids.boat, { name: 'Hidden' })
  const { text } = await api.patch(`/boats/${ids.boat}?fields[boats]=name`).send(sent).expect(204)
  expect(text).toBe('')
  await api.get(`/boats/${ids.boat}`).expect(404)
})

it.each([
  ['tasks', Task, { title: 'Paint' }],
  ['notes', Note, {}],
] as const)(
  'keeps hidden %s, which require the relationship, when the members are replaced',
  async (name, entity, values) => {
    await using(startApi(TEAMS, { definitions: [hiding(entity, 'id', '1')] }), async (teams) => {
      await teams.add(Team, { name: 'Red' })
      for (let count = 0; count < 2; count += 1) await teams.add(entity, { ...values, team: { id: 1 } })
      const replace = () => teams.patch(`/teams/1/relationships/${name}`).send(toMany(name, '2'))
      expect((await teams.unchanged(replace)).status).toBe(204)
    })
  },
)
