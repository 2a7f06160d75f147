import { Attribute, Resource, ToMany, ToOne } from 'stemma'
import {
  Column,
  Entity,
  Index,
  JoinTable,
  ManyToMany,
  ManyToOne,
  PrimaryGeneratedColumn,
  TableInheritance,
} from 'typeorm'
// Types only, and targets named by strings below: Man and Woman extend this class, so nothing here may load them.
import type { Man } from './man'
import type { Woman } from './woman'

/** What men and women have in common. Abstract: `/humans` shows both, and every row is one of them. */
@Resource('humans', { abstract: true })
@Entity('humans')
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
export abstract class Human {
  @PrimaryGeneratedColumn()
  id!: number

  @Attribute()
  @Column({ type: 'varchar', length: 80 })
  name!: string

  @ToOne()
  @Index()
  @ManyToOne('Man', { nullable: true, onDelete: 'SET NULL' })
  father!: Man | null

  @ToOne()
  @Index()
  @ManyToOne('Woman', { nullable: true, onDelete: 'SET NULL' })
  mother!: Woman | null

  /** A relationship of its own: setting it changes no `father` or `mother`. */
  @ToMany()
  @ManyToMany('Human')
  @JoinTable({ name: 'human_children', joinColumn: { name: 'parentId' }, inverseJoinColumn: { name: 'childId' } })
  children!: Human[]

  @ToOne()
  @Index()
  @ManyToOne('Human', { nullable: true, onDelete: 'SET NULL' })
  bestFriend!: Human | null
}
