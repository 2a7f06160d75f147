import { Attribute, Resource, ToOne } from 'stemma'
import { ChildEntity, Column, Index, ManyToOne } from 'typeorm'
import { Human } from './human'
import type { Woman } from './woman'

@Resource('men')
@ChildEntity()
export class Man extends Human {
  @Attribute()
  @Column({ type: 'boolean', default: false })
  hasBeard!: boolean

  /** Independent of `Woman.husband`. */
  @ToOne()
  @Index()
  @ManyToOne('Woman', { nullable: true, onDelete: 'SET NULL' })
  wife!: Woman | null
}
