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
// Imports types only, and names relation targets by strings: Man and Woman extend this class, so it must not load them.
import type { Man } from './man'
import type { Woman } from './woman'

/** The fields that men and women share. Abstract: `/humans` returns both, and every row is one of them. */
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

  /** Independent of `father` and `mother`. */
  @ToMany()
  @ManyToMany('Human')
  @JoinTable({ name: 'human_children', joinColumn: { name: 'parentId' }, inverseJoinColumn: { name: 'childId' } })
  children!: Human[]

  @ToOne()
  @Index()
  @ManyToOne('Human', { nullable: true, onDelete: 'SET NULL' })
  bestFriend!: Human | null
}
