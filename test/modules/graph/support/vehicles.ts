import {
  ChildEntity,
  Column,
  CreateDateColumn,
  Entity,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  TableInheritance,
  VersionColumn,
} from 'typeorm'
import { Attribute } from '../../../../src/declarations/attribute'
import { Resource } from '../../../../src/declarations/resource'
import { ToMany } from '../../../../src/declarations/to-many'
import { ToOne } from '../../../../src/declarations/to-one'

/** No resource and no entity: what it declares belongs to the types that extend it. */
export abstract class Recorded {
  @Attribute() @CreateDateColumn() createdAt: Date
  @Attribute() @VersionColumn() version: number
}

@Resource('vehicles', { abstract: true, clientIds: 'allowed' })
@Entity()
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
export abstract class Vehicle extends Recorded {
  @PrimaryColumn({ type: 'varchar', length: 20 }) id: string
  @Attribute() @Column({ type: 'decimal', precision: 8, scale: 2 }) weight: string
  @ToOne() @ManyToOne('Manufacturer', 'vehicles', { nullable: false }) manufacturer: Manufacturer
  @ToMany() @OneToMany('Wheel', 'vehicle') wheels: Wheel[]
}

/** Has rows of its own, and a type below it. */
@Resource('bikes')
@ChildEntity()
export class Bike extends Vehicle {
  @Attribute() @Column({ type: 'int' }) gearCount: number
}

@Resource('tandems')
@ChildEntity()
export class Tandem extends Bike {
  @Attribute() @Column({ type: 'int', default: 2 }) passengerCount: number
  @ToMany({ name: 'features' }) @ManyToMany('Feature') @JoinTable() tandemFeatures: Feature[]
}

@Resource('motorVehicles', { abstract: true, page: { size: 20 } })
@ChildEntity()
export abstract class MotorVehicle extends Vehicle {
  @Attribute() @Column({ type: 'varchar', length: 12 }) licensePlate: string
  @ToOne() @OneToOne('Engine', 'vehicle') @JoinColumn() engine: Engine | null
}

@Resource('cars')
@ChildEntity()
export class Car extends MotorVehicle {
  @Attribute() @Column({ type: 'int' }) seatCount: number
  @Attribute({ name: 'serialCode' }) @Column({ type: 'varchar' }) carSerialCode: string
  @ToMany({ name: 'features' }) @ManyToMany('Feature', 'cars') @JoinTable() carFeatures: Feature[]
}

@Resource('trucks')
@ChildEntity()
export class Truck extends MotorVehicle {
  @Attribute() @Column({ type: 'float', nullable: true }) loadingCapacity: number | null
  @Attribute({ name: 'serialCode' }) @Column({ type: 'int' }) truckSerialCode: number
}

@Resource('manufacturers', { page: { size: 7 } })
@Entity()
export class Manufacturer {
  @PrimaryGeneratedColumn('uuid') id: string
  @ToMany() @OneToMany('Vehicle', 'manufacturer') vehicles: Vehicle[]
}

@Resource('wheels')
@Entity()
export class Wheel {
  @PrimaryGeneratedColumn() id: number
  @Column({ type: 'varchar', nullable: true }) vehicleId: string | null
  @ToOne()
  @ManyToOne('Vehicle', 'wheels', { orphanedRowAction: 'delete' })
  @JoinColumn({ name: 'vehicleId' })
  vehicle: Vehicle | null
}

@Resource('engines')
@Entity()
export class Engine {
  @PrimaryGeneratedColumn() id: number
  @ToOne() @OneToOne('MotorVehicle', 'engine') vehicle: MotorVehicle | null
}

@Resource('features', { page: { size: null } })
@Entity()
export class Feature {
  @PrimaryGeneratedColumn() id: number
  @ToMany() @ManyToMany('Car', 'carFeatures') cars: Car[]
}

export const VEHICLES = [
  ...[Vehicle, Bike, Tandem, MotorVehicle, Car, Truck],
  ...[Manufacturer, Wheel, Engine, Feature],
]
