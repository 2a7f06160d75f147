import { equals, not, ResourceDefinition, type StoredRecord } from 'stemma'
import { startGarage } from '../../anchor/support/garage'
import type { TestApi } from '../../support/api'
import { includedKeys, linkageKeys, resourceKeys } from '../../support/expectations'
import { Bike, Car, Engine, Tandem, Vehicle, Wheel } from '../../support/vehicles'

// Hierarchies: whose definition is asked when the URL names a base.

class VehicleDefinition extends ResourceDefinition<Vehicle> {
  readonly resource: ResourceDefinition['resource'] = Vehicle
  override sort(): string | undefined {
    return '-weight'
  }
  override meta(): { readonly is: string } {
    return { is: 'vehicle' }
  }
}

class BikeDefinition extends VehicleDefinition {
  override readonly resource = Bike
  override fields(fields: ReadonlySet<string>) {
    return new Set([...fields].filter((name) => name !== 'gearCount'))
  }
  override serialize({ instance }: StoredRecord<Vehicle>) {
    return { weight: instance.weight + 1 }
  }
}

class TandemDefinition extends BikeDefinition {
  override readonly resource = Tandem
  override meta() {
    return { is: 'tandem' }
  }
}

class CarDefinition extends VehicleDefinition {
  override readonly resource = Car
  override filter() {
    return not(equals('seatCount', 4))
  }
}

class EngineDefinition extends ResourceDefinition {
  readonly resource = Engine
  override page() {
    return { size: 1 }
  }
}

class WheelDefinition extends ResourceDefinition {
  readonly resource = Wheel
  override include() {
    return ['vehicle']
  }
}

let api: TestApi
beforeAll(async () => {
  const vehicles = [new VehicleDefinition(), new BikeDefinition(), new TandemDefinition(), new CarDefinition()]
  api = await startGarage({ definitions: [...vehicles, new EngineDefinition(), new WheelDefinition()] })
})
afterAll(() => api.close())

const VISIBLE = ['trucks 4', 'tandems 2', 'bikes 1']

it.each([
  ['R-95: the order of the base is that of its collection', '/vehicles', VISIBLE],
  ['R-95: and, inherited by its definition, that of a type below it', '/bikes', VISIBLE.slice(1)],
  ['R-95: beaten: the filter of a derived type holds through its base', '/vehicles?sort=id', [...VISIBLE].reverse()],
  ['R-95: beaten: through what is related', '/manufacturers/2/vehicles', ['trucks 4']],
  ['R-95: beaten: for what is at the end of a to-one relationship', '/wheels/3/vehicle', []],
  ['R-95: the page of the base', '/engines', ['gasolineEngines 1']],
  ['R-95: and of types below that have no definition', '/dieselEngines?page[size]=5', ['dieselEngines 2']],
])('%s', async (_rule, path, expected) => {
  expect(resourceKeys(await api.get(path))).toEqual(expected)
})

it('R-95: beaten: one resource that its own rule hides is not there, whatever the URL', async () => {
  for (const type of ['cars', 'motorVehicles', 'vehicles']) await api.get(`/${type}/3`).expect(404)
})

it('R-95: includes of the base hold for those below it, and show nothing that is hidden', async () => {
  const answer = await api.get('/chromeWheels')
  expect(includedKeys(answer)).toEqual(['bikes 1'])
  expect(linkageKeys(answer.body.data, 'vehicle')).toEqual([['bikes 1'], null])
})

it.each(['/vehicles', '/bikes', '/manufacturers/1/vehicles'])(
  'R-96: fields are those of the stored type: %s',
  async (path) => {
    const { data } = (await api.get(`${path}?sort=id`)).body
    for (const { attributes } of data.slice(0, 2)) expect(attributes).not.toHaveProperty('gearCount')
  },
)

it('R-96: a base definition does not limit a type that has its own', async () => {
  const { attributes } = (await api.get('/vehicles/4')).body.data
  expect(Object.keys(attributes)).toContain('weight')
})

it.each([
  ['R-97: through the root', '/vehicles?sort=id'],
  ['R-97: through a concrete base', '/bikes?sort=id'],
  ['R-97: where they are related', '/manufacturers/1/vehicles?sort=id'],
])('%s, values and meta are those of the definition of the stored type', async (_rule, path) => {
  expect((await api.get(path)).body.data.slice(0, 2)).toMatchObject([
    { type: 'bikes', attributes: { weight: 11 }, meta: { is: 'vehicle' } },
    { type: 'tandems', attributes: { weight: 21 }, meta: { is: 'tandem' } },
  ])
})

it('R-97: where they are included', async () => {
  expect((await api.get('/manufacturers/1?include=vehicles')).body.included).toMatchObject([
    { type: 'tandems', attributes: { weight: 21 }, meta: { is: 'tandem' } },
    { type: 'bikes', attributes: { weight: 11 }, meta: { is: 'vehicle' } },
  ])
})
