import { Attribute, ToMany, ToOne } from 'stemma'
import { Column, Index, ManyToMany, ManyToOne, OneToMany, OneToOne, PrimaryGeneratedColumn } from 'typeorm'
import { type ApiOptions, startApi, type TestApi } from './api'
import { DerivedResource, HierarchyRoot, OwnerManyToMany, OwnerOneToOne, StoredResource } from './resource-decorators'

// Every way in which types of a hierarchy can differ: an abstract root, a concrete base, an abstract type in the middle, polymorphic
// targets on both sides, and names that several branches have (`features`, `serialCode`, `mileage`, `value`).

@HierarchyRoot('vehicles', { abstract: true })
export abstract class Vehicle {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'int', default: 0 }) weight: number
  @Attribute() @Column({ type: 'boolean', default: false }) requiresDriverLicense: boolean
  @ToOne() @Index() @ManyToOne('Manufacturer', 'vehicles', { nullable: true }) manufacturer: Manufacturer | null
  @ToMany() @OneToMany('Wheel', 'vehicle') wheels: Wheel[]
}

/** Has its own rows and a derived type. */
@DerivedResource('bikes')
export class Bike extends Vehicle {
  @Attribute() @Column({ type: 'int', default: 1 }) gearCount: number
  @ToOne() @ManyToOne('Box', { nullable: true }) cargoBox: Box | null
  @ToMany() @OneToMany('BicycleLight', 'bike') lights: BicycleLight[]
}

@DerivedResource('tandems')
export class Tandem extends Bike {
  @Attribute() @Column({ type: 'int', default: 2 }) passengerCount: number
  @ToOne() @ManyToOne('Box', { nullable: true }) foldingDimensions: Box | null
  @ToMany({ name: 'features' }) @OwnerManyToMany('Feature') tandemFeatures: Feature[]
}

@DerivedResource('motorVehicles', { abstract: true })
export abstract class MotorVehicle extends Vehicle {
  @Attribute() @Column({ type: 'varchar', length: 12, default: '' }) licensePlate: string
  @ToOne() @OwnerOneToOne('Engine', 'vehicle', { nullable: true }) engine: Engine | null
}

@DerivedResource('cars')
export class Car extends MotorVehicle {
  @Attribute() @Column({ type: 'int', nullable: true }) seatCount: number | null
  /** Shares a column with the field of trucks. */
  @Attribute() @Column({ type: 'int', nullable: true }) mileage: number | null
  @ToMany({ name: 'features' }) @OwnerManyToMany('Feature', 'cars') carFeatures: Feature[]
}

@DerivedResource('trucks')
export class Truck extends MotorVehicle {
  @Attribute() @Column({ type: 'int', nullable: true }) loadingCapacity: number | null
  @Attribute() @Column({ type: 'int', nullable: true }) mileage: number | null
  @ToOne() @ManyToOne('Box', { nullable: true }) sleepingArea: Box | null
  @ToMany({ name: 'features' }) @OwnerManyToMany('Feature') truckFeatures: Feature[]
}

@HierarchyRoot('wheels', { abstract: true })
export abstract class Wheel {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'int', default: 20 }) radius: number
  @ToOne() @Index() @ManyToOne('Vehicle', 'wheels', { nullable: true }) vehicle: Vehicle | null
}

@DerivedResource('chromeWheels')
export class ChromeWheel extends Wheel {
  @Attribute() @Column({ type: 'varchar', length: 20, nullable: true }) paintColor: string | null
}

@DerivedResource('carbonWheels')
export class CarbonWheel extends Wheel {
  @Attribute() @Column({ type: 'boolean', default: false }) hasTube: boolean
}

@HierarchyRoot('engines', { abstract: true })
export abstract class Engine {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'int', default: 0 }) capacity: number
  @ToOne() @OneToOne('MotorVehicle', 'engine') vehicle: MotorVehicle | null
}

@DerivedResource('gasolineEngines')
export class GasolineEngine extends Engine {
  @Attribute({ name: 'serialCode' }) @Column({ type: 'varchar', length: 20, nullable: true }) gasolineCode:
    | string
    | null
  @ToMany() @OneToMany('Cylinder', 'engine') cylinders: Cylinder[]
}

@DerivedResource('dieselEngines')
export class DieselEngine extends Engine {
  @Attribute({ name: 'serialCode' }) @Column({ type: 'varchar', length: 20, nullable: true }) dieselCode: string | null
  @Attribute() @Column({ type: 'int', default: 0 }) viscosity: number
}

@StoredResource('cylinders', { table: 'cylinder' })
export class Cylinder {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'int', default: 0 }) sparks: number
  @ToOne() @ManyToOne('GasolineEngine', 'cylinders', { nullable: true }) engine: GasolineEngine | null
}

@StoredResource('manufacturers', { table: 'manufacturer' })
export class Manufacturer {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80 }) name: string
  @ToMany() @OneToMany('Vehicle', 'manufacturer') vehicles: Vehicle[]
}

@StoredResource('boxes', { table: 'box' })
export class Box {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'int', default: 0 }) volume: number
}

@StoredResource('bicycleLights', { table: 'bicycle_light' })
export class BicycleLight {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 20, default: 'white' }) color: string
  @ToOne() @Index() @ManyToOne('Bike', 'lights', { nullable: true }) bike: Bike | null
}

@StoredResource('features', { table: 'feature' })
export class Feature {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80 }) description: string
  @ToMany() @ManyToMany('Car', 'carFeatures') cars: Car[]
  @ToMany() @OneToMany('GenericProperty', 'feature') properties: GenericProperty[]
}

@HierarchyRoot('genericProperties', { table: 'properties', abstract: true })
export abstract class GenericProperty {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80 }) name: string
  @ToOne() @ManyToOne('Feature', 'properties', { nullable: true }) feature: Feature | null
}

@DerivedResource('numberProperties')
export class NumberProperty extends GenericProperty {
  @ToOne({ name: 'value' }) @ManyToOne('NumberValue', { nullable: true }) numberValue: NumberValue | null
}

@DerivedResource('stringProperties')
export class StringProperty extends GenericProperty {
  @ToOne({ name: 'value' }) @ManyToOne('StringValue', { nullable: true }) stringValue: StringValue | null
}

@StoredResource('numberValues', { table: 'number_value' })
export class NumberValue {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'int' }) content: number
}

@StoredResource('stringValues', { table: 'string_value' })
export class StringValue {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80 }) content: string
}

export const VEHICLES = [
  ...[Vehicle, Bike, Tandem, MotorVehicle, Car, Truck, Wheel, ChromeWheel, CarbonWheel, Engine, GasolineEngine],
  ...[DieselEngine, Cylinder, Manufacturer, Box, BicycleLight, Feature],
  ...[GenericProperty, NumberProperty, StringProperty, NumberValue, StringValue],
]

export function startVehicles(options: ApiOptions = {}): Promise<TestApi> {
  return startApi(VEHICLES, options)
}
