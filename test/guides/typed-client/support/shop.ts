import { Attribute, getEntityManager, IdempotencyKey, type ResourceWrite, respondAccepted, ToMany, ToOne } from 'stemma'
import { type Client, type ClientOptions, createClient, type InferApi } from 'stemma/client'
import { Column, ManyToOne, OneToMany, PrimaryColumn, PrimaryGeneratedColumn, VersionColumn } from 'typeorm'
import { define } from '../../../support/api'
import { openDatabase } from '../../../support/database'
import { checkedFetch } from '../../../support/lint'
import { StoredResource } from '../../../support/resource-decorators'
import { startServer } from '../../../support/server'

export class Address {
  @Column({ type: 'varchar', length: 40, nullable: true }) city!: string | null
  @Column({ type: 'varchar', length: 40, nullable: true }) street!: string | null

  inOneLine(): string {
    return `${this.street}, ${this.city}`
  }
}

@StoredResource('customers', { clientGeneratedIds: 'required' })
export class Customer {
  @PrimaryColumn({ type: 'varchar', length: 20 }) id!: string
  @Attribute() @Column(() => Address) address!: Address
  @ToMany() @OneToMany('Order', 'customer') orders!: Order[]
  @Column({ type: 'varchar', length: 40, default: '' }) passwordHash!: string
}

@StoredResource('orders')
export class Order {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'int' }) amount!: number
  @Attribute() @Column({ type: 'varchar', length: 40, nullable: true }) note!: string | null
  @Attribute() @Column({ type: 'bigint', default: '0' }) weight!: string
  @Attribute() @VersionColumn() readonly version!: number
  @ToOne() @ManyToOne('Customer', 'orders', { nullable: false }) customer!: Customer
}

@StoredResource('jobs')
export class Job {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) task!: string
}

/** Large orders are accepted with 202. */
const orderRules = define(Order, {
  async beforeWrite(write: ResourceWrite<Order>) {
    if (write.values.amount < 1000) return
    const { id } = await getEntityManager(write).save(Job, { task: write.kind })
    return respondAccepted({ type: 'jobs', id: String(id) })
  },
})

export type Shop = InferApi<
  { customers: typeof Customer; orders: typeof Order; jobs: typeof Job },
  { customers: { hidden: 'passwordHash'; required: 'address' }; orders: { required: 'amount' | 'customer' } }
>

export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: Headers
}

export interface RunningShop {
  readonly client: Client<Shop>
  readonly url: string
  readonly sent: Sent[]
  close(): Promise<void>
}

export async function openShop(options: Partial<ClientOptions> = {}): Promise<RunningShop> {
  const { dataSource, close } = await openDatabase([Customer, Order, Job, IdempotencyKey])
  const resources = [Customer, Order, Job]
  const idempotency = { owner: () => 'everyone' }
  const server = await startServer({ dataSource, resources, definitions: [orderRules], idempotency })
  const sent: Sent[] = []
  const fetch: typeof globalThis.fetch = (url, init) => {
    sent.push({ method: init?.method ?? 'GET', url: String(url), headers: new Headers(init?.headers) })
    return checkedFetch(url, init)
  }
  return {
    client: createClient<Shop>({ baseUrl: server.url, fetch, ...options }),
    url: server.url,
    sent,
    async close() {
      await server.close()
      await close()
    },
  }
}
