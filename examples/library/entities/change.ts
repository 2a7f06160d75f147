import { Attribute, Resource } from 'stemma'
import { Column, Entity, Index } from 'typeorm'
import { TenantRow } from './tenant-row'

/** An entry of the audit log, which librarians can read. */
@Resource('changes', { endpoints: ['getCollection', 'getResource'] })
@Entity()
@Index(['tenant'])
export class Change extends TenantRow {
  /** Text in ISO 8601, since SQLite and PostgreSQL have no common type for a moment with its time zone. */
  @Attribute() @Column({ type: 'varchar', length: 24 }) at!: string
  @Attribute() @Column({ type: 'varchar', length: 20 }) memberId!: string
  @Attribute() @Column({ type: 'varchar', length: 200 }) what!: string
  @Attribute() @Column({ type: 'simple-json' }) details!: object
}
