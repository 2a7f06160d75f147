import type { QueryRunner } from 'typeorm'
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner'
import type { PreparedStatementsOption } from '../../graph/options'
import type { DriverResult, DriverStatements } from './driver-statements'
import type { Statement } from './sql'
import { type Client, type ClientResult, StatementNames } from './statement-names'
import { isInTransaction } from './transaction-depth'
import { nameTroubleIn } from './violation'

/**
 * Statements of `pg`. With a name, PostgreSQL reads and plans a text once for each connection. What it does not run under its name any
 * more is run without.
 */
export class PostgresStatements implements DriverStatements<Connection> {
  readonly query = PostgresQueryRunner.prototype.query
  private readonly names = new WeakMap<Client, StatementNames>()
  private naming: PreparedStatementsOption
  /** How often tables have changed under prepared statements. */
  private changes = 0

  constructor(naming: PreparedStatementsOption) {
    this.naming = naming
  }

  /** What only looks like `pg`, its native variant and its pipeline mode are left to TypeORM. */
  async connect(queryRunner: QueryRunner): Promise<Connection | undefined> {
    const client: unknown = await queryRunner.connect()
    return isPg(client) ? { client, queryRunner } : undefined
  }

  async run({ client, queryRunner }: Connection, { text, values }: Statement): Promise<DriverResult> {
    const statement = { text, values, rowMode: 'array' } as const
    if (this.naming === 'off') return toResult(await client.query(statement))
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

  private namesOf(client: Client): StatementNames {
    const known = this.names.get(client)
    if (known !== undefined) return known
    const names = new StatementNames(client, this.changes)
    this.names.set(client, names)
    return names
  }

  /** After a change of tables everything is prepared anew. Where others have a hand in the names, there are none from now on. */
  private learnFrom(error: unknown): boolean {
    const trouble = nameTroubleIn(error)
    if (trouble === 'changed') this.changes += 1
    if (trouble === 'mistaken') this.naming = 'off'
    return trouble !== undefined
  }
}

interface Connection {
  readonly client: Client
  readonly queryRunner: QueryRunner
}

function isPg(client: unknown): client is Client {
  const { connection, pipeline } = client as Partial<Client>
  return typeof connection?.parsedStatements === 'object' && pipeline !== true
}

function toResult({ rows, rowCount }: ClientResult): DriverResult {
  return { records: rows, affected: rowCount ?? 0 }
}
