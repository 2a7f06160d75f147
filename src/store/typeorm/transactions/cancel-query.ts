import { connect, type Socket } from 'node:net'
import type { DataSource, QueryRunner } from 'typeorm'
import type { Deadline } from '../../../request/http/deadline'
import { dialectOf } from '../dialects/dialect-of'

/** Work on a connection, which is taken from it when the request has taken as long as it may. */
export async function runUntilDeadline<Value>(
  deadline: Deadline | undefined,
  connection: ActiveConnection,
  work: () => Promise<Value>,
): Promise<Value> {
  deadline?.check()
  return deadline === undefined || cannotCancel(connection) ? work() : cancelOnTimeout(deadline, connection, work)
}

/** SQLite queries are synchronous and can't be cancelled. */
function cannotCancel({ dataSource }: ActiveConnection): boolean {
  return dialectOf(dataSource).name === 'sqlite'
}

async function cancelOnTimeout<Value>(
  deadline: Deadline,
  connection: ActiveConnection,
  work: () => Promise<Value>,
): Promise<Value> {
  await connectBeforeDeadline(deadline, connection)
  const forget = deadline.onExpire(() => cancelQuery(connection))
  try {
    return await work()
  } finally {
    forget()
    if (deadline.hasExpired) await discardConnection(connection)
  }
}

/** Whoever gets a connection after the time is over leaves it to others. */
export async function connectBeforeDeadline(
  deadline: Deadline | undefined,
  { queryRunner }: Pick<ActiveConnection, 'queryRunner'>,
): Promise<void> {
  if (deadline === undefined) return
  await queryRunner.connect()
  deadline.check()
}

/** A connection that is in use. */
export interface ActiveConnection {
  readonly dataSource: DataSource
  readonly queryRunner: QueryRunner
}

/** Ends the statement that runs on a connection, which is to be cut then. */
export function cancelQuery({ dataSource, queryRunner }: ActiveConnection): void {
  const connection = connectionOf(queryRunner)
  if (connection?.processID !== undefined) {
    cancelPostgres(connection)
    setTimeout(() => destroySocket(connection), CANCEL_TIMEOUT).unref()
  } else if (connection?.threadId !== undefined) {
    // Where a pool has no other connection, there is room for one now.
    destroySocket(connection)
    // Statements of a DataSource go to the master, and there the same number is of somebody else.
    if (dataSource.driver.isReplicated && queryRunner.getReplicationMode() === 'slave') return
    dataSource.query(`KILL ${connection.threadId}`).catch(() => undefined)
  }
}

/** Destroys the connection: a cancel request that arrives late must not hit the next statement on it. */
export async function discardConnection({ queryRunner }: Pick<ActiveConnection, 'queryRunner'>): Promise<void> {
  const connection = connectionOf(queryRunner)
  const stream = connection && streamOf(connection)
  if (stream === undefined || stream.closed) return
  await new Promise((resolve) => {
    stream.once('close', resolve)
    destroySocket(connection as DriverConnection)
  })
}

function destroySocket(connection: DriverConnection): void {
  // `mysql2` tells of what is sent on it still, and an error that nobody hears ends a process.
  if (connection.threadId !== undefined) connection.on?.('error', () => undefined)
  streamOf(connection)?.destroy()
}

function connectionOf(queryRunner: QueryRunner): DriverConnection | undefined {
  return (queryRunner as unknown as { readonly databaseConnection?: DriverConnection }).databaseConnection
}

function streamOf(connection: DriverConnection): Socket | undefined {
  return connection.stream ?? connection.connection?.stream
}

/** What `pg` and `mysql2` have. */
interface DriverConnection {
  /** `pg`: the process of the server, and what proves whose it is. */
  readonly processID?: number
  readonly secretKey?: number
  readonly host?: string
  readonly port?: number
  readonly connection?: { readonly stream?: Socket }
  /** `mysql2`. */
  readonly threadId?: number
  readonly stream?: Socket
  on?(event: 'error', listener: () => void): unknown
}

function cancelPostgres({ processID = 0, secretKey = 0, host = '', port = 5432 }: DriverConnection): void {
  const there = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
  const message = Buffer.alloc(16)
  for (const [place, part] of [message.length, CANCEL_REQUEST, processID, secretKey].entries())
    message.writeInt32BE(part, place * 4)
  const cancelling = connect(there, () => cancelling.end(message)).on('error', () => undefined)
  cancelling.setTimeout(CANCEL_TIMEOUT, () => cancelling.destroy())
}

/** https://www.postgresql.org/docs/current/protocol-message-formats.html#PROTOCOL-MESSAGE-FORMATS-CANCELREQUEST */
const CANCEL_REQUEST = 80877102

/** Milliseconds in which a server that is well has ended a statement, and said so. */
const CANCEL_TIMEOUT = 500
