import { Attribute, Resource, ToMany, ToOne } from 'stemma'
import {
  ChildEntity,
  Column,
  Entity,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  PrimaryGeneratedColumn,
  TableInheritance,
} from 'typeorm'

/** Names derived classes with strings, as entities in separate files do. */
@Resource('humans', { abstract: true, unknownFields: 'ignore' })
@Entity()
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
export abstract class Human {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80 }) name: string
  @ToOne() @ManyToOne('Man', 'offspring') father: Man | null
  @ToOne() @ManyToOne('Woman') mother: Woman | null
  @ToMany() @ManyToMany('Human') @JoinTable() children: Human[]
  @ToOne() @ManyToOne('Human', 'admirers') bestFriend: Human | null
  @ToMany({ page: { size: 3 }, totals: false }) @OneToMany('Human', 'bestFriend') admirers: Human[]
  /** The discriminator, which is no attribute. */
  @Column({ type: 'varchar', name: 'kind' }) readonly kind: string
}

@Resource('men', { page: { size: 5 }, totals: false })
@ChildEntity()
export class Man extends Human {
  @Attribute() @Column({ type: 'boolean', default: false }) hasBeard: boolean
  @Attribute() @Column({ type: 'int' }) age: number
  @ToOne() @ManyToOne('Woman') wife: Woman | null
  @ToMany({ page: false }) @OneToMany('Human', 'father') offspring: Human[]
}

@Resource('grandfathers')
@ChildEntity()
export class Grandfather extends Man {
  @Attribute() @Column({ type: 'varchar', nullable: true }) cane: string | null
}

@Resource('women', { page: { size: null }, unknownFields: 'reject' })
@ChildEntity()
export class Woman extends Human {
  @Attribute() @Column({ type: 'varchar', nullable: true }) maidenName: string | null
  /** Shares a column with `age` of men. */
  @Attribute() @Column({ type: 'int', nullable: true }) age: number | null
  @ToOne() @ManyToOne('Man') husband: Man | null
}
