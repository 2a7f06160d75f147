import 'reflect-metadata'
import { createDataSource } from '../../../support/data-source'
import { PAYMENT_TABLES, PAYMENTS, PaymentRules } from '../../../support/payments'
import { startServer } from '../../../support/server'

// A process with one connection that serves payments from the database of its argument. It sends its URL to its parent.

async function main([place = '', leaseSeconds = '', trouble]: readonly string[]): Promise<void> {
  const dataSource = await createDataSource({ ...JSON.parse(place), poolSize: 1 }, PAYMENT_TABLES).initialize()
  const idempotency = { ...PAYMENTS.idempotency, leaseSeconds: Number(leaseSeconds) }
  const rules = new PaymentRules()
  if (trouble === 'stuck') rules.failure = trouble
  const { url } = await startServer({ ...PAYMENTS, dataSource, definitions: [rules], idempotency })
  process.send?.(url)
}

void main(process.argv.slice(2))
