import { setUp, startApi } from '../../support/api'
import { keysAt, outcomeOf } from '../../support/expectations'
import { Boat, Ferry, Harbour, Sailboat, Tug, VESSELS } from '../../support/writing-models'

// Write rules 1 to 4 of the specification: the types that a body may name, of the resource and of related resources.
//
// vessels (abstract) -> boats -> sailboats; vessels -> ships (abstract) -> tugs, ferries

const api = setUp(() => startApi(VESSELS))
let rows: Readonly<Record<string, string>>

beforeAll(async () => {
  rows = {
    boat: await api.add(Boat, { name: 'Bee' }),
    sailboat: await api.add(Sailboat, { name: 'Sea' }),
    tug: await api.add(Tug, { name: 'Tom' }),
    ferry: await api.add(Ferry, { name: 'Fay' }),
    harbour: await api.add(Harbour, { name: 'Hull' }),
    none: '999',
  }
})

const idOf = (row: string): string => rows[row] ?? row
const ABSTRACT = '422 document.type-abstract /data/type'
const CONFLICT = '409 document.type-conflict /data/type'
const MISSING = '404 resource.not-found'
const UNRELATED = '404 related.not-found'

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
  // An abstract type is found before one that does not fit the endpoint.
  ['tugs', 'ships', ABSTRACT],
  ['boats', 'ships', ABSTRACT],
  ['harbours', 'vessels', ABSTRACT],
  ['sailboats', 'boats', CONFLICT],
  ['boats', 'tugs', CONFLICT],
  ['vessels', 'harbours', CONFLICT],
  ['vessels', 'nothings', CONFLICT],
  ['vessels', '', CONFLICT],
  ['vessels', 'Boats', CONFLICT],
])('the type of a new resource POST /%s of type %p: %s', async (endpoint, type, expected) => {
  const sending = () => api.post(`/${endpoint}`).send({ data: { type, attributes: { name: 'New' } } })
  if (expected === '201') {
    const { body, headers } = await sending().expect(201)
    const self = `/${type}/${body.data.id}`
    expect([body.data.type, body.data.links.self, headers.location]).toEqual([type, self, self])
    expect((await api.get(self)).body.data).toEqual(body.data)
  } else {
    expect(outcomeOf(await api.unchanged(sending))).toBe(expected)
  }
}) // anchor: W/C-02, W/C-03, W/HP-01, W/HP-02, W/HP-03, W/HP-04, W/HP-05, W/HP-06

describe('the type of an updated resource', () => {
  it.each([
    // The stored type or a concrete base of it, at an endpoint of either.
    ['vessels', 'boat', 'boats', '204'],
    ['boats', 'boat', 'boats', '204'],
    ['vessels', 'sailboat', 'sailboats', '204'],
    ['vessels', 'sailboat', 'boats', '204'],
    ['boats', 'sailboat', 'boats', '204'],
    ['boats', 'sailboat', 'sailboats', '204'],
    ['ships', 'tug', 'tugs', '204'],
    // 1. An abstract type.
    ['vessels', 'boat', 'vessels', ABSTRACT],
    ['vessels', 'none', 'vessels', ABSTRACT],
    ['tugs', 'none', 'ships', ABSTRACT],
    ['boats', 'tug', 'ships', ABSTRACT],
    // 2. An unknown type, or one that does not derive from the type of the endpoint.
    ['vessels', 'boat', 'nothings', CONFLICT],
    ['vessels', 'none', 'nothings', CONFLICT],
    ['sailboats', 'sailboat', 'boats', CONFLICT],
    ['sailboats', 'none', 'boats', CONFLICT],
    ['boats', 'tug', 'tugs', CONFLICT],
    ['boats', 'boat', 'harbours', CONFLICT],
    // 3. The row is missing or belongs to another branch than the endpoint.
    ['vessels', 'none', 'boats', MISSING],
    ['boats', 'tug', 'boats', MISSING],
    ['sailboats', 'boat', 'sailboats', MISSING],
    ['ships', 'sailboat', 'tugs', MISSING],
    // 4. The stored type does not derive from the sent one.
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
      expect(outcomeOf(await api.unchanged(sending))).toBe(expected)
    }
  }) // anchor: W/C-02, W/HP-07, W/HP-08, W/HP-09, W/HP-11, W/HP-12, W/HP-13, W/HP-14, W/HP-15

  it('decides which attributes can be sent', async () => {
    const id = idOf('sailboat')
    const patch = (type: string) => api.patch(`/boats/${id}`).send({ data: { type, id, attributes: { masts: 2 } } })
    expect(outcomeOf(await api.unchanged(() => patch('boats')))).toBe('422 attribute.unknown /data/attributes/masts')
    await patch('sailboats').expect(204)
  }) // anchor: W/HP-18
})

it('DELETE of a resource returns 404 at an endpoint of another branch, and 204 at one of a base', async () => {
  const id = await api.add(Sailboat, { name: 'Old' })
  for (const [endpoint, expected] of [
    ['tugs', MISSING],
    ['ships', MISSING],
    ['boats', '204'],
    ['boats', MISSING],
  ])
    expect(outcomeOf(await api.delete(`/${endpoint}/${id}`))).toBe(expected)
  const { body } = await api.delete(`/tugs/${id}`)
  expect(body.errors[0].detail).toBe(`There is no resource of type 'tugs' with id '${id}'.`)
}) // anchor: W/HP-16, W/HP-17

describe('the type of a related resource', () => {
  const UNKNOWN = '422 document.type-unknown /data/type'

  // `escort` is declared to be a vessel, `pilotBoat` a boat. An abstract type may be named at the endpoint, but not within a resource.
  it.each([
    ['escort', 'vessels', 'boat', '204', ABSTRACT],
    ['escort', 'ships', 'tug', '204', ABSTRACT],
    ['escort', 'ships', 'boat', `${UNRELATED} /data`, ABSTRACT],
    ['escort', 'boats', 'boat', '204', '204'],
    ['escort', 'boats', 'sailboat', '204', '204'],
    ['escort', 'sailboats', 'sailboat', '204', '204'],
    ['escort', 'sailboats', 'boat', `${UNRELATED} /data`, `${UNRELATED} /data`],
    ['escort', 'tugs', 'ferry', `${UNRELATED} /data`, `${UNRELATED} /data`],
    ['escort', 'tugs', 'none', `${UNRELATED} /data`, `${UNRELATED} /data`],
    ['escort', 'nothings', 'boat', UNKNOWN, UNKNOWN],
    ['escort', '', 'boat', UNKNOWN, UNKNOWN],
    ['escort', 'harbours', 'harbour', CONFLICT, CONFLICT],
    ['escort', 'harbours', 'none', CONFLICT, CONFLICT],
    ['pilotBoat', 'vessels', 'boat', '204', ABSTRACT],
    ['pilotBoat', 'vessels', 'tug', `${UNRELATED} /data`, ABSTRACT],
    ['pilotBoat', 'ships', 'tug', CONFLICT, ABSTRACT],
    ['pilotBoat', 'tugs', 'tug', CONFLICT, CONFLICT],
    ['pilotBoat', 'boats', 'tug', `${UNRELATED} /data`, `${UNRELATED} /data`],
    ['pilotBoat', 'boats', 'sailboat', '204', '204'],
  ])('%s as %p of a %s: %s alone, %s within a resource', async (name, type, row, atEndpoint, inResource) => {
    const [leftType, leftId] = name === 'escort' ? ['boats', idOf('boat')] : ['harbours', idOf('harbour')]
    const left = `/${leftType}/${leftId}`
    const data = { type, id: idOf(row) }
    const relationships = { [name]: { data } }
    const expected = inResource.replace('/data', `/data/relationships/${name}/data`)
    const clear = () => api.patch(`${left}/relationships/${name}`).send({ data: null })
    const linked = async () => (await api.get(`${left}/relationships/${name}`)).body.data?.id ?? null

    await clear()
    expect(outcomeOf(await api.patch(`${left}/relationships/${name}`).send({ data }))).toBe(atEndpoint)
    expect(await linked()).toBe(atEndpoint === '204' ? data.id : null)
    await clear()
    expect(outcomeOf(await api.patch(left).send({ data: { type: leftType, id: leftId, relationships } }))).toBe(
      expected,
    )
    expect(await linked()).toBe(inResource === '204' ? data.id : null)
    await clear()
    const attributes = { name: 'New' }
    const create = () => api.post(`/${leftType}`).send({ data: { type: leftType, attributes, relationships } })
    if (inResource === '204') await create().expect(201)
    else expect(outcomeOf(await api.unchanged(create))).toBe(expected)
  }) // anchor: W/C-02, W/C-11, W/HR-01, W/HR-02, W/HR-04, W/HR-06, W/HR-07, W/HR-09, W/HR-11

  it.each(['01', '1abc', '1.0', '+1', ' 1', '-0', '1e0', '10000000000000000000000000000000', '', 'NaN'])(
    'returns 404 for an id that no row can have: %p',
    async (id) => {
      const left = `/boats/${idOf('boat')}`
      const escort = { data: { type: 'boats', id } }
      const alone = () => api.patch(`${left}/relationships/escort`).send(escort)
      expect(outcomeOf(await api.unchanged(alone))).toBe(`${UNRELATED} /data`)
      const boat = { type: 'boats', id: idOf('boat'), relationships: { escort } }
      const within = () => api.patch(left).send({ data: boat })
      expect(outcomeOf(await api.unchanged(within))).toBe(`${UNRELATED} /data/relationships/escort/data`)
    },
  ) // anchor: W/C-07
})

describe('the members of a to-many relationship', () => {
  const path = () => `/harbours/${idOf('harbour')}/relationships/vessels`
  const named = (...pairs: readonly (readonly [string, string])[]) => ({
    data: pairs.map(([type, row]) => ({ type, id: idOf(row) })),
  })

  beforeEach(() => api.patch(path()).send({ data: [] }))

  it.each(['POST', 'PATCH'])('are named by base and derived types in %s, and are kept once', async (method) => {
    const body = named(['vessels', 'sailboat'], ['boats', 'sailboat'], ['sailboats', 'sailboat'], ['ships', 'tug'])
    await api.request(method, path()).send(body).expect(204)
    expect(await keysAt(api, path())).toEqual([`sailboats ${idOf('sailboat')}`, `tugs ${idOf('tug')}`])
  }) // anchor: W/HR-03, W/HR-08, W/HR-10, W/HR-14, W/HR-15

  it.each(['POST', 'PATCH'])('are all listed in the errors of %s when they are missing', async (method) => {
    const body = named(['tugs', 'ferry'], ['boats', 'boat'], ['vessels', 'none'], ['vessels', '01'])
    const response = await api.unchanged(() => api.request(method, path()).send(body))
    expect(outcomeOf(response)).toBe([0, 2, 3].map((index) => `${UNRELATED} /data/${index}`).join(', '))
  }) // anchor: W/HR-05, W/HR-06, W/HR-12, W/HR-13, W/HR-16, W/HR-17, W/J-04, W/K-05

  it.each(['POST', 'PATCH'])('are all listed in the errors of %s of a resource', async (method) => {
    const id = method === 'PATCH' ? idOf('harbour') : undefined
    const vessels = named(['tugs', 'ferry'], ['boats', 'none'])
    const relationships = { vessels, pilotBoat: { data: { type: 'sailboats', id: idOf('boat') } } }
    const data = { type: 'harbours', id, relationships }
    const response = await api.unchanged(() =>
      api.request(method, ['/harbours', id].filter(Boolean).join('/')).send({ data }),
    )
    expect(outcomeOf(response).split(', ')).toEqual([
      `${UNRELATED} /data/relationships/vessels/data/0`,
      `${UNRELATED} /data/relationships/vessels/data/1`,
      `${UNRELATED} /data/relationships/pilotBoat/data`,
    ])
  }) // anchor: W/HR-05, W/HR-06, W/J-04

  it('are removed by base types, and DELETE ignores other rows, other branches and missing rows', async () => {
    await api.post(path()).send(named(['vessels', 'boat'], ['vessels', 'tug']))
    const body = named(['vessels', 'ferry'], ['ferries', 'tug'], ['boats', 'none'], ['boats', '01'], ['boats', ''])
    expect(outcomeOf(await api.unchanged(() => api.delete(path()).send(body)))).toBe('204')
    const all = named(['vessels', 'boat'], ['ships', 'tug'])
    await api.delete(path()).send(all).expect(204)
    expect(await keysAt(api, path())).toEqual([])
  }) // anchor: W/HR-18, W/HR-19, W/HR-20, W/HR-21, W/L-03

  it('must have a known and related type in DELETE', async () => {
    const body = named(['nothings', 'boat'], ['harbours', 'harbour'])
    const response = await api.unchanged(() => api.delete(path()).send(body))
    expect(outcomeOf(response)).toBe('422 document.type-unknown /data/0/type, 409 document.type-conflict /data/1/type')
  }) // anchor: W/C-02, W/C-03

  it.each([
    ['PATCH', 'sailboats', 'boat', 'escort', null],
    ['PATCH', 'ferries', 'tug', 'stops', []],
    ['POST', 'ferries', 'tug', 'stops', []],
    ['DELETE', 'ferries', 'tug', 'stops', []],
  ])('are not found by %s at /%s when the resource is a %s', async (method, type, row, name, data) => {
    const path = `/${type}/${idOf(row)}/relationships/${name}`
    expect(outcomeOf(await api.request(method, path).send({ data }))).toBe(MISSING)
  }) // anchor: W/HL-01, W/HL-02, W/HL-03

  it('of a derived type are written through the base endpoint', async () => {
    const stops = (row: string) => `/vessels/${idOf(row)}/relationships/stops`
    const body = named(['harbours', 'harbour'])
    for (const method of ['PATCH', 'POST']) {
      await api.request(method, stops('ferry')).send(body).expect(204)
      expect((await api.get(stops('ferry'))).body.data).toEqual(body.data)
      await api.delete(stops('ferry')).send(body).expect(204)
      expect((await api.get(stops('ferry'))).body.data).toEqual([])
    }
    expect(outcomeOf(await api.post(stops('tug')).send(body))).toBe('404 relationship.not-found')
  }) // anchor: W/HL-05
})
