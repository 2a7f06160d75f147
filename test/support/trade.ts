import { Attribute, ToMany, ToOne } from 'stemma'
import {
  AfterLoad,
  BeforeInsert,
  Column,
  DeleteDateColumn,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  VersionColumn,
} from 'typeorm'
import { DATABASE, DATETIME, type TestDatabase } from './database'
import { DerivedResource, HierarchyRoot, StoredResource } from './resource-decorators'
import { deleteRows, insertRow, insertRows, linkRow, updateRows } from './rows'

/** By default TypeORM 0.3 cascades from one side only. */
const CASCADE = { onDelete: 'CASCADE' } as const

/** The order differs from that of the key, except where InnoDB needs it for an index: TypeORM 0.3 keeps the order. */
const SPONSOR = [
  { name: 'sponsorNumber', referencedColumnName: 'number' },
  { name: 'tenantId', referencedColumnName: 'tenantId' },
]
if (DATABASE === 'mariadb' && process.env.TEST_TYPEORM === '0.3') SPONSOR.reverse()

// Composite keys of all types: in hierarchies, as foreign keys, and as parts of each other.

@StoredResource('tenants', { clientGeneratedIds: 'required' })
export class Tenant {
  @PrimaryColumn({ type: 'varchar', length: 8 }) id!: string
  @ToMany() @OneToMany('Customer', 'tenant') customers!: Customer[]
}

/** The tenant is a part of the key; the sponsor is of the same tenant. */
@StoredResource('customers', { clientGeneratedIds: 'allowed' })
export class Customer {
  @PrimaryColumn({ type: 'varchar', length: 8 }) tenantId!: string
  @Attribute() @PrimaryColumn({ type: 'int' }) number!: number
  @Attribute() @Column({ type: 'varchar', length: 20, default: '' }) name!: string
  @VersionColumn() version!: number
  @ToOne() @ManyToOne('Tenant', 'customers', { nullable: false }) @JoinColumn({ name: 'tenantId' }) tenant!: Tenant
  @Column({ type: 'int', nullable: true }) sponsorNumber!: number | null
  @ToOne() @ManyToOne('Customer', 'sponsored', { nullable: true }) @JoinColumn(SPONSOR) sponsor!: Customer | null
  @ToMany() @OneToMany('Customer', 'sponsor') sponsored!: Customer[]
  @ToMany() @OneToMany('Order', 'customer') orders!: Order[]
}

@HierarchyRoot('orders', { abstract: true, clientGeneratedIds: 'allowed' })
export abstract class Order {
  @Attribute() @PrimaryColumn({ type: 'varchar', length: 8 }) shop!: string
  @Attribute() @PrimaryColumn({ type: 'varchar', length: 20 }) code!: string
  @Attribute() @Column({ type: 'int', default: 0 }) amount!: number
  @ToOne() @ManyToOne('Customer', 'orders', { nullable: true }) customer!: Customer | null
  @ToMany() @OneToMany('Line', 'order') lines!: Line[]
  @ToMany() @ManyToMany('Slot', 'orders') @JoinTable({ name: 'order_slots' }) slots!: Slot[]
  @ToMany() @OneToMany('Return', 'original') returns!: Return[]
}

@DerivedResource('sales')
export class Sale extends Order {
  @ToOne() @OneToOne('Receipt', 'sale', { nullable: true }) @JoinColumn() receipt!: Receipt | null
}

@DerivedResource('returns')
export class Return extends Order {
  @Attribute() @Column({ type: 'varchar', length: 20, nullable: true }) reason!: string | null
  @ToOne() @ManyToOne('Order', 'returns', { nullable: true }) original!: Order | null
}

/** Its key contains the key of its order; removed lines are deleted. Loaded as entities, because of their listeners. */
@StoredResource('lines', { clientGeneratedIds: 'allowed' })
export class Line {
  @PrimaryColumn({ type: 'varchar', length: 8 }) orderShop!: string
  @PrimaryColumn({ type: 'varchar', length: 20 }) orderCode!: string
  @Attribute() @PrimaryColumn({ type: 'int' }) position!: number
  @Attribute() @Column({ type: 'varchar', length: 40, default: '' }) text!: string
  @ToOne()
  @ManyToOne('Order', 'lines', { nullable: false, orphanedRowAction: 'delete' })
  @JoinColumn([
    { name: 'orderShop', referencedColumnName: 'shop' },
    { name: 'orderCode', referencedColumnName: 'code' },
  ])
  order!: Order
  @BeforeInsert() mark(): void {
    this.text = `${this.text}!`
  }
  @AfterLoad() show(): void {
    this.text = `line ${this.text}`
  }
}

/** A key of a 64-bit integer and a date. Deleted softly. */
@StoredResource('slots', { clientGeneratedIds: 'required' })
export class Slot {
  @PrimaryColumn({ type: 'bigint' }) serial!: string
  @Attribute() @PrimaryColumn({ type: 'date' }) day!: string
  @Attribute() @Column({ type: 'varchar', length: 20, default: '' }) place!: string
  @DeleteDateColumn(DATETIME) deletedAt!: Date | null
  @ToMany() @ManyToMany('Order', 'slots', CASCADE) orders!: Order[]
  @ToMany() @ManyToMany('Slot', 'after') @JoinTable({ name: 'slot_order' }) before!: Slot[]
  @ToMany() @ManyToMany('Slot', 'before', CASCADE) after!: Slot[]
}

/** The library generates a part of the key. */
@StoredResource('receipts')
export class Receipt {
  @Attribute() @PrimaryColumn({ type: 'int' }) series!: number
  @PrimaryGeneratedColumn('uuid') token!: string
  @ToOne() @OneToOne('Sale', 'receipt') sale!: Sale | null
}

export const TRADE = [Tenant, Customer, Order, Sale, Return, Line, Slot, Receipt]
export const SERIAL = '9007199254740993'
export const TOKEN = '9f8e7d6c-5b4a-4321-8fed-cba987654321'
/** The code `A~1!` has both special characters of ids. */
export const ODD = 'x~A!~1!!'

export async function fillTrade({ dataSource }: TestDatabase): Promise<void> {
  await insertRows(dataSource, Tenant, [{ id: 'no' }, { id: 'se' }])
  await insertRows(dataSource, Customer, [
    { tenantId: 'no', number: 1, name: 'Ada' },
    { tenantId: 'se', number: 1, name: 'Bo' },
  ])
  await insertRows(dataSource, Customer, [
    { tenantId: 'no', number: 2, name: 'Cy', sponsorNumber: 1 },
    { tenantId: 'no', number: 12, name: 'Di', sponsorNumber: 1 },
  ])
  await insertRows(dataSource, Receipt, [{ series: 7, token: TOKEN }])
  const ada = { tenantId: 'no', number: 1 }
  const original = { shop: 'x', code: 'A' }
  await insertRow(dataSource, Sale, { ...original, amount: 5, customer: ada, receipt: { series: 7, token: TOKEN } })
  await insertRow(dataSource, Sale, { shop: 'x', code: 'A~1!', amount: 3, customer: { tenantId: 'se', number: 1 } })
  await insertRow(dataSource, Sale, { shop: 'y', code: 'A', amount: 5 })
  await insertRow(dataSource, Return, { shop: 'x', code: 'B', amount: 1, reason: 'late', customer: ada, original })
  const order = { orderShop: 'x', orderCode: 'A' }
  await insertRows(dataSource, Line, [
    { ...order, position: 1, text: 'one' },
    { ...order, position: 2, text: 'two' },
    { orderShop: 'y', orderCode: 'A', position: 1, text: 'other' },
  ])
  await insertRows(dataSource, Slot, [
    { serial: SERIAL, day: '2026-11-20', place: 'hall' },
    { serial: SERIAL, day: '2026-11-21', place: 'yard' },
    { serial: '5', day: '2026-11-20', place: 'yard' },
  ])
  const day = '2026-11-20'
  await linkRow(
    dataSource,
    [Order, original],
    'slots',
    [SERIAL, '5'].map((serial) => ({ serial, day })),
  )
  await linkRow(dataSource, [Order, { shop: 'y', code: 'A' }], 'slots', { serial: SERIAL, day })
}

/** Removes all rows and fills the tables again. */
export async function refillTrade(api: TestDatabase): Promise<void> {
  const { dataSource } = api
  // MariaDB cannot delete a row that refers to itself.
  await updateRows(dataSource, [Customer], { sponsorNumber: null })
  await updateRows(dataSource, [Return], { original: null })
  for (const entity of [Line, Return, Sale, Receipt, Slot, Customer, Tenant]) await deleteRows(dataSource, entity)
  await fillTrade(api)
}
