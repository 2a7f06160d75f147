import { Attribute } from 'stemma'
import { Column, PrimaryGeneratedColumn } from 'typeorm'

/** What all rows have. It has no `@Resource`, so it is shared code and no type. */
export abstract class TenantRow {
  @PrimaryGeneratedColumn() id!: number
  /** The municipality. An attribute, so that rules can use it. Clients can neither see nor write it. */
  @Attribute({ capabilities: [] }) @Column({ type: 'varchar', length: 20 }) tenant!: string
}
