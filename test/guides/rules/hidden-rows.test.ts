import { equals, not, type ResourceClass } from 'stemma'
import { startApi, using } from '../../support/api'
import { define } from '../../support/define'
import { newResource, resource, toMany } from '../../support/documents'
import { setUp } from '../../support/set-up'
import { Boat, Note, Sailboat, Task, TEAMS, Team, Tug, VESSELS } from '../../support/writing-models'

// Writes to rows that `filter` of a definition leaves out. The tests of the recipes send many more of them.

const hiding = (resource: ResourceClass, attribute: string, value: string) =>
  define<object>(resource, { filter: () => not(equals(attribute, value)) })

const api = setUp(() => startApi(VESSELS, { definitions: [hiding(Boat, 'name', 'Hidden')] }))

// The rule of boats holds for derived types, not for siblings.
it.each([
  ['vessels', Sailboat, 'sailboats', 404],
  ['sailboats', Sailboat, 'sailboats', 404],
  ['vessels', Tug, 'tugs', 204],
] as const)('at /%s answers every write to a row of %p, one of %s, with %i', async (endpoint, entity, type, status) => {
  const id = await api.add(entity, { name: 'Hidden' })
  const path = `/${endpoint}/${id}`
  await api.patch(`${path}/relationships/escort`).send({ data: null }).expect(status)
  await api
    .patch(path)
    .send(resource(type, id, { name: 'Found' }))
    .expect(status)
  await api.delete(path).expect(status)
})

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
  const id = await api.add(Boat, { name: 'Bee' })
  const sent = resource('boats', id, { name: 'Hidden' })
  const { text } = await api.patch(`/boats/${id}?fields[boats]=name`).send(sent).expect(204)
  expect(text).toBe('')
  await api.get(`/boats/${id}`).expect(404)
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
