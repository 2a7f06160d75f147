import { createHash } from 'node:crypto'
import type { QueryRunner } from 'typeorm'
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner'
import type { Caches } from '../../../cache/caches'
import { getOrCompute } from '../../../cache/get-or-compute'
import type { SegmentedLruCache } from '../../../cache/segmented-lru-cache'
import type { Statement } from '../sql/sql'
import type { DirectDriver, DriverResult } from './direct-driver'
import { findPreparedStatementError } from './find-violation'
import { deallocateStatements, isPgClient, type PgClient, type PgResult } from './pg-internals'
import { isInTransaction } from './typeorm-internals'

/**
 * Statements of `pg`. With a name, PostgreSQL reads and plans a text once for each connection. What it does not run under its name any
 * more is run without.
 */
export class DirectPostgresDriver implements DirectDriver<PostgresClientConnection> {
  readonly query = PostgresQueryRunner.prototype.query
  private readonly names = new WeakMap<PgClient, PreparedStatementNames>()
  private readonly caches: Caches
  private naming: boolean
  /** The number of table changes that prepared statements have met. */
  private changes = 0

  constructor(naming: boolean, caches: Caches) {
    this.naming = naming
    this.caches = caches
  }

  /** Imitations of `pg`, its native variant and its pipeline mode are left to TypeORM. */
  async connect(queryRunner: QueryRunner): Promise<PostgresClientConnection | undefined> {
    const client: unknown = await queryRunner.connect()
    return isPgClient(client) ? { client, queryRunner } : undefined
  }

  async run({ client, queryRunner }: PostgresClientConnection, { text, values }: Statement): Promise<DriverResult> {
    const statement = { text, values, rowMode: 'array' } as const
    if (this.naming === false) return toResult(await client.query(statement))
    const naming = this.namesOf(client).nameOf(text, this.changes)
    const name = naming instanceof Promise ? await naming : naming
    try {
      return toResult(await client.query({ name, ...statement }))
    } catch (error) {
      if (!this.learnFrom(error)) throw error
      // A transaction is lost by then; as a whole it can run again.
      if (isInTransaction(queryRunner)) throw error
      return toResult(await client.query(statement))
    }
  }

  private namesOf(client: PgClient): PreparedStatementNames {
    return getOrCompute(this.names, client, () => new PreparedStatementNames(client, this.changes, this.caches))
  }

  /** After a change of tables everything is prepared anew. Where others have a hand in the names, there are none from now on. */
  private learnFrom(error: unknown): boolean {
    const trouble = findPreparedStatementError(error)
    if (trouble === 'stale') this.changes += 1
    if (trouble === 'nameConflict') this.naming = false
    return trouble !== undefined
  }
}

interface PostgresClientConnection {
  readonly client: PgClient
  readonly queryRunner: QueryRunner
}

function toResult({ rows, rowCount }: PgResult): DriverResult {
  return { records: rows, affected: rowCount ?? 0 }
}

/**
 * Names the prepared statements of one connection. PostgreSQL keeps them until the connection ends, so the least recently used are deallocated, first
 * those that were used once. Query strings that never repeat evict nothing that is in use.
 */
class PreparedStatementNames {
  private readonly client: PgClient
  private readonly names: SegmentedLruCache<string>
  private evicted: string[] = []
  private changes: number

  constructor(client: PgClient, changes: number, caches: Caches) {
    this.client = client
    this.changes = changes
    this.names = caches.create({
      name: 'names of prepared statements',
      maxEntries: 500,
      onEvict: (name) => this.evicted.push(name),
    })
  }

  /** `changes`: if it grew, all names are deallocated first, which takes a statement and therefore a promise. */
  nameOf(text: string, changes: number): string | Promise<string> {
    const isUpToDate = changes === this.changes
    if (isUpToDate && this.evicted.length < DEALLOCATE_BATCH) return this.names.get(text) ?? this.add(text)
    this.changes = changes
    if (!isUpToDate) this.names.clear()
    return deallocateStatements(this.evicted.splice(0), this.client).then(() => this.add(text))
  }

  /** The name is a hash of the text: behind a pool that shares a connection, it can't denote another client's text. */
  private add(text: string): string {
    const name = `stemma_${createHash('sha256').update(text).digest('hex').slice(0, 40)}`
    this.names.set(text, name)
    return name
  }
}

/** Deallocates in batches, so that a connection with ever new statements waits once for fifty of them. */
const DEALLOCATE_BATCH = 50
