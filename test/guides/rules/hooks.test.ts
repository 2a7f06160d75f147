import { createResource, newResource, resource, toMany, toOne, updateResource } from '../../support/documents'
import { Sailboat } from '../../support/writing-models'
import { describeRecord, type HookName, recordHooks, relationshipsOf } from './support/recorder'

const { api, ids, calls, behaviours } = recordHooks()

/** Those for the resource that the client has written. both-ends.test.ts is about the others. */
const ownCalls = () => calls.filter(({ write }) => write.origin === undefined)

/** One line for each call: `setToOne update sailboats 2 harbour "harbours 1 Harbour"`. */
const lines = (): readonly string[] =>
  ownCalls().map(({ hook, write, relationship, related }) =>
    [hook, write.kind, write.type.name, write.id, relationship, relationship && JSON.stringify(describeRecord(related))]
      .filter((part) => part !== undefined && part !== '')
      .join(' '),
  )

const valuesOf = (hook: HookName): unknown => ({ ...calls.find((call) => call.hook === hook)?.write.values })
const ENDPOINTS = ['vessels', 'boats', 'sailboats']

describe('the order of hooks', () => {
  it.each(ENDPOINTS)(
    'is prepareWrite, setToOne, beforeWrite, afterWrite, afterCommit for a create at %s',
    async (endpoint) => {
      const relationships = { harbour: toOne('harbours', ids.harbour), escort: toOne('boats', ids.sailboat) }
      const { body } = await api.post(`/${endpoint}`).send(newResource('sailboats', { name: 'New' }, relationships))
      expect(lines()).toEqual([
        'prepareWrite create sailboats',
        `setToOne create sailboats harbour "harbours ${ids.harbour} Harbour"`,
        `setToOne create sailboats escort "sailboats ${ids.sailboat} Sailboat"`,
        'beforeWrite create sailboats',
        `afterWrite create sailboats ${body.data.id}`,
        `afterCommit create sailboats ${body.data.id}`,
      ])
    },
  ) // anchor: W/HD-04, W/X-05, W/X-06, W/X-07

  it.each(ENDPOINTS)('is the same for an update at %s', async (endpoint) => {
    const id = ids.sailboat
    const relationships = { escort: toOne('boats', ids.boat), harbour: { data: null } }
    const sent = resource('sailboats', id, { name: 'New' }, relationships)
    await api.patch(`/${endpoint}/${id}`).send(sent).expect(204)
    expect(lines()).toEqual([
      `prepareWrite update sailboats ${id}`,
      `setToOne update sailboats ${id} escort "boats ${ids.boat} Boat"`,
      `setToOne update sailboats ${id} harbour null`,
      `beforeWrite update sailboats ${id}`,
      `afterWrite update sailboats ${id}`,
      `afterCommit update sailboats ${id}`,
    ])
  })

  it.each(ENDPOINTS)('is beforeWrite, afterWrite, afterCommit for a delete at %s', async (endpoint) => {
    await api.delete(`/${endpoint}/${ids.sailboat}`).expect(204)
    const self = `delete sailboats ${ids.sailboat}`
    expect(lines()).toEqual([`beforeWrite ${self}`, `afterWrite ${self}`, `afterCommit ${self}`])
    expect(valuesOf('afterCommit')).toMatchObject({ name: 'Sea', masts: 3 })
  })

  it('is that of the relationships in the request', async () => {
    const relationships = { ferries: { data: [] }, pilotBoat: { data: null }, vessels: { data: [] } }
    await createResource(api, 'harbours', undefined, relationships).expect(201)
    const sets = ['setToMany', 'setToOne', 'setToMany']
    expect(calls.map(({ hook }) => hook)).toEqual(['prepareWrite', ...sets, 'beforeWrite', 'afterWrite', 'afterCommit'])
  }) // anchor: W/X-01, W/X-02, W/X-03, W/X-04

  it.each([
    ['PATCH', 'setRelationship', 'setToMany'],
    ['POST', 'addToRelationship', 'addToMany'],
    ['DELETE', 'removeFromRelationship', 'removeFromMany'],
  ])(
    'has %s of a to-many relationship call the hook of its kind, with each record once',
    async (method, kind, hook) => {
      await api.request(method, `/harbours/${ids.harbour}/relationships/vessels`).send({ data: [] }).expect(204)
      expect(calls.map((call) => call.hook)).toEqual(['prepareWrite', hook, 'beforeWrite', 'afterWrite', 'afterCommit'])
      calls.length = 0
      const data = [
        ...toMany('vessels', ids.sailboat).data,
        toOne('boats', ids.sailboat).data,
        toOne('ships', ids.tug).data,
      ]
      await api.request(method, `/harbours/${ids.harbour}/relationships/vessels`).send({ data }).expect(204)
      const self = `${kind} harbours ${ids.harbour}`
      expect(lines()).toEqual([
        `prepareWrite ${self}`,
        `${hook} ${self} vessels ["sailboats ${ids.sailboat} Sailboat","tugs ${ids.tug} Tug"]`,
        `beforeWrite ${self}`,
        `afterWrite ${self}`,
        `afterCommit ${self}`,
      ])
    },
  ) // anchor: W/HD-04, W/X-05, W/X-06, W/X-07

  it('has no hook for a request that is refused earlier', async () => {
    await updateResource(api, 'boats', ids.boat, { nam: 1 }).expect(422)
    await api.patch(`/boats/${ids.boat}/relationships/escort`).send(toOne('boats', '999')).expect(404)
    await api.patch('/boats/999').send(toOne('boats', '999')).expect(404)
    expect(lines()).toEqual([])
  }) // anchor: W/M-01
})

it.each<readonly [method: string, path: string, sent: () => object | undefined, definition: string]>([
  ['PATCH', '/vessels/$sailboat', () => resource('boats', ids.sailboat, { name: 'New' }), 'Boat'],
  ['POST', '/vessels', () => newResource('boats', { name: 'N' }), 'Boat'],
  ['PATCH', '/vessels/$sailboat/relationships/harbour', () => toOne('harbours', ids.harbour), 'Boat'],
  ['PATCH', '/vessels/$sailboat/relationships/escort', () => toOne('vessels', ids.boat), 'Boat'],
  ['POST', '/vessels/$ferry/relationships/stops', () => toMany('harbours', ids.harbour), 'Vessel'],
  ['DELETE', '/harbours/$harbour/relationships/vessels', () => toMany('vessels', ids.boat), 'Harbour'],
  ['DELETE', '/vessels/$sailboat', () => undefined, 'Boat'],
])('the definition of the stored type runs alone for %s of %s', async (method, path, sent, definition) => {
  const url = path.replace(/\$(\w+)/, (_, row: keyof typeof ids) => ids[row])
  expect((await api.request(method, url).send(sent())).status).toBeLessThan(300)
  expect(new Set(ownCalls().map((call) => call.definition))).toEqual(new Set([definition]))
}) // anchor: W/HD-01, W/HD-02, W/HD-03, W/HL-04

describe('the write that hooks get', () => {
  it('has the stored values of an update, then the final ones, and the names of sent fields', async () => {
    behaviours.prepareWrite = () => ({ masts: 8, oars: 8 })
    behaviours.beforeWrite = () => ({ oars: 12 })
    const relationships = { escort: toOne('boats', ids.boat), harbour: toOne('harbours', ids.harbour) }
    const attributes = { name: 'New', masts: 4 }
    const { body } = await updateResource(api, 'sailboats', ids.sailboat, attributes, relationships).expect(200)
    expect(body.data.attributes).toEqual({ name: 'New', oars: 12, masts: 4 })
    expect(valuesOf('prepareWrite')).toMatchObject({ name: 'Sea', oars: 2, masts: 3 })
    expect(valuesOf('setToOne')).toMatchObject({ name: 'Sea', oars: 8, masts: 8 })
    expect(valuesOf('beforeWrite')).toMatchObject({ name: 'New', oars: 8, masts: 4 })
    expect(valuesOf('afterWrite')).toMatchObject({ name: 'New', oars: 12, masts: 4 })
    expect(valuesOf('afterCommit')).toMatchObject({ name: 'New', oars: 12, masts: 4 })
    const linked = { escort: `boats ${ids.boat} Boat`, harbour: `harbours ${ids.harbour} Harbour` }
    for (const { hook, write } of ownCalls()) {
      expect(write.values).toBeInstanceOf(Sailboat)
      expect(describeRecord(write.previous)).toBe(`sailboats ${ids.sailboat} Sailboat`)
      expect({ ...write.previous?.instance }).toEqual({ name: 'Sea', oars: 2, masts: 3 })
      expect([...write.sentFields].sort()).toEqual(['escort', 'harbour', 'masts', 'name'])
      const links = Object.fromEntries(
        Object.entries(write.relationships).map(([name, related]) => [name, describeRecord(related)]),
      )
      expect(links).toEqual(['prepareWrite', 'setToOne'].includes(hook) ? {} : linked)
    }
  })

  it('has the defaults of a create, then the prepared values, then the final ones', async () => {
    behaviours.prepareWrite = () => ({ name: 'Given', masts: 1 })
    const { body } = await api.post('/vessels').send(newResource('sailboats', { masts: 2 }))
    expect(body.data.attributes).toEqual({ name: 'Given', oars: 2, masts: 2 })
    expect(valuesOf('prepareWrite')).toEqual({ oars: 2, masts: null })
    expect(valuesOf('beforeWrite')).toEqual({ name: 'Given', oars: 2, masts: 2 })
    for (const { write } of calls) expect([write.values instanceof Sailboat, write.previous]).toEqual([true, undefined])
  })

  it('has the stored values in a relationship write, and the members that are added or removed', async () => {
    const path = `/harbours/${ids.harbour}/relationships/vessels`
    await api.post(path).send(toMany('tugs', ids.tug))
    await api.delete(path).send(toMany('boats', ids.boat, '999'))
    const members = calls
      .filter(({ hook }) => hook === 'beforeWrite')
      .map((call) => describeRecord(relationshipsOf(call).vessels))
    expect(members).toEqual([[`tugs ${ids.tug} Tug`], [`boats ${ids.boat} Boat`]])
    expect(valuesOf('beforeWrite')).toEqual({ name: 'Hull' })
    expect([...(calls[0]?.write.sentFields ?? [])]).toEqual(['vessels'])
  })
})
