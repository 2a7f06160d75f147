import { ref, setUp, useApi } from '../../support/api'
import { expectError, includedKeys, linkageKeys, resourceKeys } from '../../support/expectations'
import { Sled, startFilledVehicles } from '../../support/filled-vehicles'
import { ChromeWheel } from '../../support/vehicles'

// Handling of the stored type, where a hierarchy has a concrete base, an abstract type in the middle, and polymorphic targets.

const api = setUp(startFilledVehicles)
const ALL = ['bikes 1', 'tandems 2', 'cars 3', 'trucks 4']
const WHEELS = ['chromeWheels 1', 'carbonWheels 2', 'chromeWheels 3', 'carbonWheels 4']

describe('a collection', () => {
  it.each([
    ['of an abstract root', '/vehicles', ALL, 'R/R-01'],
    ['of an abstract type in the middle', '/motorVehicles', ALL.slice(2), 'R/R-01'],
    ['of a concrete base', '/bikes', ALL.slice(0, 2), 'R/R-02'],
    ['of a leaf', '/tandems', ['tandems 2'], 'R/R-03'],
    ['of an abstract root with two leaves', '/wheels', WHEELS, 'R/R-10'],
  ])('%s has the rows of its branch by id, with stored types and total: %s', async (_of, path, expected) => {
    const answer = await api.get(path)
    expect(resourceKeys(answer)).toEqual(expected)
    expect(answer.body.meta.total).toBe(expected.length) // anchor: R/R-11
    expect((await api.get(`${path}?page[size]=1`)).body.meta.total).toBe(expected.length)
  })

  it('has pages across its types', async () => {
    expect(resourceKeys(await api.get('/vehicles?page[size]=3'))).toEqual(ALL.slice(0, 3)) // anchor: R/R-10
    expect(resourceKeys(await api.get('/vehicles?page[size]=3&page[number]=2'))).toEqual(ALL.slice(3))
  })
})

const VEHICLE = ['manufacturer', 'wheels']
const TANDEM = { weight: 20, requiresDriverLicense: false, gearCount: 3, passengerCount: 2 }
const CAR = { weight: 900, requiresDriverLicense: true, licensePlate: 'C', seatCount: 4, mileage: 30 }
const TRUCK = { weight: 4000, requiresDriverLicense: true, licensePlate: 'T', loadingCapacity: 9, mileage: 10 }

describe('one resource', () => {
  it.each([
    ['bikes/1', { weight: 10, requiresDriverLicense: false, gearCount: 7 }, [...VEHICLE, 'cargoBox', 'lights']],
    ['tandems/2', TANDEM, [...VEHICLE, 'cargoBox', 'lights', 'foldingDimensions', 'features']],
    ['cars/3', CAR, [...VEHICLE, 'engine', 'features']],
    ['trucks/4', TRUCK, [...VEHICLE, 'engine', 'sleepingArea', 'features']],
    ['chromeWheels/3', { radius: 20, paintColor: 'gold' }, ['vehicle']],
    ['carbonWheels/4', { radius: 20, hasTube: false }, ['vehicle']],
  ] as const)('has own and inherited fields, and none of its siblings: %s', async (path, attributes, relationships) => {
    const { data } = (await api.get(`/${path}`)).body // anchor: R/R-04, R/R-09, R/J-05
    // The attributes of each base first, then its own.
    expect(Object.entries(data.attributes)).toEqual(Object.entries(attributes))
    expect(Object.keys(data.relationships)).toEqual(relationships)
  })

  it('is the same resource object through its own type and its bases, linked by its stored type', async () => {
    const { data } = (await api.get('/tandems/2')).body // anchor: R/R-05, R/J-01
    expect(Object.keys(data)).toEqual(['type', 'id', 'attributes', 'relationships', 'links'])
    expect(data).toMatchObject({ type: 'tandems', id: '2', attributes: TANDEM, links: { self: '/tandems/2' } })
    for (const type of ['vehicles', 'bikes']) {
      const { body } = await api.get(`/${type}/2`) // anchor: R/R-07
      expect([body.data, body.links.self]).toEqual([data, `/${type}/2`])
    }
    for (const name of Object.keys(data.relationships)) {
      const links = { self: `/tandems/2/relationships/${name}`, related: `/tandems/2/${name}` }
      expect(data.relationships[name].links).toEqual(links)
    }
  })

  it.each([
    ['a base at a type below it', 'tandems', '1'],
    ['a sibling', 'cars', '4'],
    ['another branch', 'motorVehicles', '1'],
  ])('is not found when it is stored as %s', async (_what, type, id) => {
    const detail = `There is no resource of type '${type}' with id '${id}'.`
    for (const rest of ['', '/wheels', '/relationships/wheels']) {
      const answer = await api.get(`/${type}/${id}${rest}`) // anchor: R/R-06
      expectError(answer, 404, undefined, 'resource.not-found')
      expect(answer.body.errors[0].detail).toBe(detail)
    }
  })

  it('has an id that is unique in the hierarchy', async () => {
    await useApi(startFilledVehicles({ clientGeneratedIds: 'allowed' }), async (allowing) => {
      const answer = await allowing.post('/cars').send({ data: { type: 'cars', id: '1' } }) // anchor: R/R-12
      expectError(answer, 409, '/data/id', 'resource.id-exists')
      expect(resourceKeys(await allowing.get('/vehicles/1'))).toEqual(['bikes 1'])
    })
  })

  it('has no links, and no relationships without data, when its type has no endpoints', async () => {
    await useApi(startFilledVehicles({}, [Sled]), async (garage) => {
      await garage.add(ChromeWheel, { vehicle: ref(await garage.add(Sled, { cargoBox: ref('1') })) })
      const sled = { type: 'sleds', id: '5', attributes: expect.anything() }
      expect((await garage.get('/vehicles/5')).body.data).toEqual(sled) // anchor: R/R-08
      expect((await garage.get('/wheels/5/vehicle')).body.data).toEqual(sled) // anchor: R/R-24
      expect((await garage.get('/wheels/5?include=vehicle')).body.included).toEqual([sled]) // anchor: R/D-15
      const { data } = (await garage.get('/vehicles/5?include=cargoBox')).body
      expect(data.relationships).toEqual({ cargoBox: { data: { type: 'boxes', id: '1' } } })
    })
  })
})

describe('a relationship at the endpoint of a base', () => {
  it.each([
    ['vehicles/1', 'manufacturer', ['manufacturers 1'], 'R/R-20'],
    ['motorVehicles/4', 'manufacturer', ['manufacturers 2'], 'R/R-20'],
    ['motorVehicles/3', 'engine', ['gasolineEngines 1'], 'R/R-20'],
    ['vehicles/3', 'engine', ['gasolineEngines 1'], 'R/R-21'],
    ['bikes/2', 'lights', ['bicycleLights 1', 'bicycleLights 2'], 'R/R-20'],
    ['vehicles/2', 'foldingDimensions', ['boxes 2'], 'R/R-21'],
    ['vehicles/1', 'cargoBox', ['boxes 1'], 'R/R-21'],
    ['vehicles/2', 'features', ['features 1'], 'R/R-21'],
    ['vehicles/3', 'features', ['features 2', 'features 3'], 'R/R-21'],
    ['vehicles/3', 'wheels', WHEELS.slice(2), 'R/R-22'],
    ['manufacturers/1', 'vehicles', ALL.slice(0, 2), 'R/R-22'],
  ])('is that of the stored type, as resources and as linkage: /%s/%s', async (path, relationship, expected) => {
    expect(resourceKeys(await api.get(`/${path}/${relationship}`))).toEqual(expected)
    const answer = await api.get(`/${path}/relationships/${relationship}`)
    expect(resourceKeys(answer)).toEqual(expected)
    const own = (await api.get(`/${path}`)).body.data.links.self
    expect(answer.body.links).toMatchObject({
      self: `/${path}/relationships/${relationship}`,
      related: `${own}/${relationship}`, // anchor: R/R-23, R/L-02
    })
  })

  it.each([
    ['vehicles/1', 'features'],
    ['bikes/1', 'foldingDimensions'],
    ['vehicles/1', 'engine'],
    ['vehicles/4', 'cargoBox'],
    ['vehicles/3', 'lights'],
  ])('returns 404 when the stored type lacks it: /%s/%s', async (path, relationship) => {
    for (const between of ['', 'relationships/']) {
      const answer = await api.get(`/${path}/${between}${relationship}`) // anchor: R/R-21
      expectError(answer, 404, undefined, 'relationship.not-found')
    }
  })

  it.each([
    ['/vehicles/2/lights', "filter=equals(color,'red')", ['bicycleLights 2'], 'R/R-26'],
    ['/vehicles/3/wheels', 'page[size]=1&page[number]=2', ['carbonWheels 4'], 'R/R-26'],
    ['/vehicles/3/wheels', "filter=isType(,chromeWheels,equals(paintColor,'gold'))", ['chromeWheels 3'], 'R/R-25'],
    ['/manufacturers/2/vehicles', 'sort=loadingCapacity', ['trucks 4', 'cars 3'], 'R/R-25'],
    ['/vehicles/3/features', 'sort=-description&include=cars', ['features 2', 'features 3'], 'R/R-25'],
  ])('takes query parameters for the related type: %s?%s', async (path, query, expected) => {
    expect(resourceKeys(await api.get(`${path}?${query}`))).toEqual(expected)
  })

  it('counts what a filter leaves', async () => {
    const { meta } = (await api.get("/vehicles/2/lights?filter=not(equals(color,'red'))&page[size]=1")).body
    expect(meta).toEqual({ total: 1 })
  })
})

describe('a polymorphic relationship', () => {
  it('gives resources with the fields of their stored types', async () => {
    const { data } = (await api.get('/vehicles/3/wheels')).body
    expect(data.map(({ attributes }: { attributes: object }) => attributes)).toEqual([
      { paintColor: 'gold', radius: 20 },
      { hasTube: false, radius: 20 },
    ])
    const engine = (await api.get('/vehicles/3/engine')).body.data // anchor: R/R-20
    expect(engine).toEqual((await api.get('/gasolineEngines/1')).body.data)
  })

  it('takes include and fields for the stored type', async () => {
    const path = '/wheels/3/vehicle?include=engine&fields[cars]=seatCount,engine'
    const { data, included } = (await api.get(path)).body // anchor: R/R-25
    expect(data.attributes).toEqual({ seatCount: 4 })
    expect(included).toMatchObject([{ type: 'gasolineEngines', id: '1' }])
  })

  it('is included with its stored type', async () => {
    const answer = await api.get('/chromeWheels?include=vehicle.engine')
    expect(linkageKeys(answer.body.data, 'vehicle')).toEqual([['bikes 1'], ['cars 3']])
    expect(includedKeys(answer)).toEqual(['bikes 1', 'cars 3', 'gasolineEngines 1'])
  })
})
