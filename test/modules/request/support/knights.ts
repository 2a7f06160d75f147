import { Attribute, ToMany, ToOne } from 'stemma'
import { Column, CreateDateColumn, JoinTable, ManyToMany, ManyToOne, PrimaryGeneratedColumn } from 'typeorm'
import { DerivedResource, HierarchyRoot, StoredResource } from '../../../support/resource-decorators'

@HierarchyRoot('humans', { abstract: true })
export abstract class Human {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 5, nullable: true }) name: string | null
  @Attribute() @Column({ type: 'smallint', nullable: true }) age: number | null
  @ToOne() @ManyToOne('Man') father: Man | null
  @ToMany() @ManyToMany('Human') @JoinTable() children: Human[]
  @ToOne() @ManyToOne('Human') bestFriend: Human | null
}

/** `squire` is a relationship to one of men and to many of women. */
@DerivedResource('men', { clientGeneratedIds: 'allowed' })
export class Man extends Human {
  @Attribute() @Column({ type: 'boolean', default: false }) hasBeard: boolean
  @Attribute() @CreateDateColumn() createdAt: Date
  @ToOne() @ManyToOne('Woman') wife: Woman | null
  @ToOne() @ManyToOne('Man') squire: Man | null
  @ToOne() @ManyToOne('Knight') champion: Knight | null
}

@DerivedResource('knights', { clientGeneratedIds: 'required' })
export class Knight extends Man {}

@DerivedResource('women', { clientGeneratedIds: 'forbidden' })
export class Woman extends Human {
  @Attribute() @Column({ type: 'varchar', nullable: true }) maidenName: string | null
  @ToOne() @ManyToOne('Man') husband: Man | null
  @ToMany({ name: 'squire' }) @ManyToMany('Woman') @JoinTable() squires: Woman[]
}

@DerivedResource('queens')
export class Queen extends Woman {}

@StoredResource('samples', { clientGeneratedIds: 'allowed' })
export class Sample {
  @PrimaryGeneratedColumn('uuid') id: string
  @Attribute() @Column({ type: 'varchar', length: 3 }) text: string
  @ToOne() @ManyToOne('Human', { nullable: false }) owner: Human
}

export const KNIGHTS = [Human, Man, Knight, Woman, Queen, Sample]
