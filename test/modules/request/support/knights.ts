import { Attribute, Resource, ToMany, ToOne } from 'stemma'
import {
  ChildEntity,
  Column,
  CreateDateColumn,
  Entity,
  JoinTable,
  ManyToMany,
  ManyToOne,
  PrimaryGeneratedColumn,
  TableInheritance,
} from 'typeorm'

@Resource('humans', { abstract: true })
@Entity()
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
export abstract class Human {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 5, nullable: true }) name: string | null
  @Attribute() @Column({ type: 'smallint', nullable: true }) age: number | null
  @ToOne() @ManyToOne('Man') father: Man | null
  @ToMany() @ManyToMany('Human') @JoinTable() children: Human[]
  @ToOne() @ManyToOne('Human') bestFriend: Human | null
}

/** `squire` is a relationship to one of men and to many of women. */
@Resource('men', { clientGeneratedIds: 'allowed' })
@ChildEntity()
export class Man extends Human {
  @Attribute() @Column({ type: 'boolean', default: false }) hasBeard: boolean
  @Attribute() @CreateDateColumn() createdAt: Date
  @ToOne() @ManyToOne('Woman') wife: Woman | null
  @ToOne() @ManyToOne('Man') squire: Man | null
  @ToOne() @ManyToOne('Knight') champion: Knight | null
}

@Resource('knights', { clientGeneratedIds: 'required' })
@ChildEntity()
export class Knight extends Man {}

@Resource('women', { clientGeneratedIds: 'forbidden' })
@ChildEntity()
export class Woman extends Human {
  @Attribute() @Column({ type: 'varchar', nullable: true }) maidenName: string | null
  @ToOne() @ManyToOne('Man') husband: Man | null
  @ToMany({ name: 'squire' }) @ManyToMany('Woman') @JoinTable() squires: Woman[]
}

@Resource('queens')
@ChildEntity()
export class Queen extends Woman {}

@Resource('samples', { clientGeneratedIds: 'allowed' })
@Entity()
export class Sample {
  @PrimaryGeneratedColumn('uuid') id: string
  @Attribute() @Column({ type: 'varchar', length: 3 }) text: string
  @ToOne() @ManyToOne('Human', { nullable: false }) owner: Human
}

export const KNIGHTS = [Human, Man, Knight, Woman, Queen, Sample]
