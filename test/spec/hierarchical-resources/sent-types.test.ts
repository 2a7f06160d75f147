import type { Response } from 'supertest'
import { startApi, type TestApi } from '../../support/api'
import { Boat, Ferry, Harbour, Sailboat, Tug, VESSELS } from '../../support/writing-models'

// Write rules 1 to 4 of the specification: which types a body may name, of the resource itself and of what it is related to.
//
// vessels (abstract) -> boats -> sailboats; vessels -> ships (abstract) -> tugs, ferries

let api: TestApi
let rows: Readonly<Record<string, string>>

beforeAll(async () => {
  api = await startApi(VESSELS)
  rows = {
    boat: await api.add(Boat, { name: 'Bee' }),
    sailboat: await api.add(Sailboat, { name: 'Sea' }),
    tug: await api.add(Tug, { name: 'Tom' }),
    ferry: await api.add(Ferry, { name: 'Fay' }),
    harbour: await api.add(Harbour, { name: 'Hull' }),
    none: '999',
  }
})
afterAll(() => api.close())

const idOf = (row: string): string => rows[row] ?? row

/** What the answer says of itself: `422 document.type-abstract /data/type`, one line for each error. */
async function told(sending: Promise<Response>) {
  const { status, body } = await sending
  const errors = (body.errors ?? []) as { status: string; code: string; source?: { pointer: string } }[]
  return errors.length === 0
    ? [String(status)]
    : errors.map((error) => [error.status, error.code, error.source?.pointer].filter(Boolean).join(' '))
}

const ABSTRACT = '422 document.type-abstract /data/type'
const CONFLICT = '409 document.type-conflict /data/type'
const MISSING = '404 resource.not-found'

describe('the type of a new resource', () => {
  it.each([
    ['vessels', 'boats', '201'],
    ['vessels', 'sailboats', '201'],
    ['vessels', 'tugs', '201'],
    ['boats', 'boats', '201'],
    ['boats', 'sailboats', '201'],
    ['ships', 'ferries', '201'],
    ['vessels', 'vessels', ABSTRACT],
    ['vessels', 'ships', ABSTRACT],
    ['ships', 'ships', ABSTRACT],
    // Abstract comes first, also where the type would not fit the endpoint.
    ['tugs', 'ships', ABSTRACT],
    ['boats', 'ships', ABSTRACT],
    ['harbours', 'vessels', ABSTRACT],
    ['sailboats', 'boats', CONFLICT],
    ['boats', 'tugs', CONFLICT],
    ['vessels', 'harbours', CONFLICT],
    ['vessels', 'nothings', CONFLICT],
    ['vessels', '', CONFLICT],
    ['vessels', 'Boats', CONFLICT],
    ['vessels', '__proto__', CONFLICT],
    ['vessels', 'constructor', CONFLICT],
  ])('POST /%s of type %p: %s', async (endpoint, type, expected) => {
    const sending = () => api.post(`/${endpoint}`).send({ data: { type, attributes: { name: 'New' } } })
    if (expected === '201') {
      const { status, body, headers } = await sending()
      const self = `/${type}/${body.data.id}`
      expect([status, body.data.type, body.data.links.self]).toEqual([201, type, self])
      expect(headers.location).toBe(self)
      expect((await api.get(self)).body.data).toEqual(body.data)
    } else {
      expect(await told(api.unchanged(sending))).toEqual([expected])
    }
  })
})

describe('the type of an updated resource', () => {
  it.each([
    // The stored type, or a concrete base of it, at any endpoint above.
    ['vessels', 'boat', 'boats', '204'],
    ['boats', 'boat', 'boats', '204'],
    ['vessels', 'sailboat', 'sailboats', '204'],
    ['vessels', 'sailboat', 'boats', '204'],
    ['boats', 'sailboat', 'boats', '204'],
    ['boats', 'sailboat', 'sailboats', '204'],
    ['ships', 'tug', 'tugs', '204'],
    // 1. Abstract.
    ['vessels', 'boat', 'vessels', ABSTRACT],
    ['vessels', 'none', 'vessels', ABSTRACT],
    ['tugs', 'none', 'ships', ABSTRACT],
    ['boats', 'tug', 'ships', ABSTRACT],
    // 2. Unknown, or not the endpoint's type nor derived from it, whatever the row is.
    ['vessels', 'boat', 'nothings', CONFLICT],
    ['vessels', 'none', 'nothings', CONFLICT],
    ['sailboats', 'sailboat', 'boats', CONFLICT],
    ['sailboats', 'none', 'boats', CONFLICT],
    ['boats', 'tug', 'tugs', CONFLICT],
    ['boats', 'boat', 'harbours', CONFLICT],
    // 3. The row is not there, or not in the branch of the endpoint.
    ['vessels', 'none', 'boats', MISSING],
    ['boats', 'tug', 'boats', MISSING],
    ['sailboats', 'boat', 'sailboats', MISSING],
    ['ships', 'sailboat', 'tugs', MISSING],
    // 4. Stored as another type that is not a descendant of the sent one.
    ['vessels', 'boat', 'sailboats', CONFLICT],
    ['boats', 'boat', 'sailboats', CONFLICT],
    ['vessels', 'boat', 'tugs', CONFLICT],
    ['ships', 'tug', 'ferries', CONFLICT],
  ])('PATCH /%s/<%s> as %p: %s', async (endpoint, row, type, expected) => {
    const id = idOf(row)
    const before = (await api.get(`/vessels/${id}`)).body.data
    const name = `${endpoint} ${type}`
    const sending = () => api.patch(`/${endpoint}/${id}`).send({ data: { type, id, attributes: { name } } })
    if (expected === '204') {
      await sending().expect(204)
      const after = (await api.get(`/vessels/${id}`)).body.data
      expect(after).toEqual({ ...before, attributes: { ...before.attributes, name } })
    } else {
      expect(await told(api.unchanged(sending))).toEqual([expected])
    }
  })

  it('decides which fields there are', async () => {
    const id = idOf('sailboat')
    const patch = (type: string) => api.patch(`/boats/${id}`).send({ data: { type, id, attributes: { masts: 2 } } })
    expect(await told(api.unchanged(() => patch('boats')))).toEqual(['422 attribute.unknown /data/attributes/masts'])
    expect(await told(patch('sailboats'))).toEqual(['204'])
  })

  it('has no say in a DELETE: the endpoint must be a type of the row', async () => {
    const id = await api.add(Sailboat, { name: 'Old' })
    expect(await told(api.delete(`/tugs/${id}`))).toEqual([MISSING])
    expect(await told(api.delete(`/ships/${id}`))).toEqual([MISSING])
    expect(await told(api.delete(`/boats/${id}`))).toEqual(['204'])
    expect(await told(api.delete(`/boats/${id}`))).toEqual([MISSING])
  })
})

describe('the type of a related resource', () => {
  const RESOURCE = '/data/relationships'

  // `escort` is declared to be a vessel, `pilotBoat` a boat.
  it.each([
    ['escort', 'vessels', 'boat', '204', ABSTRACT],
    ['escort', 'ships', 'tug', '204', ABSTRACT],
    ['escort', 'ships', 'boat', '404 related.not-found /data', ABSTRACT],
    ['escort', 'boats', 'boat', '204', '204'],
    ['escort', 'boats', 'sailboat', '204', '204'],
    ['escort', 'sailboats', 'sailboat', '204', '204'],
    ['escort', 'sailboats', 'boat', '404 related.not-found /data', '404 related.not-found /data'],
    ['escort', 'tugs', 'ferry', '404 related.not-found /data', '404 related.not-found /data'],
    ['escort', 'tugs', 'none', '404 related.not-found /data', '404 related.not-found /data'],
    ['escort', 'nothings', 'boat', '422 document.type-unknown /data/type', '422 document.type-unknown /data/type'],
    ['escort', '__proto__', 'boat', '422 document.type-unknown /data/type', '422 document.type-unknown /data/type'],
    ['escort', 'harbours', 'harbour', CONFLICT, CONFLICT],
    ['pilotBoat', 'vessels', 'boat', '204', ABSTRACT],
    ['pilotBoat', 'vessels', 'tug', '404 related.not-found /data', ABSTRACT],
    ['pilotBoat', 'ships', 'tug', CONFLICT, ABSTRACT],
    ['pilotBoat', 'tugs', 'tug', CONFLICT, CONFLICT],
    ['pilotBoat', 'boats', 'tug', '404 related.not-found /data', '404 related.not-found /data'],
    ['pilotBoat', 'boats', 'sailboat', '204', '204'],
  ])('%s named as %p for a %s', async (name, type, row, atEndpoint, inResource) => {
    const [leftType, leftId] = name === 'escort' ? ['boats', idOf('boat')] : ['harbours', idOf('harbour')]
    const left = `/${leftType}/${leftId}`
    const data = { type, id: idOf(row) }
    const inBody = { relationships: { [name]: { data } } }
    const atResource = inResource.replace('/data', `${RESOURCE}/${name}/data`)
    const resets = () => api.patch(`${left}/relationships/${name}`).send({ data: null })
    const linked = async () => (await api.get(`${left}/relationships/${name}`)).body.data?.id ?? null

    await resets()
    expect(await told(api.patch(`${left}/relationships/${name}`).send({ data }))).toEqual([atEndpoint])
    expect(await linked()).toBe(atEndpoint === '204' ? data.id : null)
    await resets()
    const patched = api
      .patch(left)
      .send({ data: { type: leftType, id: leftId, ...inBody } })
      .start()
    expect(await told(patched)).toEqual([atResource])
    expect(await linked()).toBe(inResource === '204' ? data.id : null)
    await resets()
    const attributes = { name: 'New' }
    const created = () => api.post(`/${leftType}`).send({ data: { type: leftType, attributes, ...inBody } })
    if (inResource === '204') expect(await told(created())).toEqual(['201'])
    else expect(await told(api.unchanged(created))).toEqual([atResource])
  })

  it.each(['01', '1abc', '1.0', '+1', ' 1', '-0', '1e0', '10000000000000000000000000000000', '', 'NaN'])(
    'with the id %p is missing: no row can have it',
    async (id) => {
      const left = `/boats/${idOf('boat')}`
      const escort = { data: { type: 'boats', id } }
      const inResource = { data: { type: 'boats', id: idOf('boat'), relationships: { escort } } }
      const atEndpoint = () => api.patch(`${left}/relationships/escort`).send(escort)
      expect(await told(api.unchanged(atEndpoint))).toEqual(['404 related.not-found /data'])
      expect(await told(api.unchanged(() => api.patch(left).send(inResource)))).toEqual([
        '404 related.not-found /data/relationships/escort/data',
      ])
    },
  )

  it.each(['01', '1abc', '10000000000000000000000000000000'])('is not at /boats/%s either', async (id) => {
    const body = { data: { type: 'boats', id, attributes: {} } }
    expect(await told(api.patch(`/boats/${id}`).send(body))).toEqual([MISSING])
    expect(await told(api.delete(`/boats/${id}`))).toEqual([MISSING])
    expect(await told(api.patch(`/boats/${id}/relationships/escort`).send({ data: null }))).toEqual([MISSING])
  })
})

describe('the members of a to-many relationship', () => {
  const path = () => `/harbours/${idOf('harbour')}/relationships/vessels`
  const members = async (): Promise<string[]> =>
    (await api.get(path())).body.data.map(({ type, id }: Record<string, string>) => `${type} ${id}`)
  const named = (...pairs: readonly (readonly [string, string])[]) => ({
    data: pairs.map(([type, row]) => ({ type, id: idOf(row) })),
  })

  beforeEach(() => api.patch(path()).send({ data: [] }))

  it.each(['POST', 'PATCH'])('%s takes base and derived types, each record once', async (method) => {
    const body = named(['vessels', 'sailboat'], ['boats', 'sailboat'], ['sailboats', 'sailboat'], ['ships', 'tug'])
    expect(await told(api.request(method, path()).send(body))).toEqual(['204'])
    expect(await members()).toEqual([`sailboats ${idOf('sailboat')}`, `tugs ${idOf('tug')}`])
  })

  it.each(['POST', 'PATCH'])('%s points at every identifier that is missing, and writes nothing', async (method) => {
    const body = named(['tugs', 'ferry'], ['boats', 'boat'], ['vessels', 'none'], ['vessels', '01'])
    const sending = () => api.request(method, path()).send(body)
    expect(await told(api.unchanged(sending))).toEqual([
      '404 related.not-found /data/0',
      '404 related.not-found /data/2',
      '404 related.not-found /data/3',
    ])
  })

  it('the same in a resource object, over several relationships', async () => {
    const relationships = {
      vessels: named(['tugs', 'ferry'], ['boats', 'none']),
      pilotBoat: { data: { type: 'sailboats', id: idOf('boat') } },
    }
    const id = idOf('harbour')
    for (const sending of [
      () => api.patch(`/harbours/${id}`).send({ data: { type: 'harbours', id, relationships } }),
      () => api.post('/harbours').send({ data: { type: 'harbours', relationships } }),
    ]) {
      expect(await told(api.unchanged(sending))).toEqual([
        '404 related.not-found /data/relationships/vessels/data/0',
        '404 related.not-found /data/relationships/vessels/data/1',
        '404 related.not-found /data/relationships/pilotBoat/data',
      ])
    }
  })

  it('DELETE ignores what is no member: other rows, other branches, and rows that are not there', async () => {
    await api.post(path()).send(named(['vessels', 'boat'], ['vessels', 'tug']))
    const body = named(['vessels', 'ferry'], ['ferries', 'tug'], ['boats', 'none'], ['boats', '01'], ['boats', ''])
    expect(await told(api.unchanged(() => api.delete(path()).send(body)))).toEqual(['204'])
    expect(await told(api.delete(path()).send(named(['vessels', 'boat'], ['ships', 'tug'])))).toEqual(['204'])
    expect(await members()).toEqual([])
  })

  it('DELETE still refuses types that are unknown or unrelated', async () => {
    const body = named(['nothings', 'boat'], ['harbours', 'harbour'])
    expect(await told(api.unchanged(() => api.delete(path()).send(body)))).toEqual([
      '422 document.type-unknown /data/0/type',
      '409 document.type-conflict /data/1/type',
    ])
  })

  it.each(['PATCH', 'POST', 'DELETE'])('%s is 404 where the left-hand row is not of the endpoint', async (method) => {
    const left = `/sailboats/${idOf('boat')}/relationships/escort`
    const stops = `/ferries/${idOf('tug')}/relationships/stops`
    if (method === 'PATCH') expect(await told(api.patch(left).send({ data: null }))).toEqual([MISSING])
    expect(await told(api.request(method, stops).send({ data: [] }))).toEqual([MISSING])
  })

  it('of a derived type are written through the base endpoint', async () => {
    const stops = (id: string) => `/vessels/${id}/relationships/stops`
    const body = named(['harbours', 'harbour'])
    for (const method of ['PATCH', 'POST']) {
      expect(await told(api.request(method, stops(idOf('ferry'))).send(body))).toEqual(['204'])
      expect((await api.get(stops(idOf('ferry')))).body.data).toEqual(body.data)
      expect(await told(api.delete(stops(idOf('ferry'))).send(body))).toEqual(['204'])
      expect((await api.get(stops(idOf('ferry')))).body.data).toEqual([])
    }
    expect(await told(api.post(stops(idOf('tug'))).send(body))).toEqual(['404 relationship.not-found'])
  })
})
