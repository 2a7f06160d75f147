import { Attribute, createJsonApi, Resource, type ResourceClass } from 'stemma'
import { ChildEntity } from 'typeorm'
import { ref, type TestApi, using } from '../support/api'
import { openDatabase } from '../support/database'
import { resourceKeys } from '../support/expectations'
import { Bike, ChromeWheel, Tandem, VEHICLES } from '../support/vehicles'
import { Sled, startGarage } from './support/garage'

// Hierarchies: what collections, individual, related and relationship endpoints answer.

let api: TestApi
beforeAll(async () => {
  api = await startGarage()
})
afterAll(() => api.close())

const WHEELS = ['chromeWheels 1', 'carbonWheels 2', 'chromeWheels 3', 'carbonWheels 4']
const ALL = ['bikes 1', 'tandems 2', 'cars 3', 'trucks 4']

describe('collections', () => {
  it.each([
    ['R-01: an abstract type gives all that is stored below it, as what it is stored', '/vehicles', ALL],
    ['R-01: an abstract type in the middle gives its branch', '/motorVehicles', ALL.slice(2)],
    ['R-02: a concrete base gives its own rows and those below', '/bikes', ALL.slice(0, 2)],
    ['R-03: a leaf gives its own rows', '/tandems', ['tandems 2']],
    ['R-10: the order is that of the ids, whatever the type', '/wheels', WHEELS],
  ])('%s', async (_rule, path, expected) => {
    expect(resourceKeys(await api.get(path))).toEqual(expected)
  })

  it('R-10: the default size is that of the mixed page', async () => {
    await using(startGarage({ page: { size: 3 } }), async (paged) => {
      expect(resourceKeys(await paged.get('/vehicles'))).toEqual(ALL.slice(0, 3))
      expect(resourceKeys(await paged.get('/vehicles?page[number]=2'))).toEqual(ALL.slice(3))
    })
  })

  it.each([
    ['R-11: of the root all rows are counted', 'vehicles', 4],
    ['R-11: of a concrete base its own and those below', 'bikes', 2],
    ['R-11: of an abstract type in the middle those of its branch', 'motorVehicles', 2],
    ['R-11: of a leaf its own', 'tandems', 1],
  ])('%s', async (_rule, type, total) => {
    expect((await api.get(`/${type}?page[size]=1`)).body.meta).toEqual({ total })
  })
})

const VEHICLE = ['manufacturer', 'wheels']
const TANDEM = {
  ...{ weight: 20, requiresDriverLicense: false, gearCount: 3, passengerCount: 2 },
}

describe('one resource', () => {
  it.each([
    [
      'R-04: a bike has the fields of bikes and vehicles',
      ...['bikes/1', { weight: 10, requiresDriverLicense: false, gearCount: 7 }],
      ['cargoBox', 'lights', ...VEHICLE],
    ],
    [
      'R-04: a tandem has its own, those of bikes and of vehicles',
      ...['tandems/2', TANDEM],
      ['foldingDimensions', 'features', 'cargoBox', 'lights', ...VEHICLE],
    ],
    [
      'R-04: a car has nothing of trucks',
      ...['cars/3', { weight: 900, requiresDriverLicense: true, licensePlate: 'C', seatCount: 4, mileage: 30 }],
      ['features', 'engine', ...VEHICLE],
    ],
    [
      'R-04: a truck has nothing of cars',
      ...[
        'trucks/4',
        { weight: 4000, requiresDriverLicense: true, licensePlate: 'T', loadingCapacity: 9, mileage: 10 },
      ],
      ['sleepingArea', 'features', 'engine', ...VEHICLE],
    ],
    ['R-04: a wheel has the field of its own type', 'chromeWheels/3', { paintColor: 'gold', radius: 20 }, ['vehicle']],
    ['R-04: and not that of the other', 'carbonWheels/4', { hasTube: false, radius: 20 }, ['vehicle']],
  ] as const)('%s', async (_rule, path, attributes, relationships) => {
    const { data } = (await api.get(`/${path}`)).body
    expect(data.attributes).toEqual(attributes)
    expect(Object.keys(data.relationships)).toEqual(relationships)
  })

  it('R-05: is the same through its own type and through all above', async () => {
    const { data } = (await api.get('/tandems/2')).body
    expect(data).toMatchObject({ type: 'tandems', id: '2', attributes: TANDEM })
    for (const type of ['vehicles', 'bikes']) expect((await api.get(`/${type}/2`)).body.data).toEqual(data)
  })

  it.each([
    ['R-06: a base row at a type below it is not there', 'tandems', '1'],
    ['R-06: a sibling is not there', 'cars', '4'],
    ['R-06: a row of another branch is not there', 'motorVehicles', '1'],
  ])('%s', async (_rule, type, id) => {
    const { status, body } = await api.get(`/${type}/${id}`)
    expect({ status, errors: body.errors }).toMatchObject({
      status: 404,
      errors: [{ code: 'resource.not-found', detail: `There is no resource of type '${type}' with id '${id}'.` }],
    })
  })

  it('R-07: links by the stored type; the document by the URL that was asked', async () => {
    const { links, data } = (await api.get('/vehicles/2')).body
    expect(links.self).toBe('/vehicles/2')
    expect(data.links.self).toBe('/tandems/2')
    for (const name of Object.keys(data.relationships)) {
      const expected = { self: `/tandems/2/relationships/${name}`, related: `/tandems/2/${name}` }
      expect(data.relationships[name].links).toEqual(expected)
    }
  })

  it('R-09: has its own fields first, then those of its base, then those of the base of that', async () => {
    const { attributes } = (await api.get('/vehicles/2')).body.data
    expect(Object.keys(attributes)).toEqual(['passengerCount', 'gearCount', 'weight', 'requiresDriverLicense'])
  })

  it('R-12: has an id that no other of the hierarchy can have', async () => {
    await using(startGarage({ clientIds: 'allowed' }), async (allowing) => {
      const { status, body } = await allowing.post('/cars').send({ data: { type: 'cars', id: '1' } })
      expect([status, body.errors[0].code]).toEqual([409, 'resource.id-taken'])
      expect(resourceKeys(await allowing.get('/vehicles/1'))).toEqual(['bikes 1'])
    })
  })
})

describe('a type without endpoints', () => {
  let garage: TestApi
  beforeAll(async () => {
    garage = await startGarage({}, [Sled])
    await garage.add(ChromeWheel, { vehicle: ref(await garage.add(Sled, { cargoBox: ref('1') })) })
  })
  afterAll(() => garage.close())

  it('R-08: has no links, and only those relationships that have data', async () => {
    const { data } = (await garage.get('/vehicles/5')).body
    expect(data).toEqual({ type: 'sleds', id: '5', attributes: expect.anything() })
    const including = (await garage.get('/vehicles/5?include=cargoBox')).body.data
    expect(including.relationships).toEqual({ cargoBox: { data: { type: 'boxes', id: '1' } } })
  })

  it('R-24: has neither links nor relationships where it is related', async () => {
    const { data } = (await garage.get('/wheels/5/vehicle')).body
    expect(data).toEqual({ type: 'sleds', id: '5', attributes: expect.anything() })
  })
})

describe('at start-up', () => {
  const mistakesOf = async (entities: readonly ResourceClass[], resources: readonly ResourceClass[]) => {
    const { dataSource, close } = await openDatabase(entities)
    try {
      createJsonApi({ dataSource, resources })
      return 'none'
    } catch (error) {
      return String(error)
    } finally {
      await close()
    }
  }

  it('R-13: a mapped type that is not registered is a mistake before any row is read', async () => {
    const others = VEHICLES.filter((each) => each !== Tandem)
    expect(await mistakesOf(VEHICLES, others)).toMatch(/Tandem.*not registered/)
  })

  it('R-14: a derived type that names an inherited field anew is a mistake', async () => {
    @Resource('trikes')
    @ChildEntity()
    class Trike extends Bike {
      @Attribute({ name: 'gears' }) override gearCount: number
    }
    const all = [...VEHICLES, Trike]
    expect(await mistakesOf(all, all)).toMatch(/Trike\.gearCount.*can't be hidden or renamed/)
  })
})

describe('related resources', () => {
  it.each([
    ['R-20: of the root, through the root', '/vehicles/1/manufacturer', ['manufacturers 1']],
    ['R-20: of the root, through a type in the middle', '/motorVehicles/4/manufacturer', ['manufacturers 2']],
    ['R-20: of a type in the middle, through it', '/motorVehicles/3/engine', ['gasolineEngines 1']],
    ['R-20: of a concrete base, for a row below it', '/bikes/2/lights', ['bicycleLights 1', 'bicycleLights 2']],
    ['R-21: overruled: a to-one relationship of the stored type', '/vehicles/2/foldingDimensions', ['boxes 2']],
    ['R-21: overruled: through a concrete base too', '/bikes/2/foldingDimensions', ['boxes 2']],
    ['R-21: overruled: a to-many one', '/vehicles/3/features', ['features 2', 'features 3']],
    ['R-21: overruled: its linkage', '/motorVehicles/4/relationships/features', ['features 2']],
    ['R-21: overruled: the linkage of a to-one one', '/vehicles/1/relationships/cargoBox', ['boxes 1']],
    ['R-22: members of an abstract type are what they are stored', '/vehicles/3/wheels', WHEELS.slice(2)],
    ['R-22: their identifiers too', '/cars/3/relationships/wheels', WHEELS.slice(2)],
    ['R-22: members of mixed types', '/manufacturers/1/vehicles', ALL.slice(0, 2)],
    [
      'R-25: filters are read against what is related',
      "/vehicles/3/wheels?filter=isType(,chromeWheels,equals(paintColor,'gold'))",
      ['chromeWheels 3'],
    ],
    ['R-25: sort keys too', '/manufacturers/2/vehicles?sort=loadingCapacity', ['trucks 4', 'cars 3']],
    [
      'R-26: beaten: a filter holds for a row below the type of the URL',
      "/vehicles/2/lights?filter=equals(color,'red')",
      ['bicycleLights 2'],
    ],
    ['R-26: beaten: a sort', '/bikes/2/lights?sort=color', ['bicycleLights 2', 'bicycleLights 1']],
    ['R-26: beaten: a page', '/vehicles/3/wheels?page[size]=1&page[number]=2', ['carbonWheels 4']],
    [
      'R-26: beaten: all of them on linkage',
      '/vehicles/3/relationships/wheels?sort=-id&page[size]=1',
      ['carbonWheels 4'],
    ],
  ])('%s: %s', async (_rule, path, expected) => {
    expect(resourceKeys(await api.get(path))).toEqual(expected)
  })

  it('R-20: have all fields and links of their stored type', async () => {
    const { data } = (await api.get('/vehicles/3/engine')).body
    expect(data).toEqual((await api.get('/gasolineEngines/1')).body.data)
  })

  it.each(['/vehicles/1/features', '/vehicles/1/relationships/engine', '/bikes/1/foldingDimensions'])(
    'R-21: what the stored type does not have is not there: %s',
    async (path) => {
      const { status, body } = await api.get(path)
      expect([status, body.errors[0].code]).toEqual([404, 'relationship.not-found'])
      expect(body.errors[0].source).toBeUndefined()
    },
  )

  it('R-23: overruled: of linkage they are linked by the stored type', async () => {
    const { links } = (await api.get('/motorVehicles/3/relationships/engine')).body
    expect(links).toEqual({ self: '/motorVehicles/3/relationships/engine', related: '/cars/3/engine' })
  })

  it('R-25: include and fieldsets are read against what is related', async () => {
    const { body } = await api.get('/wheels/3/vehicle?include=engine&fields[cars]=seatCount,engine')
    expect(body.data.attributes).toEqual({ seatCount: 4 })
    expect(body.included).toMatchObject([{ type: 'gasolineEngines', id: '1' }])
  })
})
