import {
  Column,
  type DataSource,
  Entity,
  EntityManager,
  Index,
  IsNull,
  LessThanOrEqual,
  Not,
  PrimaryColumn,
} from 'typeorm'
import type {
  IdempotencyClaimRequest,
  IdempotencyClaimResult,
  IdempotencyStore,
  StoredResponse,
} from '../../idempotency-store'
import { runTransactionWithRetries } from '../transactions/run-transaction-with-retries'

/**
 * The table of the keys that clients send as `Idempotency-Key`. To store keys in your database, add it to the `entities` of your `DataSource`.
 *
 * `new DataSource({ …, entities: [Blog, Article, IdempotencyKey] })`
 */
@Entity('idempotency_key')
export class IdempotencyKey {
  @PrimaryColumn({ type: 'varchar', length: 64 }) keyHash: string
  @Column({ type: 'varchar', length: 64 }) requestHash: string
  @Column({ type: 'varchar', length: 36 }) holder: string
  /** Milliseconds since 1970: until then the key is taken. */
  @Index() @Column({ type: 'bigint' }) endsAt: string
  /** JSON with the body as one string: the same bytes on every database, of any length. */
  @Column({ type: 'json', nullable: true }) response: StoredResponse | null
}

/**
 * Stores keys in a table of the same database, so that the write and the response are stored together or not at all. `undefined`: the `DataSource`
 * has no such table.
 */
export function buildDatabaseIdempotencyStore(dataSource: DataSource): IdempotencyStore | undefined {
  if (!dataSource.hasMetadata(IdempotencyKey)) return undefined
  const run = <Value>(work: (manager: EntityManager) => Promise<Value>) =>
    runTransactionWithRetries(dataSource, ({ manager }) => work(manager))
  let nextSweep = 0
  return {
    completion: 'inTransaction',
    async claim(claim) {
      const now = Date.now()
      if (now >= nextSweep) {
        nextSweep = now + SWEEP_INTERVAL
        await run((manager) => deleteExpired(now, claim.retentionMs, manager))
      }
      return run((manager) => claimKey(claim, now, manager))
    },
    complete: (claim, response, transaction) => {
      const store = (manager: EntityManager) => storeResponse(claim, response, manager)
      return transaction instanceof EntityManager ? store(transaction) : run(store)
    },
    async release({ keyHash, claimId }) {
      await run((manager) => manager.delete(IdempotencyKey, { keyHash, holder: claimId, response: IsNull() }))
    },
  }
}

/** The interval in milliseconds in which a claim also deletes expired keys. The delete uses an index, so no scheduled job is needed. */
const SWEEP_INTERVAL = 60_000

/** A claim without a response may belong to a write that is slower than its lease, so it stays as long as a response would. */
async function deleteExpired(now: number, retentionMs: number, manager: EntityManager): Promise<void> {
  await manager.delete(IdempotencyKey, { endsAt: endedBefore(now), response: Not(IsNull()) })
  await manager.delete(IdempotencyKey, { endsAt: endedBefore(now - retentionMs) })
}

async function claimKey(
  claim: IdempotencyClaimRequest,
  now: number,
  manager: EntityManager,
): Promise<IdempotencyClaimResult> {
  const { keyHash, requestHash, claimId, leaseMs } = claim
  const row = { keyHash, requestHash, holder: claimId, response: null, endsAt: String(now + leaseMs) }
  await manager.createQueryBuilder().insert().into(IdempotencyKey).values(row).orIgnore().execute()
  const existing = await manager.findOneBy(IdempotencyKey, { keyHash })
  if (existing?.holder === claimId) return { kind: 'claimed' }
  // The key was released after the insert found it taken.
  if (existing === null) return { kind: 'taken', requestHash, response: undefined }
  if (Number(existing.endsAt) <= now && (await takeOver(row, now, manager))) return { kind: 'claimed' }
  return { kind: 'taken', requestHash: existing.requestHash, response: existing.response ?? undefined }
}

/** Takes over an expired key. One of several concurrent calls succeeds. */
async function takeOver(row: IdempotencyKey, now: number, manager: EntityManager): Promise<boolean> {
  const { affected } = await manager.update(IdempotencyKey, { keyHash: row.keyHash, endsAt: endedBefore(now) }, row)
  return affected === 1
}

async function storeResponse(
  { keyHash, claimId, retentionMs }: IdempotencyClaimRequest,
  response: StoredResponse,
  manager: EntityManager,
): Promise<'kept' | 'lost'> {
  const { affected } = await manager.update(
    IdempotencyKey,
    { keyHash, holder: claimId },
    { response, endsAt: String(Date.now() + retentionMs) },
  )
  return affected === 1 ? 'kept' : 'lost'
}

function endedBefore(now: number) {
  return LessThanOrEqual(String(now))
}
