import { and, anyOf, equals, has, isType, not, or, ResourceDefinition } from 'stemma'
import { ref, refs, type TestApi } from '../../support/api'
import { includedKeys, keysOf, linkageKeys, resourceKeys } from '../../support/expectations'
import {
  Bike,
  Car,
  ChromeWheel,
  Feature,
  GasolineEngine,
  Manufacturer,
  startVehicles,
  Tandem,
  Truck,
  Wheel,
} from '../../support/vehicles'

// A reading rule holds for rows that are stored as exactly its type, by whatever way they are reached.

let tenant = 1

/** Of a type that others derive from: tandems have a definition of their own, which delegates. */
class BikeDefinition extends ResourceDefinition {
  readonly resource: typeof Bike = Bike
  override filter() {
    return not(equals('weight', 666))
  }
}

class TandemDefinition extends BikeDefinition {
  override readonly resource = Tandem
  override filter() {
    return and(super.filter(), has('features'))
  }
}

class CarDefinition extends ResourceDefinition {
  readonly resource = Car
  override filter() {
    return anyOf('licensePlate', [`T${tenant}`, 'ALL'])
  }
}

/** Looks at other rows, which the rules of those do not narrow. */
class EngineDefinition extends ResourceDefinition {
  readonly resource = GasolineEngine
  override filter() {
    return or(equals('vehicle', null), isType('vehicle', 'cars', not(equals('weight', 13))))
  }
}

class FeatureDefinition extends ResourceDefinition {
  readonly resource = Feature
  override filter() {
    return not(equals('description', "it's secret"))
  }
}

let api: TestApi
const id: Record<string, string> = {}
const key = (type: string, name: string) => `${type} ${id[name]}`

beforeAll(async () => {
  const definitions = [
    new BikeDefinition(),
    new TandemDefinition(),
    new CarDefinition(),
    new EngineDefinition(),
    new FeatureDefinition(),
  ]
  api = await startVehicles({ definitions })
  id.maker = await api.add(Manufacturer, { name: 'A' })
  id.other = await api.add(Manufacturer, { name: 'B' })
  const manufacturer = ref(id.maker)
  id.radio = await api.add(Feature, { description: 'radio' })
  id.secret = await api.add(Feature, { description: "it's secret" })
  id.engine = await api.add(GasolineEngine, { capacity: 5 })
  id.badEngine = await api.add(GasolineEngine, { capacity: 9 })
  id.bike = await api.add(Bike, { weight: 1, manufacturer })
  id.hiddenBike = await api.add(Bike, { weight: 666, manufacturer })
  id.tandem = await api.add(Tandem, { weight: 1, tandemFeatures: refs(id.radio), manufacturer })
  id.hiddenTandem = await api.add(Tandem, { weight: 666, tandemFeatures: refs(id.radio), manufacturer })
  id.emptyTandem = await api.add(Tandem, { weight: 1, manufacturer })
  id.car = await api.add(Car, {
    licensePlate: 'T1',
    weight: 2,
    manufacturer,
    engine: ref(id.engine),
    carFeatures: refs(id.radio, id.secret),
  })
  id.hiddenCar = await api.add(Car, {
    licensePlate: 'T2',
    weight: 3,
    manufacturer: ref(id.other),
    carFeatures: refs(id.radio),
  })
  id.badCar = await api.add(Car, { licensePlate: 'ALL', weight: 13, manufacturer, engine: ref(id.badEngine) })
  id.truck = await api.add(Truck, { weight: 666, licensePlate: 'T2', manufacturer })
  id.wheel = await api.add(ChromeWheel, { radius: 1, vehicle: ref(id.car) })
  id.hiddensWheel = await api.add(ChromeWheel, { radius: 2, vehicle: ref(id.hiddenCar) })
  id.looseWheel = await api.add(ChromeWheel, { radius: 3 })
})
beforeEach(() => {
  tenant = 1
})
afterAll(() => api.close())

const BIKES = () => [key('bikes', 'bike'), key('tandems', 'tandem')]
const CARS = () => [key('cars', 'car'), key('cars', 'badCar')]
const ALL = () => [...BIKES(), ...CARS(), key('trucks', 'truck')]

it.each([
  ['its own collection', '/cars', CARS],
  ['the collection of a base', '/motorVehicles', () => [...CARS(), key('trucks', 'truck')]],
  ['the collection of the root', '/vehicles', ALL],
  ['the collection of a concrete base', '/bikes', BIKES],
  ['the collection of what derives from it', '/tandems', () => [key('tandems', 'tandem')]],
  ['related resources', () => `/manufacturers/${id.maker}/vehicles`, ALL],
  ['related resources that are all hidden', () => `/manufacturers/${id.other}/vehicles`, () => []],
  ['members', () => `/manufacturers/${id.maker}/relationships/vehicles`, ALL],
  ['many to many', () => `/features/${id.radio}/cars`, () => [key('cars', 'car')]],
  ['many to many, the other way', () => `/cars/${id.car}/features`, () => [key('features', 'radio')]],
  ['many to many through a base', () => `/vehicles/${id.car}/relationships/features`, () => [key('features', 'radio')]],
  ['a filter that would find it', "/vehicles?filter=isType(,cars,equals(licensePlate,'T2'))", () => []],
])('holds for %s, and for its total', async (_what, path, expected) => {
  const answer = await api.get(typeof path === 'string' ? path : path())
  expect(resourceKeys(answer)).toEqual(expected())
  expect(answer.body.meta.total).toBe(expected().length)
})

it.each([
  ['hiddenCar', ['cars', 'motorVehicles', 'vehicles']],
  ['hiddenBike', ['bikes', 'vehicles']],
  ['hiddenTandem', ['tandems', 'bikes', 'vehicles']],
  ['emptyTandem', ['tandems', 'bikes', 'vehicles']],
])('%s is not there for any endpoint of %j', async (name, types) => {
  for (const type of types) {
    for (const rest of ['', '/manufacturer', '/wheels', '/relationships/wheels', '/relationships/manufacturer']) {
      await api.get(`/${type}/${id[name]}${rest}`).expect(404)
    }
  }
})

it('holds for to-one relationships: what is hidden is not there', async () => {
  for (const path of ['vehicle', 'relationships/vehicle']) {
    expect((await api.get(`/wheels/${id.hiddensWheel}/${path}`)).body.data).toBeNull()
    expect((await api.get(`/wheels/${id.wheel}/${path}`)).body.data).toMatchObject({ type: 'cars', id: id.car })
  }
  expect((await api.get(`/cars/${id.badCar}/engine`)).body.data).toBeNull()
  expect((await api.get(`/cars/${id.car}/engine`)).body.data).toMatchObject({ id: id.engine })
})

it('holds for includes and their linkage', async () => {
  const wheels = await api.get('/wheels?include=vehicle.features')
  expect(linkageKeys(wheels.body.data, 'vehicle')).toEqual([[key('cars', 'car')], null, null])
  expect(includedKeys(wheels)).toEqual([key('cars', 'car'), key('features', 'radio')])
  const makers = await api.get('/manufacturers?include=vehicles')
  expect(linkageKeys(makers.body.data, 'vehicles')).toEqual([ALL(), []])
  const members = await api.get(`/manufacturers/${id.maker}/relationships/vehicles?include=vehicles.engine`)
  expect(keysOf(members.body.included)).toEqual([...ALL(), key('gasolineEngines', 'engine')])
})

it('holds before a page is cut', async () => {
  const { body } = await api.get('/manufacturers?include=vehicles&page[size]=vehicles:2&page[number]=vehicles:2')
  expect(linkageKeys(body.data, 'vehicles')[0]).toEqual(CARS())
  expect(resourceKeys(await api.get('/vehicles?page[size]=2&page[number]=3'))).toEqual([key('trucks', 'truck')])
})

describe('in filters', () => {
  it.each([
    ['has', 'manufacturers', 'has(vehicles)', ['maker']],
    ['has with a filter', 'manufacturers', "has(vehicles,isType(,cars,equals(weight,'3')))", []],
    ['has with a filter that looks at the hidden', 'manufacturers', "has(vehicles,equals(weight,'666'))", ['maker']],
    ['count', 'manufacturers', "equals(count(vehicles),'5')", ['maker']],
    ['count of none', 'manufacturers', "equals(count(vehicles),'0')", ['other']],
    ['count on both sides', 'manufacturers', 'equals(count(vehicles),count(vehicles))', ['maker', 'other']],
    ['isType', 'wheels', 'isType(vehicle,cars)', ['wheel']],
    ['not isType', 'wheels', 'not(isType(vehicle,cars))', ['hiddensWheel', 'looseWheel']],
    ['isType with a filter', 'wheels', "isType(vehicle,cars,equals(licensePlate,'T2'))", []],
    ['a path', 'wheels', "greaterThan(vehicle.weight,'0')", ['wheel']],
    ['a path compared with null', 'wheels', 'equals(vehicle.weight,null)', ['hiddensWheel', 'looseWheel']],
    ['a relationship compared with null', 'wheels', 'equals(vehicle,null)', ['hiddensWheel', 'looseWheel']],
    ['any along a path', 'wheels', "any(vehicle.weight,'2','3')", ['wheel']],
    ['a text function along a path', 'wheels', "startsWith(vehicle.manufacturer.name,'')", ['wheel']],
    ['has along a path', 'wheels', 'has(vehicle.wheels)', ['wheel']],
    ['two paths', 'wheels', 'equals(vehicle.weight,vehicle.weight)', ['wheel']],
    ['a filter as a value', 'wheels', "equals(has(vehicle.wheels),'true')", ['wheel']],
  ])('%s sees only what can be seen', async (_what, type, filter, expected) => {
    const answer = await api.get(`/${type}?filter=${filter}`)
    expect(resourceKeys(answer).map((each) => each.split(' ')[1])).toEqual(expected.map((name) => id[name]))
    expect(answer.body.meta.total).toBe(expected.length)
  })

  it('of included resources can not get around it', async () => {
    const { body } = await api.get('/manufacturers?include=vehicles&filter[vehicles]=isType(,cars)')
    expect(linkageKeys(body.data, 'vehicles')).toEqual([CARS(), []])
  })

  it('of several, joined with or, can not get around it', async () => {
    expect(resourceKeys(await api.get("/cars?filter=equals(licensePlate,'T2')&filter=equals(weight,'3')"))).toEqual([])
  })
})

describe('in sorts', () => {
  it.each([
    ['vehicle.weight', ['wheel', 'hiddensWheel', 'looseWheel']],
    ['-vehicle.weight', ['wheel', 'hiddensWheel', 'looseWheel']],
    ['-vehicle.cars:licensePlate,-id', ['wheel', 'looseWheel', 'hiddensWheel']],
    ['-count(vehicle.wheels),-id', ['wheel', 'looseWheel', 'hiddensWheel']],
  ])('by %s what is hidden counts as missing', async (sort, expected) => {
    // A car of weight 3 would come before one of weight 2.
    const found = resourceKeys(await api.get(`/wheels?sort=${sort}`)).map((each) => each.split(' ')[1])
    expect(found).toEqual(expected.map((name) => id[name]))
  })

  it('members are counted without what is hidden', async () => {
    expect(resourceKeys(await api.get('/manufacturers?sort=count(vehicles)'))).toEqual([
      key('manufacturers', 'other'),
      key('manufacturers', 'maker'),
    ])
  })
})

it('is asked anew for every request', async () => {
  tenant = 2
  expect(resourceKeys(await api.get('/cars'))).toEqual([key('cars', 'hiddenCar'), key('cars', 'badCar')])
  await api.get(`/vehicles/${id.car}`).expect(404)
})

it('does not hold for siblings or for types above, which have other rules', async () => {
  // A truck of weight 666 with the plate of another tenant.
  await api.get(`/vehicles/${id.truck}`).expect(200)
})

it('takes the same number of statements as without', async () => {
  const free = await startVehicles()
  try {
    const path = '/manufacturers?include=vehicles.wheels'
    await free.add(Manufacturer, { name: 'A' })
    await free.add(Bike, { manufacturer: ref('1') })
    const statements = await Promise.all([free, api].map((each) => each.statementsOf(() => each.get(path))))
    expect(statements[1]).toHaveLength(statements[0]?.length ?? 0)
  } finally {
    await free.close()
  }
})

it('has a base whose rule is not lost when a derived type has no definition', async () => {
  class WheelDefinition extends ResourceDefinition {
    readonly resource: typeof Wheel = Wheel
    override filter() {
      return equals('radius', 1)
    }
  }
  const served = await startVehicles({ definitions: [new WheelDefinition()] })
  try {
    for (const radius of [1, 2]) await served.add(ChromeWheel, { radius })
    expect(resourceKeys(await served.get('/wheels'))).toEqual(['chromeWheels 1'])
    expect(resourceKeys(await served.get('/chromeWheels'))).toEqual(['chromeWheels 1'])
  } finally {
    await served.close()
  }
})
