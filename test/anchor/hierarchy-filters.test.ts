import { ref, type TestApi, using } from '../support/api'
import { linkageKeys, resourceKeys, singleError } from '../support/expectations'
import { ChromeWheel } from '../support/vehicles'
import { startGarage, Van } from './support/garage'

// Hierarchies: filters, and what isType leads to.

let api: TestApi
beforeAll(async () => {
  api = await startGarage()
})
afterAll(() => api.close())

const MOTORS = ['cars 3', 'trucks 4']

it.each([
  ['R-61: the row itself', '/vehicles', 'isType(,cars)', ['cars 3']],
  ['R-61: the row itself, with a filter', '/vehicles', "isType(,bikes,equals(gearCount,'3'))", ['tandems 2']],
  ['R-61: the end of a to-one relationship', '/wheels', 'isType(vehicle,tandems)', ['carbonWheels 2']],
  [
    'R-61: with a filter',
    '/wheels',
    "isType(vehicle,cars,equals(seatCount,'4'))",
    ['chromeWheels 3', 'carbonWheels 4'],
  ],
  ['R-61: the end of several', '/cylinders', "isType(engine.vehicle,cars,equals(seatCount,'5'))", []],
  ['R-62: a type at any depth', '/vehicles', 'isType(,tandems)', ['tandems 2']],
  ['R-62: an abstract type', '/vehicles', 'isType(,motorVehicles)', MOTORS],
  ['R-63: a concrete base is what is below it too', '/vehicles', 'isType(,bikes)', ['bikes 1', 'tandems 2']],
  ['R-63: at the end of a path as well', '/wheels', 'isType(vehicle,bikes)', ['chromeWheels 1', 'carbonWheels 2']],
  ['R-64: attributes of the named type', '/vehicles', "isType(,trucks,equals(loadingCapacity,'9'))", ['trucks 4']],
  ['R-64: its relationships', '/vehicles', "isType(,bikes,equals(cargoBox.volume,'10'))", ['bikes 1']],
  ['R-64: to many', '/vehicles', "isType(,cars,has(features,equals(description,'radio')))", ['cars 3']],
  [
    'R-64: isType within isType',
    '/vehicles',
    "isType(,motorVehicles,isType(engine,dieselEngines,greaterThan(viscosity,'50')))",
    ['trucks 4'],
  ],
  [
    'R-65: negated, what is of another type',
    '/vehicles',
    'isType(,motorVehicles,not(isType(engine,dieselEngines)))',
    ['cars 3'],
  ],
  ['R-66: within has', '/vehicles', "has(wheels,isType(,chromeWheels,equals(paintColor,'gold')))", ['cars 3']],
  ['R-66: within not within has', '/vehicles', 'has(wheels,not(isType(,chromeWheels)))', ['tandems 2', 'cars 3']],
  [
    'R-70: several types in one filter',
    '/vehicles',
    "or(isType(,bikes,equals(gearCount,'7')),isType(,trucks))",
    ['bikes 1', 'trucks 4'],
  ],
  ['R-72: the id, through an abstract type', '/vehicles', "equals(id,'3')", ['cars 3']],
  ['R-72: one of several', '/vehicles', "any(id,'2','4','9')", ['tandems 2', 'trucks 4']],
  ['R-72: along a path', '/wheels', "equals(vehicle.id,'3')", ['chromeWheels 3', 'carbonWheels 4']],
])('%s', async (_rule, path, filter, expected) => {
  expect(resourceKeys(await api.get(`${path}?filter=${filter}`))).toEqual(expected)
})

it.each([
  [
    'R-60: a derived attribute',
    '/vehicles',
    "equals(^seatCount,'4')",
    "'vehicles', found 'seatCount'. It belongs to 'cars'",
  ],
  ['R-60: in has', '/manufacturers', "has(vehicles,equals(^seatCount,'4'))", "'vehicles', found 'seatCount'"],
  ['R-60: in count', '/vehicles', "equals(count(^features),'1')", "'vehicles', found 'features'"],
  ['R-60: in any', '/vehicles', "any(^seatCount,'4')", "'vehicles', found 'seatCount'"],
  ['R-60: in a text function', '/wheels', "contains(^paintColor,'o')", "'wheels', found 'paintColor'"],
  ['R-60: along a path', '/cars', "equals(engine.^viscosity,'70')", "'engines', found 'viscosity'"],
  [
    'R-61: a filter of a field that the named type lacks',
    '/vehicles',
    "isType(,cars,equals(^gearCount,'1'))",
    "'cars', found 'gearCount'",
  ],
  ['R-62: the type itself', '/vehicles', 'isType(,^vehicles)', "derived from 'vehicles', found 'vehicles'"],
  ['R-62: a type above', '/bikes', 'isType(,^vehicles)', "derived from 'bikes', found 'vehicles'"],
  ['R-62: another type', '/vehicles', 'isType(,^boxes)', "derived from 'vehicles', found 'boxes'"],
  ['R-62: an unknown type', '/vehicles', 'isType(,^care)', "Did you mean 'cars'?"],
  ['R-62: no type', '/vehicles', 'isType(,^)', "derived from 'vehicles', found"],
  ['R-62: no second argument', '/vehicles', 'isType(^)', 'found'],
  [
    'R-67: a to-many relationship in the path',
    '/vehicles',
    'isType(^wheels,chromeWheels)',
    "the to-many relationship 'wheels'",
  ],
  [
    'R-67: further on in the path',
    '/wheels',
    'isType(vehicle.^wheels,chromeWheels)',
    "the to-many relationship 'wheels'",
  ],
  ['R-67: an attribute in the path', '/vehicles', 'isType(^weight,cars)', "the attribute 'weight'"],
  ['R-67: an unknown name in the path', '/vehicles', 'isType(^nothing,cars)', "found 'nothing'"],
  ['R-68: of a leaf', '/cars', 'isType(,^cars)', "derived from 'cars', found 'cars'"],
  [
    'R-68: of a path to a leaf',
    '/cylinders',
    'isType(engine,^gasolineEngines)',
    "derived from 'gasolineEngines', found",
  ],
])('%s: refused', async (_rule, path, marked, named) => {
  const mistake = singleError(await api.get(`${path}?filter=${marked.replace('^', '')}`))
  const position = marked.indexOf('^') + 1
  expect(mistake).toMatchObject({ status: 400, code: 'query.filter', parameter: 'filter', position })
  expect(mistake.detail).toContain(named)
})

it('R-65: where a to-one relationship is empty there is no type', async () => {
  await using(startGarage(), async (garage) => {
    await garage.add(ChromeWheel, { vehicle: null })
    expect(resourceKeys(await garage.get('/wheels?filter=isType(vehicle,motorVehicles)'))).not.toContain(
      'chromeWheels 5',
    )
    expect(resourceKeys(await garage.get('/wheels?filter=not(isType(vehicle,motorVehicles))'))).toContain(
      'chromeWheels 5',
    )
  })
})

describe('filters of what is included', () => {
  const linked = async (path: string, relationship: string, given: TestApi = api) =>
    linkageKeys((await given.get(path)).body.included, relationship).filter((each) => each !== undefined)

  it('R-69: see relationships of derived types', async () => {
    const path = "/vehicles?include=engine.cylinders&filter[engine.cylinders]=greaterThan(sparks,'1')"
    expect(await linked(path, 'cylinders')).toEqual([['cylinders 1', 'cylinders 3']])
  })

  it('R-69: hold for each place that the name stands for, and leave the parents', async () => {
    const path = "/vehicles?include=features&filter[features]=equals(description,'radio')"
    const { data } = (await api.get(path)).body
    expect(linkageKeys(data, 'features')).toEqual([undefined, [], ['features 2'], ['features 2']])
  })

  it('R-70: tell types of the members apart', async () => {
    const filter =
      "or(isType(,numberProperties,equals(value.content,'5')),isType(,stringProperties,equals(value,null)))"
    const path = `/vehicles?include=features.properties&filter[features.properties]=${filter}`
    expect(await linked(path, 'properties')).toEqual([['stringProperties 3'], ['numberProperties 1'], []])
  })

  it.each([
    [
      'R-71: an unknown name',
      'filter[^nothing]',
      "a relationship of 'vehicles' or a type derived from it, found 'nothing'",
    ],
    ['R-71: further on', 'filter[features.^nothing]', "a relationship of 'features', found 'nothing'"],
    [
      'R-71: a path that ends in a to-one relationship',
      'filter[engine^]',
      "a to-many relationship of 'engines' or a type derived from it",
    ],
    ['R-71: an attribute', 'filter[^weight]', "the attribute 'weight'"],
  ])('%s: refused', async (_rule, marked, named) => {
    const parameter = marked.replace('^', '')
    const mistake = singleError(await api.get(`/vehicles?include=engine&${parameter}=has(cylinders)`))
    expect(mistake).toMatchObject({ status: 400, code: 'query.filter', parameter, position: marked.indexOf('^') + 1 })
    expect(mistake.detail).toContain(named)
  })

  it('R-69: must be right for each target', async () => {
    await using(startGarage({}, [Van]), async (garage) => {
      await garage.add(Van, { vanLights: [ref('1'), ref('3')] })
      const path = '/vehicles?include=lights&filter[lights]='
      expect(linkageKeys((await garage.get(`${path}equals(id,'1')`)).body.data, 'lights')).toEqual([
        ...[[], ['bicycleLights 1'], undefined, undefined, ['features 1']],
      ])
      const mistake = singleError(await garage.get(`${path}equals(color,'red')`))
      expect(mistake).toMatchObject({ status: 400, parameter: 'filter[lights]', position: 8 })
      expect(mistake.detail).toContain("'features', found 'color'")
    })
  })
})
