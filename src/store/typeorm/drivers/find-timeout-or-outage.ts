import { createJsonApiError, type JsonApiError } from '../../../errors/json-api-error'
import type { TimeoutOrOutage } from '../../store'
import { type DriverError, isRetryableError, unwrapDriverError } from './find-violation'

/** Finds a failure of the database or of the connection, which neither the client nor this library caused. */
export function findTimeoutOrOutage(error: unknown): TimeoutOrOutage | undefined {
  const driverError = unwrapDriverError(error)
  if (driverError === undefined) return undefined
  if (isTimeout(driverError)) return 'timeout'
  if (isConnectionLost(driverError)) return 'outage'
  return isOutOfResources(driverError) || isRetryableError(error) ? 'outage' : undefined
}

/** Returns true if the connection was lost during a statement, whose outcome is therefore unknown. */
export function isOutcomeUnknown(error: unknown): boolean {
  const driverError = unwrapDriverError(error)
  if (driverError === undefined || isUnsent(driverError.message)) return false
  if (driverError.errno === GALERA_NODE_LEFT) return true
  return isConnectionLost(driverError) || (isTimeout(driverError) && !TIMEOUTS.has(driverError.code))
}

/** The node left the cluster. During a commit, the other nodes may have received the transaction. */
const GALERA_NODE_LEFT = 1180

/** Returns true if there was no connection to send the statement on. */
export function isStatementUnsent(error: unknown): boolean {
  const driverError = unwrapDriverError(error)
  return driverError !== undefined && isUnsent(driverError.message)
}

/** Reports a lost connection whose statement may have succeeded, and creates the error for the client. */
export function reportAndCreateOutcomeUnknownError(
  error: unknown,
  { onError }: { readonly onError: (error: unknown) => void },
): JsonApiError {
  onError(error)
  const detail = 'Check whether the change was made before you repeat the request.'
  return createJsonApiError('write.outcome-unknown', detail)
}

function isTimeout({ code, errno, message }: DriverError): boolean {
  return TIMEOUTS.has(code) || TIMEOUTS.has(errno) || code === 'PROTOCOL_SEQUENCE_TIMEOUT' || message === READ_TIMEOUT
}

/** Returns true if the connection could not be opened or was lost. */
export function isConnectionLost(error: unknown): boolean {
  const driverError = unwrapDriverError(error)
  if (driverError === undefined) return false
  const { code, errno, message } = driverError
  if (NETWORK.has(code) || CONNECTION_LOST.has(code) || CONNECTION_LOST.has(errno) || /^08...$/.test(String(code)))
    return true
  return (
    ('syscall' in driverError && driverError.syscall === 'connect') || LOST_MESSAGE.test(message) || isUnsent(message)
  )
}

/** Returns true if the database lacks space, memory or connections, or is read-only. */
function isOutOfResources({ code, errno }: DriverError): boolean {
  return (
    OUT_OF_RESOURCES.has(code) ||
    OUT_OF_RESOURCES.has(errno) ||
    /^53...$/.test(String(code)) ||
    SQLITE_OUT_OF_RESOURCES.test(String(code))
  )
}

/** Returns true if the server accepts no writes: after a failover, an address may still lead to a server that is not the primary. */
export function isReadOnlyServerError(error: unknown): boolean {
  const driverError = unwrapDriverError(error)
  return driverError !== undefined && (READ_ONLY.has(driverError.code) || READ_ONLY.has(driverError.errno))
}

/** PostgreSQL: a standby or a read-only transaction. MySQL: `--read-only`, an offline tablespace or InnoDB in read-only mode. */
const READ_ONLY: ReadonlySet<unknown> = new Set(['25006', 1290, 1836])

/** Timeouts of statements in PostgreSQL, MariaDB (`max_statement_time`) and MySQL (`max_execution_time`). */
const TIMEOUTS: ReadonlySet<unknown> = new Set(['57014', 1969, 3024])

/** Network errors of Node.js. */
const NETWORK: ReadonlySet<unknown> = new Set([
  ...(['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'] as const),
  ...(['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'] as const),
])

/** PostgreSQL: shutdown, crash, start-up, idle timeout. MySQL: shutdown, killed or closed connection. */
const CONNECTION_LOST: ReadonlySet<unknown> = new Set([
  ...['57P01', '57P02', '57P03', '57P05', '25P03', '25P04'],
  ...['PROTOCOL_CONNECTION_LOST'],
  ...[1053, 1927, 2006, 2013, 4031],
])

/** Messages of `pg` that have no code. */
const LOST_MESSAGE = /^(Connection terminated|timeout exceeded when trying to connect$|timeout expired$)/
const READ_TIMEOUT = 'Query read timeout'

/** Messages of drivers and TypeORM for a missing or lost connection. */
const UNSENT = [
  /^(Client has encountered a connection error|Client was closed)/,
  /^(Can't add new command when connection is in closed state|Query runner already released)/,
  // The pool of mysql2 with `waitForConnections: false` or a full queue.
  /^(No connections available|Queue limit reached)/,
  // The application destroyed the DataSource.
  /^(Driver not Connected|Connection is not established|SQLITE_MISUSE: Database is closed)/,
  /^Connection with [^ ]+ database is not established/,
  /^(TypeError: )?The database connection is not open/,
]

function isUnsent(message: string): boolean {
  return UNSENT.some((pattern) => pattern.test(message))
}

/** PostgreSQL: read-only transaction, I/O error. MySQL: the same, too many connections, no space; 1047: a Galera node outside of the cluster. */
const OUT_OF_RESOURCES: ReadonlySet<unknown> = new Set([
  ...['25006', '58030'],
  ...[3, 1021, 1026, 1030, 1037, 1040, 1041, 1047, 1114, GALERA_NODE_LEFT, 1203, 1226, 1290, 1836],
])

const SQLITE_OUT_OF_RESOURCES = /^SQLITE_(FULL|IOERR|NOMEM|READONLY|CANTOPEN)/
