import { Attribute, type ResourceClass, ToMany } from 'stemma'
import { Column, JoinTable, ManyToMany } from 'typeorm'
import { type ApiOptions, ref, refs, startApi, type TestApi } from './api'
import { DerivedResource } from './resource-decorators'
import {
  BicycleLight,
  Bike,
  Box,
  Car,
  CarbonWheel,
  ChromeWheel,
  Cylinder,
  DieselEngine,
  Feature,
  GasolineEngine,
  Manufacturer,
  MotorVehicle,
  NumberProperty,
  NumberValue,
  StringProperty,
  StringValue,
  Tandem,
  Truck,
  VEHICLES,
} from './vehicles'

/** Has no URLs. */
@DerivedResource('sleds', { endpoints: [] })
export class Sled extends Bike {}

/** Has the same names as fields of bikes and cars, with other meanings. */
@DerivedResource('vans')
export class Van extends MotorVehicle {
  /** For bikes a relationship. */
  @Attribute({ name: 'cargoBox' }) @Column({ type: 'int', nullable: true }) cargoBoxes: number | null
  /** Named `bicycleLights` in bikes. */
  @ToMany({ name: 'lights' }) @ManyToMany('Feature') @JoinTable() vanLights: Feature[]
  @ToMany({ name: 'features', capabilities: ['view'] }) @ManyToMany('Feature') @JoinTable() vanFeatures: Feature[]
}

/** The vehicles, one of each type, in the order of their ids: bikes 1, tandems 2, cars 3, trucks 4. */
export async function startFilledVehicles(
  options: ApiOptions = {},
  others: readonly ResourceClass[] = [],
): Promise<TestApi> {
  const api = await startApi([...VEHICLES, ...others], options)
  await addParts(api)
  await addVehicles(api)
  return api
}

async function addParts(api: TestApi): Promise<void> {
  for (const name of ['Gazelle', 'Volvo']) await api.add(Manufacturer, { name })
  for (const volume of [10, 20, 30]) await api.add(Box, { volume })
  for (const description of ['bell', 'radio', 'heater']) await api.add(Feature, { description })
  await api.add(NumberValue, { content: 5 })
  await api.add(StringValue, { content: 'five' })
  await api.add(NumberProperty, { name: 'watts', numberValue: ref('1'), feature: ref('2') })
  await api.add(StringProperty, { name: 'brand', stringValue: ref('1'), feature: ref('2') })
  await api.add(StringProperty, { name: 'tone', feature: ref('1') })
  await api.add(GasolineEngine, { capacity: 5, gasolineCode: 'G1' })
  await api.add(DieselEngine, { capacity: 3, dieselCode: 'D1', viscosity: 70 })
  for (const sparks of [3, 1, 2]) await api.add(Cylinder, { sparks, engine: ref('1') })
}

async function addVehicles(api: TestApi): Promise<void> {
  const [gazelle, volvo] = [ref('1'), ref('2')]
  await api.add(Bike, { weight: 10, gearCount: 7, manufacturer: gazelle, cargoBox: ref('1') })
  await api.add(Tandem, {
    ...{ weight: 20, gearCount: 3, passengerCount: 2, manufacturer: gazelle },
    ...{ foldingDimensions: ref('2'), tandemFeatures: refs('1') },
  })
  await api.add(Car, {
    ...{ weight: 900, requiresDriverLicense: true, licensePlate: 'C', seatCount: 4, mileage: 30 },
    ...{ manufacturer: volvo, engine: ref('1'), carFeatures: refs('2', '3') },
  })
  await api.add(Truck, {
    ...{ weight: 4000, requiresDriverLicense: true, licensePlate: 'T', loadingCapacity: 9, mileage: 10 },
    ...{ manufacturer: volvo, engine: ref('2'), sleepingArea: ref('3'), truckFeatures: refs('2') },
  })
  await api.add(ChromeWheel, { paintColor: 'silver', vehicle: ref('1') })
  await api.add(CarbonWheel, { hasTube: true, vehicle: ref('2') })
  await api.add(ChromeWheel, { paintColor: 'gold', vehicle: ref('3') })
  await api.add(CarbonWheel, { vehicle: ref('3') })
  for (const color of ['white', 'red']) await api.add(BicycleLight, { color, bike: ref('2') })
}
