import { anyOf, equals, not, ResourceDefinition } from 'stemma'
import { ref, type TestApi } from '../../support/api'
import { resourceKeys } from '../../support/expectations'
import { Car, Feature, Manufacturer, NumberProperty, StringProperty, startVehicles } from '../../support/vehicles'

// One path can lead to other rows at two places of a statement: a rule sees what is hidden from clients, and behind `isType` no branch
// is checked.

class CarDefinition extends ResourceDefinition {
  readonly resource = Car
  override filter() {
    return not(equals('manufacturer.name', 'blocked'))
  }
}

class ManufacturerDefinition extends ResourceDefinition {
  readonly resource = Manufacturer
  override filter() {
    return not(anyOf('name', ['blocked', 'a secret']))
  }
}

let api: TestApi

beforeAll(async () => {
  api = await startVehicles({ definitions: [new CarDefinition(), new ManufacturerDefinition()] })
  for (const name of ['blocked', 'a secret', 'z known']) {
    await api.add(Car, { manufacturer: ref(await api.add(Manufacturer, { name })) })
  }
  const [first, second] = [await api.add(Feature, { description: 'x' }), await api.add(Feature, { description: 'y' })]
  await api.add(NumberProperty, { name: 'n', feature: ref(first) })
  await api.add(StringProperty, { name: 's', feature: ref(second) })
})

afterAll(() => api.close())

it.each([
  ['a filter', '/cars?filter=equals(manufacturer.name,null)', ['cars 2']],
  ['a sort', '/cars?sort=manufacturer.name', ['cars 3', 'cars 2']],
])('%s and a rule over the same path do not see the same rows', async (_name, path, expected) => {
  expect(resourceKeys(await api.get(path))).toEqual(expected)
})

it('a sort by a branch sorts the branch only, whatever a filter has asked of it', async () => {
  const filter = "not(isType(,stringProperties,equals(feature.description,'z')))"
  const answer = await api.get(`/genericProperties?filter=${filter}&sort=stringProperties:feature.description`)
  expect(resourceKeys(answer)).toEqual(['stringProperties 2', 'numberProperties 1'])
})
