import { ref, using } from '../../support/api'
import { includedKeys, linkageKeys, singleError } from '../../support/expectations'
import { startFilledVehicles, Van } from '../../support/filled-vehicles'
import { setUp } from '../../support/set-up'

// An include path may name relationships of derived types.

const api = setUp(startFilledVehicles)

const MANUFACTURERS = ['manufacturers 1', 'manufacturers 2']
const ENGINES = ['gasolineEngines 1', 'dieselEngines 2']
const FEATURES = ['features 1', 'features 2', 'features 3']
const WHEELS = ['chromeWheels 1', 'carbonWheels 2', 'chromeWheels 3', 'carbonWheels 4']
const VALUES = ['numberValues 1', 'stringValues 1']
const WITH_CYLINDERS = ['gasolineEngines 1', 'cylinders 1', 'cylinders 2', 'cylinders 3', 'dieselEngines 2']
const PROPERTIES = ['numberProperties 1', 'numberValues 1', 'stringProperties 2', 'stringValues 1']
const DEEP = ['features 2', ...PROPERTIES, 'features 3']
const OF_TRUCK = ['boxes 3', 'dieselEngines 2', 'manufacturers 2']
const SEVERAL = ['boxes 1', 'boxes 2', 'gasolineEngines 1', 'boxes 3', 'dieselEngines 2']

it.each([
  ['a relationship of one branch', '/vehicles', 'cargoBox', ['boxes 1'], 'R/R-30'],
  ['relationships of several', '/vehicles', 'cargoBox,foldingDimensions,engine,sleepingArea', SEVERAL, 'R/R-30'],
  ['a relationship of the type itself', '/vehicles', 'manufacturer', MANUFACTURERS, 'R/R-31'],
  ['a relationship of an abstract type in the middle', '/vehicles', 'engine', ENGINES, 'R/R-31'],
  ['all relationships of one name', '/vehicles', 'features', FEATURES, 'R/R-31'],
  ['only those below the type of the endpoint', '/motorVehicles', 'features', FEATURES.slice(1), 'R/R-31'],
  ['an inherited relationship', '/vehicles', 'wheels', WHEELS, 'R/R-32'],
  ['an inherited relationship that a type qualifies, for all types', '/vehicles', 'tandems:wheels', WHEELS, 'R/R-32'],
  ['one of several relationships of one name', '/vehicles', 'trucks:features', ['features 2']],
  ['relationships of one name with different targets', '/genericProperties', 'value', VALUES, 'R/R-33'],
  ['a step that only one target has', '/vehicles', 'engine.cylinders', WITH_CYLINDERS, 'R/R-33'],
  ['steps behind a name of several branches', '/motorVehicles', 'features.properties.value', DEEP, 'R/R-33'],
  ['relationships of a derived type', '/trucks', 'sleepingArea,engine,manufacturer', OF_TRUCK, 'R/R-39'],
  ['nothing for a relationship that only a sibling has', '/vehicles/1', 'engine,sleepingArea', [], 'R/R-40'],
  ['what one resource of a base has', '/vehicles/1', 'engine,cargoBox', ['boxes 1'], 'R/R-40'],
])('includes %s: %s?include=%s', async (_what, path, include, expected, ..._ids) => {
  expect(includedKeys(await api.get(`${path}?include=${include}`))).toEqual(expected)
})

it.each([
  ['no type has', '/vehicles', 'nothing', 1, "'vehicles' or a type derived from it", 'R/R-34'],
  ['is an attribute', '/vehicles', 'weight', 1, "the attribute 'weight'"],
  ['no target has', '/vehicles', 'engine.nothing', 8, "'engines' or a type derived from it", 'R/R-34'],
  ['none of several targets has', '/genericProperties', 'value.nothing', 7, "'numberValues' or 'str", 'R/R-34'],
  ['a target without derived types lacks', '/cars', 'features.nothing', 10, "of 'features',", 'R/R-34'],
  ['only a sibling has', '/cars', 'sleepingArea', 1, "of 'cars',", 'R/R-39'],
  ['the related type lacks', '/cars/3/features', 'sleepingArea', 1, "of 'features',", 'R/R-39'],
  ['is qualified by a foreign type', '/vehicles', 'boxes:features', 1, 'boxes'],
  ['is missing behind a type', '/vehicles', 'cars:', 6, 'found the end'],
])('returns 400 for a name that %s: %s?include=%s', async (_what, path, include, position, detail, ..._ids) => {
  const error = singleError(await api.get(`${path}?include=${include}`))
  expect(error).toMatchObject({ status: 400, code: 'query.include', parameter: 'include', position })
  expect(error.detail).toContain(detail)
})

it.each([
  ['features', [undefined, ['features 1'], ['features 2', 'features 3'], ['features 2']], 'R/R-35'],
  ['cars:features', [undefined, undefined, ['features 2', 'features 3'], undefined], 'R/R-35'],
  ['wheels', [WHEELS.slice(0, 1), WHEELS.slice(1, 2), WHEELS.slice(2), []], 'R/R-36'],
  ['engine', [undefined, undefined, ENGINES.slice(0, 1), ENGINES.slice(1)], 'R/R-36'],
])('gives linkage with stored types to the resources that have the relationship: %s', async (include, expected) => {
  const { data } = (await api.get(`/vehicles?include=${include}`)).body
  expect(linkageKeys(data, include.replace('cars:', ''))).toEqual(expected)
  expect(Object.keys(data[1].relationships.foldingDimensions)).toEqual(['links'])
})

it('leaves a relationship out of the types that lack it', async () => {
  const { data } = (await api.get('/vehicles?include=features')).body // anchor: R/R-35
  expect(data[0].relationships).not.toHaveProperty('features')
})

it('links included resources by their stored type', async () => {
  const { included } = (await api.get('/vehicles?include=wheels,engine')).body // anchor: R/R-36
  expect(included.map(({ links }: { links: { self: string } }) => links.self)).toEqual([
    ...['/chromeWheels/1', '/carbonWheels/2', '/gasolineEngines/1', '/chromeWheels/3', '/carbonWheels/4'],
    '/dieselEngines/2',
  ])
})

it('leaves out a relationship of one branch that may not be included', async () => {
  await using(startFilledVehicles({}, [Van]), async (garage) => {
    await garage.add(Van, { vanFeatures: [ref('3')], vanLights: [ref('1')] })
    const { data } = (await garage.get('/vehicles?include=features')).body // anchor: R/R-38
    const expected = [undefined, ['features 1'], ['features 2', 'features 3'], ['features 2'], undefined]
    expect(linkageKeys(data, 'features')).toEqual(expected)
    expect(singleError(await garage.get('/vans?include=features'))).toMatchObject({
      status: 400,
      code: 'query.include',
    })
    expect((await garage.get('/vehicles/5/features')).body.data).toMatchObject([{ id: '3' }])
  })
})
