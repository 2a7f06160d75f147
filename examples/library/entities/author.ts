import { Attribute, Resource, ToMany } from 'stemma'
import { Column, Entity, Index, ManyToMany } from 'typeorm'
import type { Item } from './item'
import { TenantRow } from './tenant-row'

@Resource('authors')
@Entity()
@Index(['tenant', 'name'])
export class Author extends TenantRow {
  @Attribute() @Column({ type: 'varchar', length: 80 }) name!: string
  @ToMany() @ManyToMany('Item', 'authors') items!: Item[]
}
