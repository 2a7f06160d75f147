import { createHash } from 'node:crypto'
import type { QueryRunner } from 'typeorm'
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner'
import type { Caches } from '../../../cache/caches'
import { getOrCompute } from '../../../cache/get-or-compute'
import type { SegmentedLruCache } from '../../../cache/segmented-lru-cache'
import type { Statement } from '../sql/sql'
import type { DirectDriver, DriverResult } from './direct-driver'
import { classifyPreparedStatementRejection } from './find-violation'
import { deallocateStatements, isPgClient, type PgClient, type PgResult } from './pg-internals'
import { driverConnectionOf, isInTransaction } from './typeorm-internals'

/**
 * Runs statements with `pg`. PostgreSQL parses and plans a named statement once for each connection. If it rejects a name, the statement runs without one.
 */
export class DirectPostgresDriver implements DirectDriver<PostgresClientConnection> {
  readonly query = PostgresQueryRunner.prototype.query
  private readonly names = new WeakMap<PgClient, PreparedStatementNames>()
  private readonly caches: Caches
  private usesNames: boolean
  /** Counts the table changes that made prepared statements stale. */
  private changes = 0

  constructor(usesNames: boolean, caches: Caches) {
    this.usesNames = usesNames
    this.caches = caches
  }

  /** Returns `undefined` for packages that imitate `pg`, its native variant and its pipeline mode, which TypeORM handles. */
  connect(queryRunner: QueryRunner): ConnectionIfKnown | Promise<ConnectionIfKnown> {
    const client = driverConnectionOf(queryRunner)
    if (client !== undefined) return toConnection(client, queryRunner)
    return queryRunner.connect().then((connected: unknown) => toConnection(connected, queryRunner))
  }

  async run({ client, queryRunner }: PostgresClientConnection, { text, values }: Statement): Promise<DriverResult> {
    const statement = { text, values, rowMode: 'array' } as const
    if (!this.usesNames) return toResult(await client.query(statement))
    const nameOrPromise = this.namesOf(client).nameOf(text, this.changes)
    const name = nameOrPromise instanceof Promise ? await nameOrPromise : nameOrPromise
    try {
      return toResult(await client.query({ name, ...statement }))
    } catch (error) {
      if (!this.handleNameError(error)) throw error
      // The transaction has failed, but its owner can repeat it as a whole.
      if (isInTransaction(queryRunner)) throw error
      return toResult(await client.query(statement))
    }
  }

  private namesOf(client: PgClient): PreparedStatementNames {
    return getOrCompute(this.names, client, () => new PreparedStatementNames(client, this.changes, this.caches))
  }

  /**
   * Returns true if PostgreSQL rejected the name of a statement. After a change of tables, all statements are prepared again. After a conflict with names
   * that other code uses, no statement is named.
   */
  private handleNameError(error: unknown): boolean {
    const nameError = classifyPreparedStatementRejection(error)
    if (nameError === 'stale') this.changes += 1
    if (nameError === 'nameConflict') this.usesNames = false
    return nameError !== undefined
  }
}

interface PostgresClientConnection {
  readonly client: PgClient
  readonly queryRunner: QueryRunner
}

type ConnectionIfKnown = PostgresClientConnection | undefined

function toConnection(client: unknown, queryRunner: QueryRunner): ConnectionIfKnown {
  return isPgClient(client) ? { client, queryRunner } : undefined
}

function toResult({ rows, rowCount }: PgResult): DriverResult {
  return { records: rows, affected: rowCount ?? 0 }
}

/**
 * Names the prepared statements of one connection. PostgreSQL keeps them until the connection ends, so the least recently used ones are deallocated.
 * Statements that were used once are evicted first.
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

  /** Returns the name of a statement. If `changes` has increased, deallocates all statements first, and returns a promise. */
  nameOf(text: string, changes: number): string | Promise<string> {
    const isUpToDate = changes === this.changes
    if (isUpToDate && this.evicted.length < DEALLOCATE_BATCH) return this.names.get(text) ?? this.add(text)
    this.changes = changes
    if (!isUpToDate) this.names.clear()
    return deallocateStatements(this.evicted.splice(0), this.client).then(() => this.add(text))
  }

  /** Names a statement by a hash of its text, so that clients of a connection pooler can't use one name for different texts. */
  private add(text: string): string {
    const name = `stemma_${createHash('sha256').update(text).digest('hex').slice(0, 40)}`
    this.names.set(text, name)
    return name
  }
}

/** The number of statements that are deallocated at once, which takes one round trip. */
const DEALLOCATE_BATCH = 50
