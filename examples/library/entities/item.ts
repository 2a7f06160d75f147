import { Attribute, Resource, ToMany } from 'stemma'
import { Column, Entity, Index, JoinTable, ManyToMany, OneToMany, TableInheritance } from 'typeorm'
import type { Author } from './author'
import type { Copy } from './copy'
import type { Reservation } from './reservation'
import { TenantRow } from './tenant-row'

/** A title in the catalogue. `/items` returns items of all types, `/printed` and `/recordings` those of one branch of the hierarchy. */
@Resource('items', { abstract: true })
@Entity()
@Index(['tenant', 'title'])
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
export abstract class Item extends TenantRow {
  @Attribute() @Column({ type: 'varchar', length: 200 }) title!: string
  @Attribute() @Column({ type: 'int' }) year!: number
  @ToMany({ capabilities: ['view', 'include', 'filter', 'create', 'set', 'add', 'remove'] })
  @ManyToMany('Author', 'items')
  @JoinTable()
  authors!: Author[]
  @ToMany() @OneToMany('Copy', 'item') copies!: Copy[]
  @ToMany() @OneToMany('Reservation', 'item') reservations!: Reservation[]

  /** How long a loan lasts. */
  loanDays(): number {
    return 28
  }
}
