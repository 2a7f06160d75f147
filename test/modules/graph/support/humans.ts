import { Attribute, ToMany, ToOne } from 'stemma'
import { Column, JoinTable, ManyToMany, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import { DerivedResource, HierarchyRoot } from '../../../support/resource-decorators'

/** Names derived classes with strings, as entities in separate files do. */
@HierarchyRoot('humans', { abstract: true, unknownFields: 'ignore' })
export abstract class Human {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80 }) name: string
  @ToOne({ required: true }) @ManyToOne('Man', 'offspring') father: Man | null
  @ToOne() @ManyToOne('Woman') mother: Woman | null
  @ToMany() @ManyToMany('Human') @JoinTable() children: Human[]
  @ToOne() @ManyToOne('Human', 'admirers') bestFriend: Human | null
  @ToMany({ page: { size: 3 }, totals: false }) @OneToMany('Human', 'bestFriend') admirers: Human[]
  /** The discriminator, which is no attribute. */
  @Column({ type: 'varchar', name: 'kind' }) readonly kind: string
}

@DerivedResource('men', { page: { size: 5 }, totals: false })
export class Man extends Human {
  @Attribute() @Column({ type: 'boolean', default: false }) hasBeard: boolean
  @Attribute() @Column({ type: 'int' }) age: number
  @ToOne() @ManyToOne('Woman') wife: Woman | null
  @ToMany({ page: false }) @OneToMany('Human', 'father') offspring: Human[]
}

@DerivedResource('grandfathers')
export class Grandfather extends Man {
  @Attribute() @Column({ type: 'varchar', nullable: true }) cane: string | null
}

@DerivedResource('women', { page: { size: null }, unknownFields: 'reject' })
export class Woman extends Human {
  @Attribute() @Column({ type: 'varchar', nullable: true }) maidenName: string | null
  /** Shares a column with `age` of men. */
  @Attribute() @Column({ type: 'int', nullable: true }) age: number | null
  @ToOne() @ManyToOne('Man') husband: Man | null
}
