import {
  Attribute,
  getEntityManager,
  IdempotencyKey,
  JsonApiError,
  type JsonApiOptions,
  ResourceDefinition,
  type ResourceWrite,
  ToOne,
} from 'stemma'
import { Column, ManyToOne, PrimaryGeneratedColumn, VersionColumn } from 'typeorm'
import { StoredResource } from './resource-decorators'

@StoredResource('payments')
export class Payment {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 20, unique: true, nullable: true }) reference: string | null
  @Attribute() @Column({ type: 'int', default: 1 }) amount: number
  @Attribute() @VersionColumn() version: number
  @ToOne() @ManyToOne('Payment', { nullable: true }) refunds: Payment | null
}

type Payer = string | undefined

/** Rejects the reference `refused`. */
export class PaymentRules extends ResourceDefinition<Payment, Payer> {
  override readonly resource = Payment
  /** The kinds of the writes that reached the rule. */
  readonly calls: string[] = []
  /** How the rule fails. */
  failure: 'none' | 'stuck' | 'failing' | 'busy' | 'overtaken' = 'none'

  override async beforeWrite(write: ResourceWrite<Payment, Payer>) {
    this.calls.push(write.kind)
    if (write.values.reference === 'refused') throw new JsonApiError({ title: 'No.', field: 'reference' })
    if (this.failure === 'stuck') await new Promise(() => {})
    if (this.failure === 'failing') throw new TypeError('Failed.')
    if (this.failure === 'busy') throw new JsonApiError({ title: 'Later.', status: 429 })
    if (this.failure === 'overtaken') await getEntityManager(write).updateAll(IdempotencyKey, { holder: 'another' })
  }
}

export const PAYMENT_TABLES = [Payment, IdempotencyKey]

export const PAYMENTS = {
  resources: [Payment],
  context: (request) => request.get('authorization'),
  idempotency: { owner: (payer) => payer ?? '' },
} satisfies Partial<JsonApiOptions<Payer>>
