import { equals, not, type ResourceClass } from 'stemma'
import { ref, startApi } from '../../support/api'
import { define } from '../../support/define'
import { newResource, resource, toOne } from '../../support/documents'
import { operate } from '../../support/operate'
import { setUp } from '../../support/set-up'
import { Car, DieselEngine, GasolineEngine, Truck, VEHICLES } from '../../support/vehicles'

// One-to-one relationships whose present owner the client does not see. The key is in the row of the vehicle.

const api = setUp(() =>
  startApi(VEHICLES, {
    definitions: [
      define(Car, { filter: () => not(equals('licensePlate', 'HIDDEN')) }),
      define(DieselEngine, { filter: () => not(equals('capacity', '13')) }),
    ],
  }),
)

async function engineOf(entity: ResourceClass, licensePlate: string): Promise<string> {
  const engine = await api.add(GasolineEngine)
  await api.add(entity, { licensePlate, engine: ref(engine) })
  return engine
}

const WAYS = {
  'its relationship endpoint': (engine: string, linkage: object) =>
    api.patch(`/engines/${engine}/relationships/vehicle`).send(linkage),
  'an update': (engine: string, linkage: object) =>
    api.patch(`/gasolineEngines/${engine}`).send(resource('gasolineEngines', engine, {}, { vehicle: linkage })),
  'an operation': (engine: string, linkage: object) =>
    operate(api, { op: 'update', ref: { type: 'engines', id: engine, relationship: 'vehicle' }, ...linkage }),
}

describe.each(Object.entries(WAYS))('the end without the key, by %s', (_name, send) => {
  it('leaves a hidden owner alone when it is cleared', async () => {
    const engine = await engineOf(Car, 'HIDDEN')
    const { status } = await api.unchanged(() => send(engine, { data: null }).start())
    expect(status).toBe(204)
  })

  it('is refused when it is linked elsewhere, without the name of the owner', async () => {
    const engine = await engineOf(Car, 'HIDDEN')
    const truck = await api.add(Truck)
    const { status, body } = await api.unchanged(() => send(engine, toOne('trucks', truck)).start())
    expect([status, body.errors[0].code]).toEqual([409, 'constraint.unique'])
    expect(body.errors[0].detail).toBe(
      "What 'vehicle' would link is linked to another resource. Only one who sees that one can change this.",
    )
    expect(body.errors[0].source.pointer).toMatch(/data(\/relationships\/vehicle)?$/)
  })

  it('takes it from an owner that is seen', async () => {
    const engine = await engineOf(Car, 'SEEN')
    const truck = await api.add(Truck)
    await send(engine, toOne('trucks', truck)).expect(204)
    expect((await api.get(`/engines/${engine}/vehicle`)).body.data).toMatchObject({ type: 'trucks', id: truck })
    await send(engine, { data: null }).expect(204)
    expect((await api.get(`/engines/${engine}/vehicle`)).body.data).toBeNull()
  })
})

describe('the end with the key', () => {
  it('does not take the resource from a hidden owner', async () => {
    const engine = await engineOf(Car, 'HIDDEN')
    const truck = await api.add(Truck)
    const linkage = toOne('engines', engine)
    const patched = resource('trucks', truck, {}, { engine: toOne('gasolineEngines', engine) })
    const created = newResource('trucks', {}, { engine: toOne('gasolineEngines', engine) })
    for (const send of [
      () => api.patch(`/trucks/${truck}/relationships/engine`).send(linkage),
      () => api.patch(`/vehicles/${truck}`).send(patched),
      () => api.post('/vehicles').send(created),
      () => operate(api, { op: 'add', ...created }),
    ]) {
      const { status, body } = await api.unchanged(() => send().start())
      expect([status, body.errors[0].code, body.errors[0].source.pointer]).toEqual([
        409,
        'constraint.unique',
        expect.stringMatching(/data(\/relationships\/engine)?$/),
      ])
    }
  })

  it('takes it from an owner that is seen, and may name what is linked already', async () => {
    const engine = await engineOf(Car, 'SEEN')
    const truck = await api.add(Truck)
    const path = `/trucks/${truck}/relationships/engine`
    await api.patch(path).send(toOne('gasolineEngines', engine)).expect(204)
    await api.patch(path).send(toOne('gasolineEngines', engine)).expect(204)
    expect((await api.get(path)).body.data).toEqual({ type: 'gasolineEngines', id: engine })
  })

  it('can be written in place of a hidden resource, since the key is its own', async () => {
    const hidden = await api.add(DieselEngine, { capacity: 13 })
    const engine = await api.add(GasolineEngine)
    const truck = await api.add(Truck, { engine: ref(hidden) })
    const path = `/trucks/${truck}/relationships/engine`
    await api.patch(path).send(toOne('gasolineEngines', engine)).expect(204)
    expect((await api.get(path)).body.data).toEqual({ type: 'gasolineEngines', id: engine })
  })
})
