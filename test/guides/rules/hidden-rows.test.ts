import { equals, getEntityManager, not, type ResourceClass } from 'stemma'
import { define, ref, setUp, startApi, useApi } from '../../support/api'
import { DATABASE } from '../../support/database'
import { newResource, resource, toMany, toOne, updateResource } from '../../support/documents'
import { outcomeOf } from '../../support/expectations'
import { operate } from '../../support/operate'
import { Car, DieselEngine, GasolineEngine, startVehicles, Truck } from '../../support/vehicles'
import { Boat, Ferry, Harbour, Note, Sailboat, Task, TEAMS, Team, Tug, VESSELS } from '../../support/writing-models'

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
  const sent = resource(type, id, { name: 'Found' })
  await api.patch(path).send(sent).expect(status)
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
    await useApi(startApi(TEAMS, { definitions: [hiding(entity, 'id', '1')] }), async (teams) => {
      await teams.add(Team, { name: 'Red' })
      for (let count = 0; count < 2; count += 1) await teams.add(entity, { ...values, team: { id: 1 } })
      const replace = () => teams.patch(`/teams/1/relationships/${name}`).send(toMany(name, '2'))
      expect((await teams.unchanged(replace)).status).toBe(204)
    })
  },
)

// SQLite has one writer at a time.
const onServers = DATABASE === 'sqlite' ? it.skip : it
onServers.each([
  ['vessels', Harbour, 'harbours', Boat, 'boats'],
  ['stops', Ferry, 'ferries', Harbour, 'harbours'],
] as const)('replaces %s that another request has added since', async (relationship, Owner, owners, Member, type) => {
  const ids: string[] = []
  const addMeanwhile = define<object>(Owner, {
    async afterWrite(write) {
      const [first, owner, late = ''] = ids
      if (write.id !== first) return
      await getEntityManager(write).find(Member)
      await port.post(`/${owners}/${owner}/relationships/${relationship}`).send(toMany(type, late)).expect(204)
    },
  })
  const port = await startApi(VESSELS, { definitions: [hiding(Member, 'name', 'Hidden'), addMeanwhile] })
  await useApi(Promise.resolve(port), async () => {
    for (const entity of [Owner, Owner, Member, Member]) ids.push(await port.add(entity, { name: 'Seen' }))
    const [first, owner = '', , fresh = ''] = ids
    const replacement = { op: 'update', ref: { type: owners, id: owner, relationship }, ...toMany(type, fresh) }
    await operate(port, { op: 'update', ...resource(owners, first, { name: 'New' }) }, replacement).expect(204)
    const { body } = await port.get(`/${owners}/${owner}/relationships/${relationship}`)
    expect(body.data).toEqual(toMany(type, fresh).data)
  })
})

// One-to-one relationships whose present owner the client does not see. The key is in the row of the vehicle.

const vehicles = setUp(() =>
  startVehicles({ definitions: [hiding(Car, 'licensePlate', 'HIDDEN'), hiding(DieselEngine, 'capacity', '13')] }),
)

async function engineOf(entity: ResourceClass, licensePlate: string): Promise<string> {
  const engine = await vehicles.add(GasolineEngine)
  await vehicles.add(entity, { licensePlate, engine: ref(engine) })
  return engine
}

const WAYS = {
  'its relationship endpoint': (engine: string, linkage: object) =>
    vehicles.patch(`/engines/${engine}/relationships/vehicle`).send(linkage),
  'an update': (engine: string, linkage: object) =>
    updateResource(vehicles, 'gasolineEngines', engine, {}, { vehicle: linkage }),
  'an operation': (engine: string, linkage: object) =>
    operate(vehicles, { op: 'update', ref: { type: 'engines', id: engine, relationship: 'vehicle' }, ...linkage }),
}

describe.each(Object.entries(WAYS))('the end without the key, by %s', (_name, send) => {
  it('leaves a hidden owner alone when it is cleared', async () => {
    const engine = await engineOf(Car, 'HIDDEN')
    const { status } = await vehicles.unchanged(() => send(engine, { data: null }).start())
    expect(status).toBe(204)
  })

  it('is refused when it is linked elsewhere, without the name of the owner', async () => {
    const engine = await engineOf(Car, 'HIDDEN')
    const truck = await vehicles.add(Truck)
    const { status, body } = await vehicles.unchanged(() => send(engine, toOne('trucks', truck)).start())
    expect([status, body.errors[0].code]).toEqual([409, 'constraint.unique'])
    expect(body.errors[0].detail).toBe(
      "The resource for 'vehicle' is linked to another resource. Only a client that can see the other resource can change this.",
    )
    expect(body.errors[0].source.pointer).toMatch(/data(\/relationships\/vehicle)?$/)
  })

  it('takes it from an owner that is seen', async () => {
    const engine = await engineOf(Car, 'SEEN')
    const truck = await vehicles.add(Truck)
    await send(engine, toOne('trucks', truck)).expect(204)
    expect((await vehicles.get(`/engines/${engine}/vehicle`)).body.data).toMatchObject({ type: 'trucks', id: truck })
    await send(engine, { data: null }).expect(204)
    expect((await vehicles.get(`/engines/${engine}/vehicle`)).body.data).toBeNull()
  })
})

describe('the end with the key', () => {
  it('does not take the resource from a hidden owner', async () => {
    const engine = await engineOf(Car, 'HIDDEN')
    const truck = await vehicles.add(Truck)
    const linkage = toOne('engines', engine)
    const patched = resource('trucks', truck, {}, { engine: toOne('gasolineEngines', engine) })
    const created = newResource('trucks', {}, { engine: toOne('gasolineEngines', engine) })
    for (const send of [
      () => vehicles.patch(`/trucks/${truck}/relationships/engine`).send(linkage),
      () => vehicles.patch(`/vehicles/${truck}`).send(patched),
      () => vehicles.post('/vehicles').send(created),
      () => operate(vehicles, { op: 'add', ...created }),
    ]) {
      const refused = outcomeOf(await vehicles.unchanged(() => send().start()))
      expect(refused).toMatch(/^409 constraint.unique .*data(\/relationships\/engine)?$/)
    }
  })

  it('takes it from an owner that is seen, and may name what is linked already', async () => {
    const engine = await engineOf(Car, 'SEEN')
    const truck = await vehicles.add(Truck)
    const path = `/trucks/${truck}/relationships/engine`
    await vehicles.patch(path).send(toOne('gasolineEngines', engine)).expect(204)
    await vehicles.patch(path).send(toOne('gasolineEngines', engine)).expect(204)
    expect((await vehicles.get(path)).body.data).toEqual({ type: 'gasolineEngines', id: engine })
  })

  it('can be written in place of a hidden resource, since the key is its own', async () => {
    const hidden = await vehicles.add(DieselEngine, { capacity: 13 })
    const engine = await vehicles.add(GasolineEngine)
    const truck = await vehicles.add(Truck, { engine: ref(hidden) })
    const path = `/trucks/${truck}/relationships/engine`
    await vehicles.patch(path).send(toOne('gasolineEngines', engine)).expect(204)
    expect((await vehicles.get(path)).body.data).toEqual({ type: 'gasolineEngines', id: engine })
  })
})
