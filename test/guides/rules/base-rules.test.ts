import { and, equals, isType, not, or, ResourceDefinition } from 'stemma'
import { ref, using } from '../../support/api'
import { define } from '../../support/define'
import { includedKeys, resourceKeys } from '../../support/expectations'
import { setUp } from '../../support/set-up'
import * as models from '../../support/vehicles'

const { Bike, Car, DieselEngine, Engine, GasolineEngine } = models
const { Manufacturer, startVehicles, Tandem, Truck, Vehicle } = models

describe('a filter rule of a base that uses isType', () => {
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

  const api = setUp(() => startVehicles({ definitions: [new VehicleDefinition(), new TandemDefinition()] }))
  beforeAll(async () => {
    await api.add(Car)
    await api.add(Truck)
    for (const gearCount of [3, 4]) await api.add(Bike, { gearCount })
    for (const passengerCount of [2, 9]) await api.add(Tandem, { gearCount: 3, passengerCount })
  })

  it.each([
    ['/vehicles', ['cars 1', 'bikes 3', 'tandems 5']],
    ['/cars', ['cars 1']],
    ['/trucks', []],
    ['/bikes', ['bikes 3', 'tandems 5']],
    ['/tandems', ['tandems 5']],
    ['/vehicles?filter=isType(,motorVehicles)', ['cars 1']],
  ])('is evaluated for each type at %s', async (path, expected) => {
    expect(resourceKeys(await api.get(path))).toEqual(expected)
  })

  it('does not let clients name a type outside the collection', async () => {
    await api.get('/bikes?filter=isType(,cars)').expect(400)
  })
})

describe('a sort rule on a field that each type declares itself', () => {
  it('orders collections of the type, and no collection, relationship or include of a base', async () => {
    const sorted = [Car, Truck].map((type) => define<models.Vehicle>(type, { sort: () => '-mileage' }))
    const definitions = [define(Engine, { sort: () => '-serialCode' }), ...sorted]
    await using(startVehicles({ definitions }), async (api) => {
      for (const gasolineCode of ['A', 'B']) await api.add(GasolineEngine, { gasolineCode })
      for (const dieselCode of ['Y', 'Z']) await api.add(DieselEngine, { dieselCode })
      expect(resourceKeys(await api.get('/gasolineEngines'))).toEqual(['gasolineEngines 2', 'gasolineEngines 1'])
      const byId = ['gasolineEngines 1', 'gasolineEngines 2', 'dieselEngines 3', 'dieselEngines 4']
      expect(resourceKeys(await api.get('/engines'))).toEqual(byId)
      const manufacturer = ref(await api.add(Manufacturer, { name: 'M' }))
      await api.add(Car, { mileage: 1, manufacturer })
      await api.add(Truck, { mileage: 2, manufacturer })
      for (const path of ['/motorVehicles', '/manufacturers/1/vehicles'])
        expect(resourceKeys(await api.get(path))).toEqual(['cars 1', 'trucks 2'])
      expect(includedKeys(await api.get('/manufacturers/1?include=vehicles'))).toEqual(['cars 1', 'trucks 2'])
    })
  })

  it('returns 500 where the field is ambiguous', async () => {
    const definitions = [define(Vehicle, { sort: () => 'mileage' })]
    await using(startVehicles({ definitions, report: () => {} }), async (api) => {
      await api.get('/cars').expect(200)
      await api.get('/vehicles').expect(500)
    })
  })
})
