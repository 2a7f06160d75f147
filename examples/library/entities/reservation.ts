import { Attribute, Resource, ToOne } from 'stemma'
import { Column, Entity, Index, ManyToOne } from 'typeorm'
import type { Item } from './item'
import type { Member } from './member'
import { TenantRow } from './tenant-row'

/** `ready`: a copy is held for the member. `collected`: the member has borrowed it. */
export type ReservationState = 'waiting' | 'ready' | 'collected' | 'cancelled'

@Resource('reservations', {
  endpoints: ['getCollection', 'getResource', 'createResource', 'updateResource', 'getRelated', 'getRelationship'],
})
@Entity()
@Index(['tenant'])
@Index(['item', 'member'], { unique: true, where: `"state" in ('waiting', 'ready')` })
export class Reservation extends TenantRow {
  @Attribute() @Column({ type: 'varchar', length: 10, default: 'waiting' }) state!: ReservationState
  @ToOne() @Index() @ManyToOne('Item', 'reservations', { nullable: false }) item!: Item
  @ToOne() @Index() @ManyToOne('Member', 'reservations', { nullable: false }) member!: Member
}
