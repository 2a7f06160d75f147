import { Attribute, Resource, ToOne } from 'stemma'
import { Column, Entity, Index, ManyToOne } from 'typeorm'
import type { Copy } from './copy'
import type { Member } from './member'
import { TenantRow } from './tenant-row'

export type LoanState = 'open' | 'returned' | 'lost'

/** Loans are kept: no endpoint deletes them. */
@Resource('loans', {
  endpoints: ['getCollection', 'getResource', 'createResource', 'updateResource', 'getRelated', 'getRelationship'],
})
@Entity()
@Index(['tenant', 'dueOn'])
export class Loan extends TenantRow {
  @Attribute() @Column({ type: 'varchar', length: 10, default: 'open' }) state!: LoanState
  /** Rules set both dates. */
  @Attribute({ capabilities: ['view', 'filter', 'sort'] }) @Column({ type: 'date' }) dueOn!: string
  @Attribute({ capabilities: ['view', 'filter', 'sort'] })
  @Column({ type: 'date', nullable: true })
  returnedOn!: string | null
  @ToOne() @Index() @ManyToOne('Copy', 'loans', { nullable: false }) copy!: Copy
  @ToOne() @Index() @ManyToOne('Member', 'loans', { nullable: false }) member!: Member
}
