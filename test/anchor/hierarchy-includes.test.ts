import { ref, type TestApi, using } from '../support/api'
import { includedKeys, linkageKeys, singleError } from '../support/expectations'
import { BicycleLight, Feature, Tandem, Truck } from '../support/vehicles'
import { startGarage, Van } from './support/garage'

// Hierarchies: names of derived types in include paths.

let api: TestApi
beforeAll(async () => {
  api = await startGarage()
})
afterAll(() => api.close())

it.each([
  ['R-30: a name of one branch', '/vehicles', 'cargoBox', ['boxes 1']],
  [
    'R-30: names of several branches',
    '/vehicles',
    'cargoBox,engine,sleepingArea',
    [...['boxes 1', 'gasolineEngines 1', 'boxes 3', 'dieselEngines 2']],
  ],
  [
    'R-31: a name of the type itself stands for that relationship',
    '/vehicles',
    'manufacturer',
    [...['manufacturers 1', 'manufacturers 2']],
  ],
  [
    'R-31: a name of a type in the middle is found once, for all below it',
    '/vehicles',
    'engine',
    [...['gasolineEngines 1', 'dieselEngines 2']],
  ],
  [
    'R-31: a name of several branches is found in each',
    '/vehicles',
    'features',
    [...['features 1', 'features 2', 'features 3']],
  ],
  ['R-31: of a type in the middle only what is below it', '/motorVehicles', 'features', ['features 2', 'features 3']],
  [
    'R-32: a relationship of the root is that of each type below it',
    '/vehicles',
    'wheels',
    [...['chromeWheels 1', 'carbonWheels 2', 'chromeWheels 3', 'carbonWheels 4']],
  ],
  [
    'R-33: a name with different targets is followed to each',
    '/genericProperties',
    'value',
    [...['numberValues 1', 'stringValues 1']],
  ],
  [
    'R-33: it is enough that one target has the next name',
    '/vehicles',
    'engine.cylinders',
    [...['gasolineEngines 1', 'cylinders 1', 'cylinders 2', 'cylinders 3', 'dieselEngines 2']],
  ],
  [
    'R-33: behind a name of several branches',
    '/motorVehicles',
    'features.properties.value',
    [...['features 2', 'numberProperties 1', 'numberValues 1', 'stringProperties 2', 'stringValues 1', 'features 3']],
  ],
  [
    'R-39: a leaf includes its own relationships and those above',
    '/trucks',
    'sleepingArea,engine,manufacturer',
    [...['boxes 3', 'dieselEngines 2', 'manufacturers 2']],
  ],
  ['R-40: one resource takes names of its siblings, to no effect', '/vehicles/1', 'engine,sleepingArea', []],
  ['R-40: and those that it has', '/vehicles/1', 'engine,cargoBox', ['boxes 1']],
])('%s', async (_rule, path, include, expected) => {
  expect(includedKeys(await api.get(`${path}?include=${include}`))).toEqual(expected)
})

it.each([
  ['R-34: no type has the name', '/vehicles', 'nothing', 1, "'vehicles' or a type derived from it"],
  ['R-34: no target has it', '/vehicles', 'engine.nothing', 8, "'engines' or a type derived from it"],
  [
    'R-34: none of several targets has it',
    '/genericProperties',
    'value.nothing',
    7,
    "'numberValues' or 'stringValues',",
  ],
  ['R-34: a target without types below it does not', '/cars', 'features.nothing', 10, "of 'features',"],
  ['R-39: a leaf has nothing of its siblings', '/cars', 'sleepingArea', 1, "of 'cars',"],
  ['R-39: and what is related is no way around it', '/cars/3/features', 'sleepingArea', 1, "of 'features',"],
])('%s: refused', async (_rule, path, include, position, named) => {
  const mistake = singleError(await api.get(`${path}?include=${include}`))
  expect(mistake).toMatchObject({ status: 400, code: 'query.include', parameter: 'include', position })
  expect(mistake.detail).toContain(named)
})

it('R-35: linkage is with those that have the relationship; what was not asked for has links only', async () => {
  const { data } = (await api.get('/vehicles?include=features')).body
  expect(data[0].relationships).not.toHaveProperty('features')
  expect(linkageKeys(data.slice(1), 'features')).toEqual([['features 1'], ['features 2', 'features 3'], ['features 2']])
  expect(Object.keys(data[1].relationships.foldingDimensions)).toEqual(['links'])
})

it('R-36: linkage and included resources have the stored type', async () => {
  const { data, included } = (await api.get('/vehicles?include=wheels,engine')).body
  expect(linkageKeys(data, 'wheels')).toEqual([
    ['chromeWheels 1'],
    ['carbonWheels 2'],
    ['chromeWheels 3', 'carbonWheels 4'],
    [],
  ])
  expect(linkageKeys(data.slice(2), 'engine')).toEqual([['gasolineEngines 1'], ['dieselEngines 2']])
  expect(included.map(({ links }: { links: { self: string } }) => links.self)).toEqual([
    ...['/chromeWheels/1', '/carbonWheels/2', '/gasolineEngines/1', '/chromeWheels/3', '/carbonWheels/4'],
    '/dieselEngines/2',
  ])
})

it('R-37: of each parent and each relationship there is a page, in the order of the ids', async () => {
  await using(startGarage(), async (filled) => {
    const more: string[] = []
    for (let each = 0; each < 15; each += 1) {
      await filled.add(BicycleLight, { bike: ref('1') })
      more.push(await filled.add(Feature, { description: `more ${each}` }))
    }
    await filled.add(Tandem, { tandemFeatures: more.map(ref) })
    await filled.add(Truck, { truckFeatures: more.map(ref) })
    const { data } = (await filled.get('/vehicles?include=features,lights')).body
    const firstTen = more.slice(0, 10).map((id) => `features ${id}`)
    expect(linkageKeys(data, 'features').slice(4)).toEqual([firstTen, firstTen])
    expect(linkageKeys(data, 'lights').slice(0, 2)).toEqual([
      Array.from({ length: 10 }, (_, index) => `bicycleLights ${index + 3}`),
      ['bicycleLights 1', 'bicycleLights 2'],
    ])
  })
})

describe('a relationship that may not be included', () => {
  let garage: TestApi
  beforeAll(async () => {
    garage = await startGarage({}, [Van])
    await garage.add(Van, { vanFeatures: [ref('3')], vanLights: [ref('1')] })
  })
  afterAll(() => garage.close())

  it('R-38: is left out where other branches have one of the name that may', async () => {
    const { data } = (await garage.get('/vehicles?include=features')).body
    expect(linkageKeys(data, 'features')).toEqual([
      ...[undefined, ['features 1'], ['features 2', 'features 3'], ['features 2'], undefined],
    ])
  })

  it('R-38: is refused where it is the only one', async () => {
    expect(singleError(await garage.get('/vans?include=features'))).toMatchObject({
      status: 400,
      code: 'query.include',
    })
  })

  it('R-38: is read where it is stored', async () => {
    expect((await garage.get('/vehicles/5/features')).body.data).toMatchObject([{ id: '3' }])
  })
})
