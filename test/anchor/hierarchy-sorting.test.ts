import { ResourceDefinition } from 'stemma'
import { type TestApi, using } from '../support/api'
import { attributeValues, linkageKeys, resourceKeys, singleError } from '../support/expectations'
import { type HumansApi, startHumans } from '../support/humans'
import { Vehicle } from '../support/vehicles'
import { startGarage, Van } from './support/garage'

// Hierarchies: names of derived types in sort keys.

let api: TestApi
beforeAll(async () => {
  api = await startGarage()
})
afterAll(() => api.close())

const ids = async (path: string, given: TestApi = api) =>
  resourceKeys(await given.get(path))
    .map((key) => key.split(' ')[1])
    .join(' ')

it.each([
  ['R-80: a derived attribute', 'gearCount', '2 1 3 4'],
  ['R-80: downwards, rows that lack it come last too', '-gearCount', '1 2 3 4'],
  ['R-80: with a second key for those that lack it', 'gearCount,-weight', '2 1 4 3'],
  ['R-80: of a leaf', '-loadingCapacity', '4 1 2 3'],
  ['R-81: an attribute at the end of a derived relationship', '-engine.capacity', '3 4 1 2'],
  ['R-81: a derived attribute there', 'engine.viscosity', '4 1 2 3'],
  ['R-81: a derived relationship of the stored type', '-sleepingArea.volume', '4 1 2 3'],
  ['R-81: members are counted; none are counted as 0', '-count(engine.cylinders),-id', '3 4 2 1'],
  ['R-82: extended: a branch says which one is meant', 'trucks:mileage', '4 1 2 3'],
  ['R-82: extended: both branches, one behind the other', '-trucks:mileage,-cars:mileage', '4 3 1 2'],
  ['R-82: extended: behind a path', 'engine.gasolineEngines:serialCode', '3 1 2 4'],
  ['R-82: extended: in count', '-count(cars:features)', '3 1 2 4'],
])('%s', async (_rule, sort, expected) => {
  expect(await ids(`/vehicles?sort=${sort}`)).toBe(expected)
})

it.each([
  ['R-82: an attribute of several branches', '/vehicles', '^mileage', "'cars:mileage' or 'trucks:mileage'"],
  [
    'R-82: behind a path',
    '/motorVehicles',
    'engine.^serialCode',
    "'gasolineEngines:serialCode' or 'dieselEngines:serialCode'",
  ],
  ['R-82: in count', '/vehicles', 'count(^features)', "'tandems:features'"],
  ['R-87: an unknown name', '/vehicles', '^nothing', "'vehicles' or a type derived from it, found 'nothing'"],
  ['R-87: behind a path', '/vehicles', 'engine.^nothing', "'engines' or a type derived from it, found 'nothing'"],
  ['R-87: of a leaf', '/cars', '^nothing', "of 'cars', found 'nothing'"],
])('%s: refused', async (_rule, path, marked, named) => {
  const mistake = singleError(await api.get(`${path}?sort=${marked.replace('^', '')}`))
  const position = marked.indexOf('^') + 1
  expect(mistake).toMatchObject({ status: 400, code: 'query.sort', parameter: 'sort', position })
  expect(mistake.detail).toContain(named)
})

it('R-83: what is not of the kind that is asked for is no candidate', async () => {
  await using(startGarage({}, [Van]), async (garage) => {
    await garage.add(Van, { cargoBoxes: 7 })
    await garage.add(Van, { cargoBoxes: 3 })
    // An attribute of vans, a to-one relationship of bikes.
    expect(await ids('/vehicles?sort=cargoBox', garage)).toBe('6 5 1 2 3 4')
    expect(await ids('/vehicles?sort=-cargoBox.volume', garage)).toBe('1 2 3 4 5 6')
  })
})

it('R-84: behind a relationship only its target and what is below it count', async () => {
  // Of engines it would be ambiguous.
  expect(await ids('/cylinders?sort=engine.serialCode,-id')).toBe('3 2 1')
})

it('R-85: the order of what is included, behind derived relationships', async () => {
  const { included } = (await api.get('/vehicles?include=engine.cylinders&sort[engine.cylinders]=sparks')).body
  expect(linkageKeys(included, 'cylinders')).toEqual([['cylinders 2', 'cylinders 3', 'cylinders 1'], undefined])
})

it('R-85: of each branch that has the name', async () => {
  const { data } = (await api.get('/vehicles?include=features&sort[features]=description')).body
  expect(linkageKeys(data, 'features').slice(1)).toEqual([['features 1'], ['features 3', 'features 2'], ['features 2']])
})

it.each([
  ['R-86: an attribute of a derived type', '-gearCount', '1 2 3 4'],
  ['R-86: members behind two derived relationships', '-count(engine.cylinders),gearCount', '3 2 1 4'],
  ['R-86: a branch', '-trucks:mileage', '4 1 2 3'],
])('%s in the order of a definition', async (_rule, sort, expected) => {
  class VehicleDefinition extends ResourceDefinition {
    readonly resource = Vehicle
    override sort() {
      return sort
    }
  }
  await using(startGarage({ definitions: [new VehicleDefinition()] }), async (sorted) => {
    expect(await ids('/vehicles', sorted)).toBe(expected)
    expect(await ids('/vehicles?sort=id', sorted)).toBe('1 2 3 4')
  })
})

describe('humans', () => {
  let humans: HumansApi
  beforeAll(async () => {
    humans = await startHumans()
    const eve = await humans.addWoman({ name: 'Eve', maidenName: 'B' })
    const adam = await humans.addMan({ name: 'Adam', hasBeard: true })
    const ida = await humans.addWoman({ name: 'Ida', maidenName: 'A' })
    const bob = await humans.addMan({ name: 'Bob', hasBeard: false })
    await humans.link(adam, 'wife', ida)
    await humans.link(bob, 'wife', eve)
    await humans.link(eve, 'husband', adam)
    await humans.link(ida, 'husband', bob)
  })
  afterAll(() => humans.close())

  it.each([
    ['R-81: a derived attribute behind a derived relationship', 'husband.hasBeard', 'Ida Eve Adam Bob'],
    ['R-84: one that only the target has', 'wife.maidenName', 'Adam Bob Eve Ida'],
    ['R-81: behind several', 'wife.husband.name', 'Bob Adam Eve Ida'],
  ])('%s', async (_rule, sort, expected) => {
    expect(attributeValues(await humans.get(`/humans?sort=${sort}`), 'name').join(' ')).toBe(expected)
  })
})
