import { Attribute, Resource, ToMany, ToOne } from 'stemma'
import { Column, Entity, Index, ManyToOne, OneToMany } from 'typeorm'
import type { Branch } from './branch'
import type { Item } from './item'
import type { Loan } from './loan'
import { TenantRow } from './tenant-row'

/** `held`: kept at the desk for a member whose reservation is ready. */
export type CopyState = 'available' | 'lent' | 'held' | 'lost'

@Resource('copies')
@Entity()
@Index(['tenant', 'barcode'], { unique: true })
export class Copy extends TenantRow {
  @Attribute() @Column({ type: 'varchar', length: 20 }) barcode!: string
  /** Only the rules of loans and reservations change it: see rules/circulation.ts. */
  @Attribute({ capabilities: ['view', 'filter', 'sort'] })
  @Column({ type: 'varchar', length: 10, default: 'available' })
  state!: CopyState
  @ToOne() @Index() @ManyToOne('Item', 'copies', { nullable: false }) item!: Item
  /** Copies move between branches. */
  @ToOne({ capabilities: ['view', 'include', 'filter', 'create', 'set'] })
  @Index()
  @ManyToOne('Branch', 'copies', { nullable: false })
  branch!: Branch
  @ToMany() @OneToMany('Loan', 'copy') loans!: Loan[]
}
