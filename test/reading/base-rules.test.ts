import { and, equals, isType, not, or, ResourceDefinition } from 'stemma'
import { shownKeys } from '../support/shown'
import type { Stocked } from '../support/stock'
import { Bike, Car, startVehicles, Tandem, Truck, Vehicle } from '../support/vehicles'

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

let api: Stocked

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
  expect(shownKeys(await api.get(path))).toEqual(expected)
})

it('leaves clients with the types below the one in scope', async () => {
  expect((await api.get('/bikes?filter=isType(,cars)')).status).toBe(400)
})
