import type { EventEmitter } from 'node:events'
import type { DataSource, QueryRunner } from 'typeorm'
import { isStatementUnsent } from './find-timeout-or-outage'
import { driverConnectionOf, postgresPoolsOf } from './typeorm-internals'

const lossErrors = new WeakMap<object, Error>()
const recordedConnections = new WeakSet<object>()
const recordedPools = new WeakSet<object>()

/** Records why a connection of `pg` or `mysql2` is lost while no statement runs. Only an event of the connection has the reason. */
export function recordErrorOnConnectionLoss(connection: object): void {
  if (recordedConnections.has(connection)) return
  recordedConnections.add(connection)
  const emitter = connection as EventEmitter
  emitter.once('error', (error: Error) => void lossErrors.set(connection, error))
}

/**
 * Records the losses of all connections that the pools of `pg` open. If a server ends a connection with the packet that accepts it, TypeORM does not
 * listen yet, and an error without a listener ends the process.
 */
export function listenForConnectionLossOfPools(dataSource: DataSource): void {
  const { master, slaves = [] } = postgresPoolsOf(dataSource)
  // All pools are created together, each time when the data source is initialized.
  if (master === undefined || recordedPools.has(master)) return
  recordedPools.add(master)
  for (const pool of [master, ...slaves]) pool.on('connect', recordErrorOnConnectionLoss)
}

/**
 * Returns why the connection of a query runner was lost before a statement could be sent; otherwise the error itself. TypeORM rejects the statement
 * with `Query runner already released`, and `mysql2` with `connection is in closed state`.
 */
export function replaceByConnectionLossError(error: unknown, queryRunner: QueryRunner): unknown {
  const connection = driverConnectionOf(queryRunner)
  if (!isStatementUnsent(error) || typeof connection !== 'object' || connection === null) return error
  return lossErrors.get(connection) ?? error
}
