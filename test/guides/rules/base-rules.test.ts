import { and, equals, isType, not, or, ResourceDefinition } from 'stemma'
import { ref, type TestApi, using } from '../../support/api'
import { includedKeys, resourceKeys } from '../../support/expectations'
import {
  Bike,
  Car,
  DieselEngine,
  Engine,
  GasolineEngine,
  Manufacturer,
  startVehicles,
  Tandem,
  Truck,
  Vehicle,
} from '../../support/vehicles'

// A rule of a base may tell its branches apart, and is read at each of the types that have it: at bikes and above, below and beside them.

class VehicleDefinition extends ResourceDefinition {
  readonly resource: typeof Vehicle = Vehicle
  override filter() {
    return or(isType('', 'cars'), isType('', 'bikes', equals('gearCount', 3)))
  }
}

class TandemDefinition extends VehicleDefinition {
  override readonly resource = Tandem
  override filter() {
    return and(super.filter(), not(equals('passengerCount', 9)))
  }
}

let api: TestApi

beforeAll(async () => {
  api = await startVehicles({ definitions: [new VehicleDefinition(), new TandemDefinition()] })
  await api.add(Car)
  await api.add(Truck)
  for (const gearCount of [3, 4]) await api.add(Bike, { gearCount })
  for (const passengerCount of [2, 9]) await api.add(Tandem, { gearCount: 3, passengerCount })
})

afterAll(() => api.close())

it.each([
  ['/vehicles', ['cars 1', 'bikes 3', 'tandems 5']],
  ['/cars', ['cars 1']],
  ['/trucks', []],
  ['/bikes', ['bikes 3', 'tandems 5']],
  ['/tandems', ['tandems 5']],
  ['/vehicles?filter=isType(,motorVehicles)', ['cars 1']],
])('shows at %s the rows that pass', async (path, expected) => {
  expect(resourceKeys(await api.get(path))).toEqual(expected)
})

it('leaves clients with the types below the one in scope', async () => {
  await api.get('/bikes?filter=isType(,cars)').expect(400)
})

describe('an order of which each type has a field of its own, by one name', () => {
  class EngineDefinition extends ResourceDefinition {
    readonly resource = Engine
    override sort() {
      return '-serialCode'
    }
  }
  class CarDefinition extends ResourceDefinition {
    readonly resource: typeof Car | typeof Truck = Car
    override sort() {
      return '-mileage'
    }
  }
  class TruckDefinition extends CarDefinition {
    override readonly resource = Truck
  }
  const definitions = [new EngineDefinition(), new CarDefinition(), new TruckDefinition()]

  it('is that of the type, and none of their base', async () => {
    await using(startVehicles({ definitions }), async (sorted) => {
      for (const gasolineCode of ['A', 'B']) await sorted.add(GasolineEngine, { gasolineCode })
      for (const dieselCode of ['Y', 'Z']) await sorted.add(DieselEngine, { dieselCode })
      expect(resourceKeys(await sorted.get('/gasolineEngines'))).toEqual(['gasolineEngines 2', 'gasolineEngines 1'])
      const byId = ['gasolineEngines 1', 'gasolineEngines 2', 'dieselEngines 3', 'dieselEngines 4']
      expect(resourceKeys(await sorted.get('/engines'))).toEqual(byId)
    })
  })

  it('is none of what is related and included either', async () => {
    await using(startVehicles({ definitions }), async (sorted) => {
      const manufacturer = ref(await sorted.add(Manufacturer, { name: 'M' }))
      await sorted.add(Car, { mileage: 1, manufacturer })
      await sorted.add(Truck, { mileage: 2, manufacturer })
      expect(resourceKeys(await sorted.get('/motorVehicles'))).toEqual(['cars 1', 'trucks 2'])
      expect(resourceKeys(await sorted.get('/manufacturers/1/vehicles'))).toEqual(['cars 1', 'trucks 2'])
      expect(includedKeys(await sorted.get('/manufacturers/1?include=vehicles'))).toEqual(['cars 1', 'trucks 2'])
    })
  })
})

it('an order that one of the types lacks is a mistake where nothing tells which is meant', async () => {
  class MotorDefinition extends ResourceDefinition {
    readonly resource = Vehicle
    override sort() {
      return 'mileage'
    }
  }
  await using(startVehicles({ definitions: [new MotorDefinition()], report: () => undefined }), async (sorted) => {
    await sorted.get('/cars').expect(200)
    await sorted.get('/vehicles').expect(500)
  })
})
