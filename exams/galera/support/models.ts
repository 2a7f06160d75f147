import { Attribute, ToMany, ToOne } from 'stemma'
import {
  Column,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  VersionColumn,
} from 'typeorm'
import { HierarchyRoot, StoredResource } from '../../../test/support/resource-decorators'

// Resources in one table, in joined tables, and in a table for each concrete type, to which no foreign key can refer.

@StoredResource('shelves')
export class Shelf {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'varchar', length: 40, unique: true }) name!: string
  @Attribute() @Column({ type: 'int', default: 0 }) count!: number
  @ToMany() @ManyToMany('Tag') @JoinTable({ name: 'shelf_tags' }) tags!: Tag[]
  @ToMany() @OneToMany('Tag', 'home') residents!: Tag[]
}

@StoredResource('tags', { clientGeneratedIds: 'required' })
export class Tag {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id!: string
  @ToOne() @ManyToOne('Shelf', 'residents', { nullable: true }) home!: Shelf | null
}

@StoredResource('counters')
export class Counter {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'int' }) count!: number
  @VersionColumn() version!: number
}

@HierarchyRoot('letters')
export class Letter {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) text!: string
}

@StoredResource('registeredLetters', { table: 'registered_letters' })
export class RegisteredLetter extends Letter {
  @Attribute() @Column({ type: 'varchar', length: 40 }) receipt!: string
}

@StoredResource('places', { abstract: true, clientGeneratedIds: 'required' })
export abstract class Place {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id!: string
  @Attribute() @Column({ type: 'varchar', length: 40 }) name!: string
  @ToOne() @OneToOne('Guide', 'place') guide!: Guide | null
}

@StoredResource('harbours')
export class Harbour extends Place {}

@StoredResource('islands')
export class Island extends Place {}

@StoredResource('visits')
export class Visit {
  @PrimaryGeneratedColumn() id!: number
  @ToOne() @ManyToOne('Place', { nullable: true }) @JoinColumn({ name: 'placeId' }) place!: Place | null
}

@StoredResource('guides')
export class Guide {
  @PrimaryGeneratedColumn() id!: number
  @ToOne() @OneToOne('Place', 'guide', { nullable: true }) @JoinColumn({ name: 'placeId' }) place!: Place | null
}

export const RESOURCES = [Shelf, Tag, Counter, Letter, RegisteredLetter, Place, Harbour, Island, Visit, Guide]
