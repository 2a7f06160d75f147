import type { DataSource, EntityManager, QueryRunner, ReplicationMode } from 'typeorm'
import { InvariantError } from '../../../errors/invariant'
import type { Deadline } from '../../../request/http/deadline'
import { dialectOf } from '../dialects/dialect-of'
import { replaceByConnectionLossError } from '../drivers/connection-loss'
import { createSettingsCheckingQueryRunner } from '../drivers/create-settings-checking-query-runner'
import { isConnectionLost, isReadOnlyServerError } from '../drivers/find-timeout-or-outage'
import { ReadWriteLock } from '../drivers/read-write-lock'
import {
  findOpenTransaction,
  runInTransactionContext,
  runOutsideTransactionContext,
  type TransactionContext,
} from '../drivers/transaction-context'
import { isInTransaction } from '../drivers/typeorm-internals'
import { discardConnection } from './cancel-query'
import { findOrOpenSqliteReadPool, type OneOrSeveralReadStatements, type SqliteReadPool } from './sqlite-read-pool'

type ConnectionWork<Value> = (queryRunner: QueryRunner) => Promise<Value>

/**
 * Runs work that reads only committed rows. In a transaction of the same call chain, it joins the transaction. Otherwise it gets its own connection; if
 * SQLite has one connection, it waits for an open transaction. The work must not begin a transaction or call this function, because it could wait for
 * itself.
 */
export async function runOnReadConnection<Value>(
  dataSource: DataSource,
  work: ConnectionWork<Value>,
  { statements = 'several', mode = dataSource.defaultReplicationModeForReads() }: ReadConnectionOptions = {},
): Promise<Value> {
  const transaction = findOpenTransaction(dataSource)
  if (transaction !== undefined) return work(transaction.queryRunner)
  const lock = sqliteLockOf(dataSource)
  if (lock === undefined) return onOwnConnection(createSettingsCheckingQueryRunner(dataSource, mode), work)
  const readOn = (readers: SqliteReadPool | undefined) =>
    readers?.read(work, statements) ??
    lock.shared(() => runOutsideTransactionContext(() => work(dataSource.createQueryRunner())))
  const pool = findOrOpenSqliteReadPool(dataSource)
  return pool instanceof Promise ? pool.then(readOn) : readOn(pool)
}

interface ReadConnectionOptions {
  /** Default: `several`. */
  readonly statements?: OneOrSeveralReadStatements | undefined
  /** Default: that of the `DataSource`. */
  readonly mode?: ReplicationMode
}

/**
 * Runs work that has a connection for itself. On SQLite it waits for earlier writes, and for reads if there is one connection. Nested work of the same
 * call chain uses the same connection, one call after the other. After the deadline, later calls of the work are rejected.
 */
export async function runOnWriteConnection<Value>(
  dataSource: DataSource,
  work: ConnectionWork<Value>,
  deadline?: Deadline,
): Promise<Value> {
  const outer = findOpenTransaction(dataSource)
  if (outer !== undefined) return outer.lock.exclusive(() => runWithin(outer, work))
  const lock = sqliteLockOf(dataSource)
  const inContext: ConnectionWork<Value> = (queryRunner) =>
    runInTransactionContext({ dataSource, queryRunner, deadline }, work)
  if (lock === undefined) return onOwnConnection(createSettingsCheckingQueryRunner(dataSource, 'master'), inContext)
  return lock.exclusive(() => inContext(dataSource.createQueryRunner()))
}

/**
 * Runs one statement as its own transaction. The work calls nothing else, so it needs no transaction context. Returns `undefined` without running it if a
 * transaction is open.
 */
export async function tryRunAutocommitStatement<Value>(
  dataSource: DataSource,
  work: ConnectionWork<Value | undefined>,
): Promise<Value | undefined> {
  if (findOpenTransaction(dataSource) !== undefined) return undefined
  const lock = sqliteLockOf(dataSource)
  if (lock === undefined) return onOwnConnection(createSettingsCheckingQueryRunner(dataSource, 'master'), work)
  return lock.exclusive(async () => {
    const queryRunner = dataSource.createQueryRunner()
    return isInTransaction(queryRunner) ? undefined : runOutsideTransactionContext(() => work(queryRunner))
  })
}

/** Runs nested work. The outer transaction may have ended before the lock was free, if this call was not awaited. */
async function runWithin<Value>(outer: TransactionContext, work: ConnectionWork<Value>): Promise<Value> {
  if (outer.isRolledBack) throw new InvariantError('The write that this transaction belongs to was rolled back.')
  return outer.isOpen ? runInTransactionContext(outer, work, outer) : runOnWriteConnection(outer.dataSource, work)
}

async function onOwnConnection<Value>(queryRunner: QueryRunner, work: ConnectionWork<Value>): Promise<Value> {
  try {
    return await work(queryRunner)
  } catch (error) {
    // The pool could give the lost connection to the next request before it notices the loss, and a connection to a standby for ever.
    if (isConnectionLost(error) || isReadOnlyServerError(error)) await discardConnection(queryRunner)
    throw replaceByConnectionLossError(error, queryRunner)
  } finally {
    await queryRunner.release()
  }
}

const sqliteLocks = new WeakMap<DataSource, ReadWriteLock>()

/** Returns the lock of a SQLite connection; `undefined` for databases with a connection pool. */
function sqliteLockOf(dataSource: DataSource): ReadWriteLock | undefined {
  const known = sqliteLocks.get(dataSource)
  if (known !== undefined) return known
  if (dialectOf(dataSource).name !== 'sqlite') return undefined
  const lock = new ReadWriteLock()
  sqliteLocks.set(dataSource, lock)
  return lock
}

/**
 * Runs an application's own reads, which see only committed rows. On SQLite the connection of a `DataSource` would show uncommitted rows. In a
 * file in WAL mode, all reads of the call see one state; otherwise writes through this `DataSource` wait for them. On other databases it is an
 * ordinary connection for reading, to a replica if there is one, without a transaction: each statement can see a newer state. In a hook it is
 * part of the transaction of the write.
 *
 * `await withReadConnection(dataSource, (manager) => manager.countBy(Man, { hasBeard: true }))` -> `2`
 */
export function withReadConnection<Value>(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<Value>,
): Promise<Value> {
  return runOnReadConnection(dataSource, ({ manager }) => work(manager))
}
