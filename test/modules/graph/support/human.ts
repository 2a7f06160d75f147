import {
  Column,
  Entity,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  PrimaryGeneratedColumn,
  TableInheritance,
} from 'typeorm'
import { Attribute } from '../../../../src/declarations/attribute'
import { Resource } from '../../../../src/declarations/resource'
import { ToMany } from '../../../../src/declarations/to-many'
import { ToOne } from '../../../../src/declarations/to-one'
import type { Man } from './man'
import type { Woman } from './woman'

/** Names the derived classes with strings, and imports only their types: there is no circle when the program runs. */
@Resource('humans', { abstract: true })
@Entity()
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
export abstract class Human {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80 }) name: string
  @ToOne() @ManyToOne('Man', 'offspring') father: Man | null
  @ToOne() @ManyToOne('Woman') mother: Woman | null
  @ToMany() @ManyToMany('Human') @JoinTable() children: Human[]
  @ToOne() @ManyToOne('Human', 'admirers') bestFriend: Human | null
  @ToMany({ page: { size: 3 }, totals: 'off' }) @OneToMany('Human', 'bestFriend') admirers: Human[]
  /** Tells the type of a row; known to the program, and no attribute. */
  @Column({ type: 'varchar', name: 'kind' }) readonly kind: string
}
