import { ChildEntity, Column, ManyToOne, OneToMany } from 'typeorm'
import { Attribute } from '../../../../src/declarations/attribute'
import { Resource } from '../../../../src/declarations/resource'
import { ToMany } from '../../../../src/declarations/to-many'
import { ToOne } from '../../../../src/declarations/to-one'
import { Human } from './human'
import type { Woman } from './woman'

@Resource('men', { page: { size: 5 }, totals: 'off' })
@ChildEntity()
export class Man extends Human {
  @Attribute() @Column({ type: 'boolean', default: false }) hasBeard: boolean
  @Attribute() @Column({ type: 'int' }) age: number
  @ToOne() @ManyToOne('Woman') wife: Woman | null
  @ToMany({ page: 'off' }) @OneToMany('Human', 'father') offspring: Human[]
}

@Resource('grandfathers')
@ChildEntity()
export class Grandfather extends Man {
  @Attribute() @Column({ type: 'varchar', nullable: true }) cane: string | null
}
