import type { DataSource, QueryRunner } from 'typeorm'
import type { Deadline } from '../../../request/http/deadline'
import { dialectOf } from '../dialects/dialect-of'
import { destroyMysqlSocket, isMysqlDriverConnection } from '../drivers/mysql2-internals'
import { cancelPgStatement, isPgConnection } from '../drivers/pg-internals'
import { driverConnectionOf } from '../drivers/typeorm-internals'

/** Runs work on a connection. When the deadline expires, its statement is cancelled and the connection discarded. */
export async function runWithQueryCancelledAtDeadline<Value>(
  deadline: Deadline | undefined,
  connection: ActiveDatabaseConnection,
  work: () => Promise<Value>,
): Promise<Value> {
  deadline?.check()
  // SQLite queries are synchronous and can't be cancelled.
  if (deadline === undefined || dialectOf(connection.dataSource).name === 'sqlite') return work()
  const { queryRunner } = connection
  await connectThenCheckDeadline(deadline, queryRunner)
  const removeListener = deadline.onExpire(() => cancelQuery(connection))
  try {
    return await work()
  } finally {
    removeListener()
    if (deadline.hasExpired) await discardConnection(queryRunner)
  }
}

/** Checks the deadline after connecting, so that an expired request releases the connection. */
export function connectThenCheckDeadline(deadline: Deadline | undefined, queryRunner: QueryRunner): Promise<void> {
  if (deadline === undefined) return Promise.resolve()
  return queryRunner.connect().then(() => deadline.check())
}

/** A connection that is in use. */
export interface ActiveDatabaseConnection {
  readonly dataSource: DataSource
  readonly queryRunner: QueryRunner
}

/** Cancels the statement that runs on a connection, which has to be discarded afterwards. */
export function cancelQuery({ dataSource, queryRunner }: ActiveDatabaseConnection): void {
  const connection = driverConnectionOf(queryRunner)
  if (isPgConnection(connection)) {
    cancelPgStatement(connection, CANCEL_TIMEOUT)
    setTimeout(() => connection.connection?.stream?.destroy(), CANCEL_TIMEOUT).unref()
  } else if (isMysqlDriverConnection(connection)) {
    // Frees the connection for the statement below, in case the pool has only one.
    destroyMysqlSocket(connection)
    // Statements of a DataSource go to the master, where the thread id belongs to another connection.
    if (dataSource.driver.isReplicated && queryRunner.getReplicationMode() === 'slave') return
    dataSource.query(`KILL ${connection.threadId}`).catch(() => undefined)
  }
}

/** Destroys the connection: a cancel request that arrives late must not hit the next statement on it. */
export async function discardConnection(queryRunner: QueryRunner): Promise<void> {
  const connection = driverConnectionOf(queryRunner)
  const isMysql = isMysqlDriverConnection(connection)
  const stream = isMysql ? connection.stream : isPgConnection(connection) ? connection.connection?.stream : undefined
  if (stream === undefined || stream.closed) return
  await new Promise((resolve) => {
    stream.once('close', resolve)
    if (isMysql) destroyMysqlSocket(connection)
    else stream.destroy()
  })
}

/** The time in milliseconds in which a healthy server cancels a statement and reports it. */
const CANCEL_TIMEOUT = 500
