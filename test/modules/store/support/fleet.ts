import { Attribute, ToMany, ToOne } from 'stemma'
import {
  BeforeUpdate,
  Column,
  CreateDateColumn,
  DeleteDateColumn,
  Index,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryGeneratedColumn,
  Unique,
  UpdateDateColumn,
  VersionColumn,
} from 'typeorm'
import { DATABASE } from '../../../support/database'
import { DerivedResource, HierarchyRoot, StoredResource } from '../../../support/resource-decorators'

const ENUM = DATABASE === 'sqlite' ? 'simple-enum' : 'enum'

// Three levels; two of them are abstract, and one of the concrete types has another below it.

class Place {
  @Column({ type: 'varchar', length: 80 }) street: string
  @Column({ type: 'varchar', length: 80, nullable: true }) city: string | null
}

@StoredResource('persons', { table: 'person' })
class Person {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80 }) name: string
  @ToMany() @OneToMany('Asset', 'owner') assets: Asset[]
  @ToMany() @OneToMany('Car', 'owner') cars: Car[]
  @ToMany() @ManyToMany('Vehicle', 'drivers') driven: Vehicle[]
  @ToOne() @ManyToOne(() => Vehicle, { nullable: true }) favourite: Vehicle | null
  @ToOne() @OneToOne('Truck', 'keeper') @JoinColumn() truck: Truck | null
}

@StoredResource('tags', { table: 'tag' })
class Tag {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80 }) name: string
  @ToMany() @ManyToMany('Asset', 'tags') assets: Asset[]
  @ToMany() @ManyToMany('Truck') @JoinTable() trucks: Truck[]
}

@HierarchyRoot('assets', { table: 'asset', abstract: true })
@Index('ix_asset_name', ['name'])
@Unique('uq_asset_code', ['code'])
abstract class Asset {
  @PrimaryGeneratedColumn('uuid') id: string
  @Attribute() @Column({ type: 'varchar', length: 80 }) name: string
  @Attribute() @Column({ type: 'varchar', length: 20, nullable: true }) code: string | null
  @Attribute() @Column({ type: ENUM, enum: ['new', 'used'], default: 'new' }) state: string
  @Attribute() @Column(() => Place) place: Place
  @Attribute() @VersionColumn() version: number
  @Attribute() @CreateDateColumn() createdAt: Date
  @Attribute() @UpdateDateColumn() updatedAt: Date
  @Attribute() @DeleteDateColumn() deletedAt: Date | null
  @ToOne() @ManyToOne('Person', 'assets', { nullable: true, onDelete: 'SET NULL' }) owner: Person
  @ToMany() @ManyToMany('Tag', 'assets') @JoinTable() tags: Tag[]
  @BeforeUpdate() touch() {}
}

@DerivedResource('vehicles', { abstract: true })
abstract class Vehicle extends Asset {
  @Attribute() @Column({ type: 'int', default: 4 }) wheels: number
  @ToOne() @ManyToOne('Vehicle', 'successors', { nullable: true }) predecessor: Vehicle | null
  @ToMany() @OneToMany('Vehicle', 'predecessor') successors: Vehicle[]
  @ToMany() @ManyToMany('Person', 'driven') @JoinTable() drivers: Person[]
}

@DerivedResource('cars')
class Car extends Vehicle {
  @Attribute() @Column({ type: 'int', nullable: true }) doors: number | null
  @Attribute() @Column({ type: ENUM, enum: ['red', 'blue'], nullable: true }) paint: string | null
  @ToMany() @ManyToMany(() => Person) @JoinTable() passengers: Person[]
}

@DerivedResource('sportsCars')
class SportsCar extends Car {
  @Attribute() @Column({ type: 'int', default: 0 }) power: number
  @ToOne() @ManyToOne(() => Car, { nullable: true }) rival: Car | null
  @ToMany() @ManyToMany(() => House) @JoinTable() garages: House[]
}

@DerivedResource('trucks')
@Index(['load'])
class Truck extends Vehicle {
  @Attribute() @Column({ type: 'int', default: 0 }) load: number
  @ToOne() @OneToOne('Person', 'truck') keeper: Person | null
}

@DerivedResource('houses')
class House extends Asset {
  @Attribute() @Column(() => Place) second: Place
  @ToMany() @OneToMany('Room', 'house') rooms: Room[]
}

@StoredResource('rooms', { table: 'room' })
class Room {
  @PrimaryGeneratedColumn() id: number
  @ToOne() @ManyToOne('House', 'rooms', { nullable: false, onDelete: 'CASCADE' }) house: House
}

export const FLEET = { Person, Tag, Room, Asset, Vehicle, Car, SportsCar, Truck, House }
