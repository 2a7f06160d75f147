import { and, any, contains, equals, has, isType, lessThan, not, or, ResourceDefinition } from 'stemma'
import { define, ref, refs, setUp } from '../../support/api'
import { includedKeys, linkageKeys, resourceKeys } from '../../support/expectations'
import * as models from '../../support/vehicles'

const { Bike, Car, ChromeWheel, Feature, GasolineEngine } = models
const { Manufacturer, startVehicles, Tandem, Truck } = models

// The filter rule of a type applies to rows stored as exactly that type, whatever the request that reads them. The tests of the recipes
// compare the answers to many more requests with those of a database that never had the hidden rows.

let tenant = 1

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

/** Looks at other rows, whose own rules do not narrow it. */
const engineDefinition = define(GasolineEngine, {
  filter: () => or(equals('vehicle', null), isType('vehicle', 'cars', not(equals('weight', 13)))),
})

const featureDefinition = define(Feature, { filter: () => not(equals('description', "it's secret")) })
type FilterExpression = ReturnType<typeof not>
let carFilter: () => FilterExpression = () => any('licensePlate', [`T${tenant}`, 'ALL'])
const carDefinition = define(Car, { filter: () => carFilter() })
const reported: unknown[] = []

const api = setUp(() => {
  const bikes = [new BikeDefinition(), new TandemDefinition()]
  const definitions = [...bikes, carDefinition, engineDefinition, featureDefinition]
  return startVehicles({ definitions, onError: (error) => void reported.push(error) })
})
beforeAll(async () => {
  for (const name of ['A', 'B']) await api.add(Manufacturer, { name })
  for (const description of ['radio', "it's secret"]) await api.add(Feature, { description })
  for (const capacity of [5, 9]) await api.add(GasolineEngine, { capacity })
  const manufacturer = ref('1')
  for (const weight of [1, 666]) await api.add(Bike, { weight, manufacturer })
  for (const weight of [1, 666]) await api.add(Tandem, { weight, tandemFeatures: refs('1'), manufacturer })
  await api.add(Tandem, { weight: 1, manufacturer })
  const car = { licensePlate: 'T1', weight: 2, engine: ref('1'), carFeatures: refs('1', '2') }
  await api.add(Car, { ...car, manufacturer })
  await api.add(Car, { licensePlate: 'T2', weight: 3, manufacturer: ref('2'), carFeatures: refs('1') })
  await api.add(Car, { licensePlate: 'ALL', weight: 13, manufacturer, engine: ref('2') })
  await api.add(Truck, { weight: 666, licensePlate: 'T2', manufacturer })
  await api.add(ChromeWheel, { radius: 1, vehicle: ref('6') })
  await api.add(ChromeWheel, { radius: 2, vehicle: ref('7') })
  await api.add(ChromeWheel, { radius: 3 })
})

const BIKES = ['bikes 1', 'tandems 3']
const CARS = ['cars 6', 'cars 8']
const ALL = [...BIKES, ...CARS, 'trucks 9']

// anchor: R/O-03, R/O-04, R/P-17, R/R-95
it.each([
  ['the collection of its type', '/cars', CARS],
  ['the collection of an abstract base', '/motorVehicles', [...CARS, 'trucks 9']],
  ['the collection of the root', '/vehicles', ALL],
  ['the collection of a concrete base', '/bikes', BIKES],
  ['the collection of a derived type', '/tandems', ['tandems 3']],
  ['related resources', '/manufacturers/1/vehicles', ALL],
  ['related resources that are all hidden', '/manufacturers/2/vehicles', []],
  ['linkage', '/manufacturers/1/relationships/vehicles', ALL],
  ['a many-to-many relationship', '/features/1/cars', ['cars 6']],
  ['the inverse many-to-many relationship', '/cars/6/features', ['features 1']],
])('narrows %s and its total', async (_what, path, expected) => {
  const response = await api.get(path)
  expect(resourceKeys(response)).toEqual(expected)
  expect(response.body.meta.total).toBe(expected.length)
})

it('narrows included resources and their linkage', async () => {
  const wheels = await api.get('/wheels?include=vehicle.features')
  expect(linkageKeys(wheels.body.data, 'vehicle')).toEqual([['cars 6'], null, null])
  expect(includedKeys(wheels)).toEqual(['cars 6', 'features 1'])
  expect(linkageKeys((await api.get('/manufacturers?include=vehicles')).body.data, 'vehicles')).toEqual([ALL, []])
})

describe('a filter of a client', () => {
  it.each([
    ['/manufacturers', "has(vehicles,isType(,cars,equals(weight,'3')))", []],
    ['/manufacturers', "equals(count(vehicles),'0')", ['2']],
    ['/manufacturers', 'equals(count(vehicles),count(vehicles))', ['1', '2']],
    ['/wheels', 'not(isType(vehicle,cars))', ['2', '3']],
    ['/wheels', 'equals(vehicle.weight,null)', ['2', '3']],
    ['/wheels', "any(vehicle.weight,'2','3')", ['1']],
    ['/wheels', 'has(vehicle.wheels)', ['1']],
    ['/wheels', 'equals(vehicle.weight,vehicle.weight)', ['1']],
    ['/wheels', "equals(has(vehicle.wheels),'true')", ['1']],
  ])('treats hidden rows as missing: %s?filter=%s', async (path, filter, expected) => {
    const { body } = await api.get(`${path}?filter=${filter}`).expect(200)
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(expected)
    expect(body.meta.total).toBe(expected.length)
  })

  it('cannot widen the rule with filter[relationship] or several filters', async () => {
    const { body } = await api.get('/manufacturers?include=vehicles&filter[vehicles]=isType(,cars)')
    expect(linkageKeys(body.data, 'vehicles')).toEqual([CARS, []])
    expect(resourceKeys(await api.get("/cars?filter=equals(licensePlate,'T2')&filter=equals(weight,'3')"))).toEqual([])
  })
})

/** Looks like the result of `count`, and could come from a token. */
const CLAIM = JSON.parse('{ "operand": "licensePlate" }') as never
const PLATE = 'licensePlate'

it.each<readonly [found: string, filters: readonly (() => FilterExpression)[]]>([
  ['an object', [() => equals(PLATE, CLAIM), () => any(PLATE, [CLAIM]), () => contains(PLATE, CLAIM)]],
  ['an object', [() => has('features', equals('description', CLAIM))]],
  ['a value in place of a path', [() => equals(CLAIM, 'T1')]],
  ['a list', [() => equals(PLATE, ['T1'] as never)]],
  ['undefined', [() => equals(PLATE, undefined as never), () => any(PLATE, ['T1', undefined as never])]],
  ['null', [() => lessThan(PLATE, null as never), () => any(PLATE, [null as never])]],
  ['the number NaN', [() => equals(PLATE, Number.NaN)]],
  ['a function', [() => equals(PLATE, String as never)]],
  ['an invalid Date', [() => equals(PLATE, new Date('never'))]],
  ['no list of values', [() => any(PLATE, 'T1' as never)]],
  ['no filter in place of a term', [() => or(...([] as unknown as readonly [FilterExpression]))]],
])('is a server error if it got %s', async (found, filters) => {
  const before = carFilter
  for (carFilter of filters) await api.get('/cars').expect(500)
  carFilter = before
  const report = expect.stringMatching(`^InvariantError: .* got ${found}.* Give it `)
  expect(reported.splice(0).map(String)).toEqual(filters.map(() => report))
})

it('is called again for every request', async () => {
  tenant = 2
  expect(resourceKeys(await api.get('/cars'))).toEqual(['cars 7', 'cars 8'])
  await api.get('/vehicles/6').expect(404)
  tenant = 1
}) // anchor: R/O-09
