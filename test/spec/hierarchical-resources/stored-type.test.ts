import { ref, refs, type TestApi } from '../../support/api'
import { includedKeys, resourceKeys } from '../../support/expectations'
import {
  BicycleLight,
  Bike,
  Box,
  Car,
  CarbonWheel,
  ChromeWheel,
  DieselEngine,
  Feature,
  startVehicles,
  Tandem,
  Truck,
} from '../../support/vehicles'

// Handling of the stored type, where a hierarchy has a concrete base, an abstract type in the middle, and polymorphic targets.

let api: TestApi
const id: Record<string, string> = {}

beforeAll(async () => {
  api = await startVehicles()
  id.box = await api.add(Box, { volume: 5 })
  id.radio = await api.add(Feature, { description: 'radio' })
  id.bell = await api.add(Feature, { description: 'bell' })
  id.engine = await api.add(DieselEngine, { viscosity: 9 })
  id.bike = await api.add(Bike, { gearCount: 7, cargoBox: ref(id.box) })
  id.tandem = await api.add(Tandem, { gearCount: 3, tandemFeatures: refs(id.bell), foldingDimensions: ref(id.box) })
  id.car = await api.add(Car, { seatCount: 4, engine: ref(id.engine), carFeatures: refs(id.radio, id.bell) })
  id.truck = await api.add(Truck, { loadingCapacity: 9, truckFeatures: refs(id.radio) })
  for (let each = 0; each < 3; each += 1) await api.add(BicycleLight, { color: `c${each}`, bike: ref(id.tandem) })
  await api.add(ChromeWheel, { paintColor: 'silver', vehicle: ref(id.car) })
  await api.add(CarbonWheel, { hasTube: true, vehicle: ref(id.car) })
})
afterAll(() => api.close())

const key = (type: string, name: string) => `${type} ${id[name]}`

it.each([
  ['vehicles', () => [key('bikes', 'bike'), key('tandems', 'tandem'), key('cars', 'car'), key('trucks', 'truck')]],
  ['bikes', () => [key('bikes', 'bike'), key('tandems', 'tandem')]],
  ['tandems', () => [key('tandems', 'tandem')]],
  ['motorVehicles', () => [key('cars', 'car'), key('trucks', 'truck')]],
  ['cars', () => [key('cars', 'car')]],
])('/%s has the rows of its branch, each as its stored type, and counts them', async (type, expected) => {
  const answer = await api.get(`/${type}`)
  expect(resourceKeys(answer)).toEqual(expected())
  expect(answer.body.meta.total).toBe(expected().length)
})

it('gives the same resource object through every type that the row is', async () => {
  const objects = await Promise.all(
    ['vehicles', 'bikes', 'tandems'].map(async (type) => (await api.get(`/${type}/${id.tandem}`)).body.data),
  )
  expect(objects[0]).toMatchObject({ type: 'tandems', links: { self: `/tandems/${id.tandem}` } })
  expect(objects[1]).toEqual(objects[0])
  expect(objects[2]).toEqual(objects[0])
})

it.each([
  ['a base at a type below it', 'tandems', 'bike'],
  ['a sibling', 'cars', 'truck'],
  ['another branch', 'motorVehicles', 'bike'],
])('does not find %s', async (_what, type, name) => {
  for (const rest of ['', '/wheels', '/relationships/wheels']) {
    const { status, body } = await api.get(`/${type}/${id[name]}${rest}`)
    expect([status, body.errors[0].code]).toEqual([404, 'resource.not-found'])
  }
})

describe('a relationship of a derived type, at the endpoint of a base', () => {
  it.each([
    ['vehicles', 'tandem', 'cargoBox', 'boxes box'],
    ['vehicles', 'tandem', 'foldingDimensions', 'boxes box'],
    ['bikes', 'tandem', 'foldingDimensions', 'boxes box'],
    ['vehicles', 'bike', 'cargoBox', 'boxes box'],
    ['vehicles', 'car', 'engine', 'dieselEngines engine'],
    ['motorVehicles', 'car', 'engine', 'dieselEngines engine'],
    ['vehicles', 'car', 'features', 'features radio', 'features bell'],
    ['motorVehicles', 'truck', 'features', 'features radio'],
    ['vehicles', 'tandem', 'features', 'features bell'],
  ])('/%s/<%s>/%s is that of the stored type', async (type, name, relationship, ...rights) => {
    // The tandem carries no cargo.
    const expected = name === 'tandem' && relationship === 'cargoBox' ? [] : rights.map(keyOfRight)
    const own = { tandem: 'tandems', bike: 'bikes', car: 'cars', truck: 'trucks' }[name]
    expect(resourceKeys(await api.get(`/${type}/${id[name]}/${relationship}`))).toEqual(expected)
    const answer = await api.get(`/${type}/${id[name]}/relationships/${relationship}`)
    expect(resourceKeys(answer)).toEqual(expected)
    expect(answer.body.links.related).toBe(`/${own}/${id[name]}/${relationship}`)
  })

  function keyOfRight(right: string): string {
    const [type = '', name = ''] = right.split(' ')
    return key(type, name)
  }

  it.each([
    ['bike', 'features'],
    ['bike', 'foldingDimensions'],
    ['truck', 'cargoBox'],
    ['car', 'lights'],
  ])('is not found on a %s that lacks %s', async (name, relationship) => {
    for (const between of ['', 'relationships/']) {
      const { status, body } = await api.get(`/vehicles/${id[name]}/${between}${relationship}`)
      expect([status, body.errors[0].code]).toEqual([404, 'relationship.not-found'])
    }
  })

  it('is filtered, sorted and paged like any other', async () => {
    const answer = await api.get(
      `/vehicles/${id.tandem}/lights?filter=not(equals(color,'c1'))&sort=-color&page[size]=1`,
    )
    expect(answer.body.data).toMatchObject([{ attributes: { color: 'c2' } }])
    expect(answer.body.meta).toEqual({ total: 2 })
  })

  it('takes parameters that fit the stored type, though they would not fit the other candidates', async () => {
    await api.get(`/vehicles/${id.car}/features?sort=description&include=cars`).expect(200)
  })
})

it('gives polymorphic members as what they are stored', async () => {
  const answer = await api.get(`/vehicles/${id.car}/wheels`)
  expect(answer.body.data).toMatchObject([
    { type: 'chromeWheels', attributes: { paintColor: 'silver', radius: 20 } },
    { type: 'carbonWheels', attributes: { hasTube: true, radius: 20 } },
  ])
})

it('gives a polymorphic to-one relationship as what is stored', async () => {
  const answer = await api.get('/chromeWheels?include=vehicle.engine')
  expect(answer.body.data[0].relationships.vehicle.data).toEqual({ type: 'cars', id: id.car })
  expect(includedKeys(answer)).toEqual([key('cars', 'car'), key('dieselEngines', 'engine')])
})
