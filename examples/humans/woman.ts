import { Attribute, Resource, ToOne } from 'stemma'
import { ChildEntity, Column, Index, ManyToOne } from 'typeorm'
import { Human } from './human'
import type { Man } from './man'

@Resource('women')
@ChildEntity()
export class Woman extends Human {
  @Attribute()
  @Column({ type: 'varchar', length: 80, nullable: true })
  maidenName!: string | null

  @ToOne()
  @Index()
  @ManyToOne('Man', { nullable: true, onDelete: 'SET NULL' })
  husband!: Man | null
}
