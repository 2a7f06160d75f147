import { ChildEntity, Column, ManyToOne } from 'typeorm'
import { Attribute } from '../../../../src/declarations/attribute'
import { Resource } from '../../../../src/declarations/resource'
import { ToOne } from '../../../../src/declarations/to-one'
import { Human } from './human'
import type { Man } from './man'

@Resource('women')
@ChildEntity()
export class Woman extends Human {
  @Attribute() @Column({ type: 'varchar', nullable: true }) maidenName: string | null
  /** Men have one too, of the same type: the two share a column. */
  @Attribute() @Column({ type: 'int', nullable: true }) age: number | null
  @ToOne() @ManyToOne('Man') husband: Man | null
}
