import { any, equals, not } from 'stemma'
import { define, ref, setUp } from '../../support/api'
import { resourceKeys } from '../../support/expectations'
import { Car, Feature, Manufacturer, NumberProperty, StringProperty, startVehicles } from '../../support/vehicles'

// A path can lead to different rows at two places of a statement: the filters of definitions see hidden rows, and within isType no branch is checked.

const DEFINITIONS = [
  define(Car, { filter: () => not(equals('manufacturer.name', 'blocked')) }),
  define(Manufacturer, { filter: () => not(any('name', ['blocked', 'a secret'])) }),
]

const api = setUp(() => startVehicles({ definitions: DEFINITIONS }))
beforeAll(async () => {
  for (const name of ['blocked', 'a secret', 'z known'])
    await api.add(Car, { manufacturer: ref(await api.add(Manufacturer, { name })) })
  await api.add(NumberProperty, { name: 'n', feature: ref(await api.add(Feature, { description: 'x' })) })
  await api.add(StringProperty, { name: 'n', feature: ref(await api.add(Feature, { description: 'y' })) })
})
it.each([
  ['/cars?filter=equals(manufacturer.name,null)', ['cars 2']],
  ['/cars?sort=manufacturer.name', ['cars 3', 'cars 2']],
  [
    "/genericProperties?filter=not(isType(,stringProperties,equals(feature.description,'z')))&sort=stringProperties:feature.description",
    ['stringProperties 2', 'numberProperties 1'],
  ],
])('joins the tables of a path separately for clients, definitions and branches: %s', async (path, expected) => {
  expect(resourceKeys(await api.get(path))).toEqual(expected)
})
