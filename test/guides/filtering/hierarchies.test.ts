import { setUp } from '../../support/api'
import { idsOf } from '../../support/expectations'
import { startFilledVehicles } from '../../support/filled-vehicles'
import type { Row } from '../../support/row'
import { ChromeWheel } from '../../support/vehicles'

const api = setUp(startFilledVehicles)
beforeAll(() => api.add(ChromeWheel, { vehicle: null }))

it.each<Row<[path: string, filter: string, expected: string]>>([
  ['/vehicles', 'isType(,bikes)', '1 2', 'R/R-63'],
  ['/vehicles', 'isType(,tandems)', '2', 'R/R-62'],
  ['/vehicles', 'isType(,motorVehicles)', '3 4', 'R/R-62'],
  ['/vehicles', 'not(isType(,bikes))', '3 4'],
  ['/vehicles', "isType(,bikes,equals(gearCount,'3'))", '2', 'R/R-61'],
  ['/vehicles', "isType(,bikes,equals(cargoBox.volume,'10'))", '1', 'R/R-64'],
  ['/vehicles', "isType(,trucks,equals(mileage,'30'))", ''],
  ['/vehicles', "isType(,trucks,equals(loadingCapacity,'9'))", '4', 'R/R-64'],
  ['/vehicles', "or(isType(,bikes,equals(gearCount,'7')),isType(,trucks))", '1 4', 'R/R-70'],
  ['/vehicles', "not(isType(,cars,equals(seatCount,'4')))", '1 2 4'],
  ['/vehicles', "equals(isType(,cars),'false')", '1 2 4'],
  ['/vehicles', 'isType(,motorVehicles,isType(,cars))', '3'],
  ['/vehicles', 'isType(,motorVehicles,not(isType(engine,dieselEngines)))', '3', 'R/R-65'],
  ['/vehicles', "isType(,motorVehicles,isType(engine,dieselEngines,greaterThan(viscosity,'50')))", '4', 'R/R-64'],
  ['/vehicles', "isType(,motorVehicles,isType(engine,gasolineEngines,has(cylinders,equals(sparks,'3'))))", '3'],
  ['/vehicles', "isType(,motorVehicles,isType(engine,gasolineEngines,greaterThan(count(cylinders),'0')))", '3'],
  ['/vehicles', "isType(,cars,has(features,equals(description,'radio')))", '3', 'R/R-64'],
  ['/vehicles', "has(wheels,isType(,chromeWheels,equals(paintColor,'gold')))", '3', 'R/R-66'],
  ['/vehicles', 'has(wheels,not(isType(,carbonWheels)))', '1 3', 'R/R-66'],
  ['/vehicles', "has(wheels,isType(vehicle,bikes,isType(,tandems,equals(passengerCount,'2'))))", '2'],
  ['/vehicles', "equals(id,'3')", '3', 'R/R-72'],
  ['/vehicles', "any(id,'2','4','9')", '2 4', 'R/R-72'],
  ['/bikes', 'isType(,tandems)', '2'],
  ['/wheels', 'isType(vehicle,tandems)', '2', 'R/R-61'],
  ['/wheels', 'isType(vehicle,bikes)', '1 2', 'R/R-63'],
  ['/wheels', "isType(vehicle,cars,equals(seatCount,'4'))", '3 4', 'R/R-61'],
  ['/wheels', 'isType(vehicle,motorVehicles)', '3 4', 'R/R-65'],
  ['/wheels', 'not(isType(vehicle,motorVehicles))', '1 2 5', 'R/R-65'],
  ['/wheels', "equals(vehicle.id,'3')", '3 4', 'R/R-72'],
  ['/cylinders', "isType(engine.vehicle,cars,equals(seatCount,'4'))", '1 2 3', 'R/R-61'],
  ['/cylinders', "isType(engine.vehicle,cars,equals(seatCount,'5'))", '', 'R/R-61'],
])('filters and counts %s by %s', async (path, filter, expected) => {
  const response = await api.get(`${path}?filter=${filter}`)
  expect(idsOf(response)).toBe(expected)
  expect(response.body.meta.total).toBe(response.body.data.length)
})
