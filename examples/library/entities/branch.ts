import { Attribute, Resource, ToMany } from 'stemma'
import { Column, Entity, Index, OneToMany } from 'typeorm'
import type { Copy } from './copy'
import { TenantRow } from './tenant-row'

@Resource('branches')
@Entity()
@Index(['tenant', 'name'], { unique: true })
export class Branch extends TenantRow {
  @Attribute() @Column({ type: 'varchar', length: 80 }) name!: string
  @ToMany() @OneToMany('Copy', 'branch') copies!: Copy[]
}
