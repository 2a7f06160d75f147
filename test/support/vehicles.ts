import { Attribute, Resource, ToMany, ToOne } from 'stemma'
import {
  ChildEntity,
  Column,
  Entity,
  Index,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryGeneratedColumn,
  TableInheritance,
} from 'typeorm'
import { type ApiOptions, startApi, type TestApi } from './api'

// Every way in which types of a hierarchy can differ: an abstract root, a concrete base, an abstract type in the middle, polymorphic
// targets on both sides, and names that several branches have (`features`, `serialCode`, `mileage`, `value`).

@Resource('vehicles', { abstract: true })
@Entity('vehicles')
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
export abstract class Vehicle {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'int', default: 0 }) weight: number
  @Attribute() @Column({ type: 'boolean', default: false }) requiresDriverLicense: boolean
  @ToOne() @Index() @ManyToOne('Manufacturer', 'vehicles', { nullable: true }) manufacturer: Manufacturer | null
  @ToMany() @OneToMany('Wheel', 'vehicle') wheels: Wheel[]
}

/** Has its own rows and a derived type. */
@Resource('bikes')
@ChildEntity()
export class Bike extends Vehicle {
  @Attribute() @Column({ type: 'int', default: 1 }) gearCount: number
  @ToOne() @ManyToOne('Box', { nullable: true }) cargoBox: Box | null
  @ToMany() @OneToMany('BicycleLight', 'bike') lights: BicycleLight[]
}

@Resource('tandems')
@ChildEntity()
export class Tandem extends Bike {
  @Attribute() @Column({ type: 'int', default: 2 }) passengerCount: number
  @ToOne() @ManyToOne('Box', { nullable: true }) foldingDimensions: Box | null
  @ToMany({ name: 'features' }) @ManyToMany('Feature') @JoinTable() tandemFeatures: Feature[]
}

@Resource('motorVehicles', { abstract: true })
@ChildEntity()
export abstract class MotorVehicle extends Vehicle {
  @Attribute() @Column({ type: 'varchar', length: 12, default: '' }) licensePlate: string
  @ToOne() @OneToOne('Engine', 'vehicle', { nullable: true }) @JoinColumn() engine: Engine | null
}

@Resource('cars')
@ChildEntity()
export class Car extends MotorVehicle {
  @Attribute() @Column({ type: 'int', nullable: true }) seatCount: number | null
  /** Shares a column with the field of trucks. */
  @Attribute() @Column({ type: 'int', nullable: true }) mileage: number | null
  @ToMany({ name: 'features' }) @ManyToMany('Feature', 'cars') @JoinTable() carFeatures: Feature[]
}

@Resource('trucks')
@ChildEntity()
export class Truck extends MotorVehicle {
  @Attribute() @Column({ type: 'int', nullable: true }) loadingCapacity: number | null
  @Attribute() @Column({ type: 'int', nullable: true }) mileage: number | null
  @ToOne() @ManyToOne('Box', { nullable: true }) sleepingArea: Box | null
  @ToMany({ name: 'features' }) @ManyToMany('Feature') @JoinTable() truckFeatures: Feature[]
}

@Resource('wheels', { abstract: true })
@Entity('wheels')
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
export abstract class Wheel {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'int', default: 20 }) radius: number
  @ToOne() @Index() @ManyToOne('Vehicle', 'wheels', { nullable: true }) vehicle: Vehicle | null
}

@Resource('chromeWheels')
@ChildEntity()
export class ChromeWheel extends Wheel {
  @Attribute() @Column({ type: 'varchar', length: 20, nullable: true }) paintColor: string | null
}

@Resource('carbonWheels')
@ChildEntity()
export class CarbonWheel extends Wheel {
  @Attribute() @Column({ type: 'boolean', default: false }) hasTube: boolean
}

@Resource('engines', { abstract: true })
@Entity('engines')
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
export abstract class Engine {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'int', default: 0 }) capacity: number
  @ToOne() @OneToOne('MotorVehicle', 'engine') vehicle: MotorVehicle | null
}

@Resource('gasolineEngines')
@ChildEntity()
export class GasolineEngine extends Engine {
  @Attribute({ name: 'serialCode' }) @Column({ type: 'varchar', length: 20, nullable: true }) gasolineCode:
    | string
    | null
  @ToMany() @OneToMany('Cylinder', 'engine') cylinders: Cylinder[]
}

@Resource('dieselEngines')
@ChildEntity()
export class DieselEngine extends Engine {
  @Attribute({ name: 'serialCode' }) @Column({ type: 'varchar', length: 20, nullable: true }) dieselCode: string | null
  @Attribute() @Column({ type: 'int', default: 0 }) viscosity: number
}

@Resource('cylinders')
@Entity()
export class Cylinder {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'int', default: 0 }) sparks: number
  @ToOne() @ManyToOne('GasolineEngine', 'cylinders', { nullable: true }) engine: GasolineEngine | null
}

@Resource('manufacturers')
@Entity()
export class Manufacturer {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80 }) name: string
  @ToMany() @OneToMany('Vehicle', 'manufacturer') vehicles: Vehicle[]
}

@Resource('boxes')
@Entity()
export class Box {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'int', default: 0 }) volume: number
}

@Resource('bicycleLights')
@Entity()
export class BicycleLight {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 20, default: 'white' }) color: string
  @ToOne() @Index() @ManyToOne('Bike', 'lights', { nullable: true }) bike: Bike | null
}

@Resource('features')
@Entity()
export class Feature {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80 }) description: string
  @ToMany() @ManyToMany('Car', 'carFeatures') cars: Car[]
  @ToMany() @OneToMany('GenericProperty', 'feature') properties: GenericProperty[]
}

@Resource('genericProperties', { abstract: true })
@Entity('properties')
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
export abstract class GenericProperty {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80 }) name: string
  @ToOne() @ManyToOne('Feature', 'properties', { nullable: true }) feature: Feature | null
}

@Resource('numberProperties')
@ChildEntity()
export class NumberProperty extends GenericProperty {
  @ToOne({ name: 'value' }) @ManyToOne('NumberValue', { nullable: true }) numberValue: NumberValue | null
}

@Resource('stringProperties')
@ChildEntity()
export class StringProperty extends GenericProperty {
  @ToOne({ name: 'value' }) @ManyToOne('StringValue', { nullable: true }) stringValue: StringValue | null
}

@Resource('numberValues')
@Entity()
export class NumberValue {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'int' }) content: number
}

@Resource('stringValues')
@Entity()
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
