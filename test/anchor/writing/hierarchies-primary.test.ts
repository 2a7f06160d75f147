import { ResourceDefinition } from 'stemma'
import type { TestApi } from '../../support/api'
import { keysOf, outcomeOf } from '../../support/expectations'
import { Tandem } from '../../support/vehicles'
import { startGarage } from '../support/garage'

// Hierarchies: the type of the URL, the type in the body, and the type that is stored. Bikes 1, tandems 2, cars 3, trucks 4.

class TandemRules extends ResourceDefinition<Tandem> {
  override readonly resource = Tandem
  override beforeWrite() {
    return { passengerCount: 9 }
  }
}

let api: TestApi
beforeAll(async () => {
  const garage = await startGarage()
  api = garage
})
afterAll(() => api.close())

let count = 100

const ABSTRACT = '422 document.type-abstract /data/type'
const CONFLICT = '409 document.type-conflict /data/type'
const MISSING = '404 resource.not-found'

const create = (endpoint: string, type: string) =>
  api.post(`/${endpoint}`).send({ data: { type, attributes: { weight: 1 } } })
const update = (path: string, type: string, attributes: object) => {
  const id = path.split('/')[1]
  return api.patch(`/${path}`).send({ data: { type, id, attributes } })
}

describe('a new resource', () => {
  it.each([
    ['HP-01: of an abstract type is refused', 'vehicles', 'vehicles', ABSTRACT],
    ['HP-05: of a base of that of the URL', 'tandems', 'bikes', CONFLICT],
    ['HP-06: of a sibling', 'bikes', 'cars', CONFLICT],
    ['HP-01: abstract is outcomeOf of first', 'bikes', 'motorVehicles', ABSTRACT],
  ])('%s: POST /%s of %s', async (_rule, endpoint, type, expected) => {
    expect(outcomeOf(await api.unchanged(() => create(endpoint, type)))).toBe(expected)
  })

  it.each([
    ['HP-02: of a concrete base, at an abstract type', 'vehicles', 'bikes'],
    ['HP-03: of a leaf, at an abstract type', 'vehicles', 'cars'],
    ['HP-04: of a derived type, at a concrete base', 'bikes', 'tandems'],
  ])('%s: is what it says, and Location (overruled) is its own', async (_rule, endpoint, type) => {
    const { status, headers, body } = await create(endpoint, type)
    const self = `/${type}/${body.data.id}`
    expect([status, body.data.type, headers.location, body.data.links.self]).toEqual([...[201, type, self, self]])
    expect((await api.get(self)).body.data).toEqual(body.data)
  })

  const INCLUDE = 'manufacturer,wheels,engine,features,sleepingArea,cargoBox,lights,foldingDimensions'
  it.each([
    ['HP-02: shows what bikes have', 'vehicles', 'bikes', ['cargoBox', 'lights', 'manufacturer', 'wheels']],
    ['HP-03: shows what cars have', 'vehicles', 'cars', ['engine', 'features', 'manufacturer', 'wheels']],
    [
      'HP-04: shows what tandems have',
      ...(['vehicles', 'tandems'] as const),
      ['cargoBox', 'features', 'foldingDimensions', 'lights', 'manufacturer', 'wheels'],
    ],
  ])('%s of all that derived types can include', async (_rule, endpoint, type, names) => {
    const { relationships } = (await create(`${endpoint}?include=${INCLUDE}`, type)).body.data
    expect(Object.keys(relationships).toSorted()).toEqual(names)
    for (const { data } of Object.values(relationships) as { data: unknown }[]) expect(keysOf(data)).toEqual([])
  })
})

describe('an update', () => {
  it.each([
    ['HP-07: as an abstract type', 'vehicles/1', 'vehicles', ABSTRACT],
    ['HP-07: whatever is there', 'vehicles/99', 'vehicles', ABSTRACT],
    ['HP-11: as a base of the type of the URL', 'tandems/2', 'bikes', CONFLICT],
    ['HP-13: beaten: as a derived type that it is not', 'vehicles/1', 'tandems', CONFLICT],
    ['HP-14: beaten: as a sibling', 'vehicles/1', 'cars', CONFLICT],
    ['HP-15: of a base row at a type below it', 'tandems/1', 'tandems', MISSING],
    ['HP-15: of a sibling', 'cars/4', 'cars', MISSING],
  ])('%s is refused', async (_rule, path, type, expected) => {
    expect(outcomeOf(await api.unchanged(() => update(path, type, { weight: 77 })))).toBe(expected)
  })

  it.each([
    ['HP-08: as what it is, at an abstract type', 'vehicles/1', 'bikes', 'bikes'],
    ['HP-09: as a concrete base of what it is', 'vehicles/2', 'bikes', 'tandems'],
    ['HP-12: as a concrete base, at it', 'bikes/2', 'bikes', 'tandems'],
    ['HP-12: as what it is, at a concrete base', 'bikes/2', 'tandems', 'tandems'],
  ])('%s: is written, and stays what it is', async (_rule, path, type, stored) => {
    const weight = ++count
    expect(outcomeOf(await update(path, type, { weight }))).toBe('204')
    expect((await api.get(`/${path}`)).body.data).toMatchObject({ type: stored, attributes: { weight } })
  })

  it('HP-09: writes relationships of the base too', async () => {
    const relationships = { lights: { data: [] }, manufacturer: { data: { type: 'manufacturers', id: '2' } } }
    expect(outcomeOf(await api.patch('/vehicles/2').send({ data: { type: 'bikes', id: '2', relationships } }))).toBe(
      '204',
    )
    const { data } = (await api.get('/tandems/2?include=lights,manufacturer')).body
    expect(data.relationships).toMatchObject(relationships)
  })

  it('HP-10: answers with what is stored, when more of it has changed', async () => {
    const garage = await startGarage({ definitions: [new TandemRules()] })
    const data = { type: 'bikes', id: '2', attributes: { weight: 1 } }
    const { status, body } = await garage.patch('/vehicles/2').send({ data })
    expect([status, body.data.type, body.data.attributes]).toMatchObject([
      ...[200, 'tandems', { weight: 1, passengerCount: 9 }],
    ])
    await garage.close()
  })

  it('HP-18: has the fields of the type that is named', async () => {
    const sending = () => update('vehicles/2', 'bikes', { passengerCount: 1 })
    expect(outcomeOf(await api.unchanged(sending))).toBe('422 attribute.unknown /data/attributes/passengerCount')
  })
})

describe('a deletion', () => {
  it('HP-16: at an abstract type takes what is below it', async () => {
    const id = await api.add(Tandem)
    expect(outcomeOf(await api.delete(`/vehicles/${id}`))).toBe('204')
    await api.get(`/tandems/${id}`).expect(404)
  })

  it('HP-17: at a type below it is 404, and names the type of the URL', async () => {
    const answer = await api.unchanged(() => api.delete('/tandems/1'))
    expect(outcomeOf(answer)).toBe(MISSING)
    expect(answer.body.errors[0].detail).toBe("There is no resource of type 'tandems' with id '1'.")
  })
})
