import { Attribute, Resource, ToMany, ToOne } from 'stemma'
import {
  Column,
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

// Resources in one table, in joined tables, and in a table for each concrete type, to which no foreign key can refer.

@Resource('shelves')
@Entity('shelves')
export class Shelf {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'varchar', length: 40, unique: true }) name!: string
  @Attribute() @Column({ type: 'int', default: 0 }) count!: number
  @ToMany() @ManyToMany('Tag') @JoinTable({ name: 'shelf_tags' }) tags!: Tag[]
  @ToMany() @OneToMany('Tag', 'home') residents!: Tag[]
}

@Resource('tags', { clientGeneratedIds: 'required' })
@Entity('tags')
export class Tag {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id!: string
  @ToOne() @ManyToOne('Shelf', 'residents', { nullable: true }) home!: Shelf | null
}

@Resource('counters')
@Entity('counters')
export class Counter {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'int' }) count!: number
  @VersionColumn() version!: number
}

@Resource('letters')
@Entity('letters')
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
export class Letter {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) text!: string
}

@Resource('registeredLetters')
@Entity('registered_letters')
export class RegisteredLetter extends Letter {
  @Attribute() @Column({ type: 'varchar', length: 40 }) receipt!: string
}

@Resource('places', { abstract: true, clientGeneratedIds: 'required' })
@Entity('places')
export abstract class Place {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id!: string
  @Attribute() @Column({ type: 'varchar', length: 40 }) name!: string
  @ToOne() @OneToOne('Guide', 'place') guide!: Guide | null
}

@Resource('harbours')
@Entity('harbours')
export class Harbour extends Place {}

@Resource('islands')
@Entity('islands')
export class Island extends Place {}

@Resource('visits')
@Entity('visits')
export class Visit {
  @PrimaryGeneratedColumn() id!: number
  @ToOne() @ManyToOne('Place', { nullable: true }) @JoinColumn({ name: 'placeId' }) place!: Place | null
}

@Resource('guides')
@Entity('guides')
export class Guide {
  @PrimaryGeneratedColumn() id!: number
  @ToOne() @OneToOne('Place', 'guide', { nullable: true }) @JoinColumn({ name: 'placeId' }) place!: Place | null
}

export const RESOURCES = [Shelf, Tag, Counter, Letter, RegisteredLetter, Place, Harbour, Island, Visit, Guide]
