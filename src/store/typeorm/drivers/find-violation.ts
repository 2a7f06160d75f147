import { TransformerError } from '../mapping/convert-values'

/** A violated constraint, or a value that does not fit its column, as far as the driver's error says. */
export interface ConstraintViolation {
  readonly kind: ViolationKind
  /** Without its schema. */
  readonly table?: string
  readonly columns?: readonly string[]
  /** The name of the constraint. */
  readonly constraint?: string
  /** Something that may mention columns: the condition of a check. */
  readonly condition?: string
  /** The name of the column type in the database that the value does not fit. */
  readonly databaseType?: string
}

export type ViolationKind =
  | 'unique'
  | 'primaryKey'
  /** The row refers to one that is not there. */
  | 'missingReference'
  /** Other rows refer to the row. */
  | 'stillReferenced'
  /** One of the two; SQLite does not say which. */
  | 'reference'
  | 'notNull'
  | 'check'
  | 'range'

export function findViolation(error: unknown): ConstraintViolation | undefined {
  if (error instanceof TransformerError) return { kind: 'range', columns: [error.column] }
  const driverError = driverErrorOf(error)
  if (driverError === undefined) return undefined
  if (driverError.errno !== undefined && driverError.sqlState !== undefined) return mysqlViolation(driverError)
  if (SQLSTATE.test(String(driverError.code))) return postgresViolation(driverError)
  return sqliteViolation(driverError)
}

/** Another transaction got in the way: the same work can succeed if it runs again. */
export function isRetryable(error: unknown): boolean {
  const driverError = driverErrorOf(error)
  if (driverError === undefined) return false
  const { code, errno, message } = driverError
  if (RETRYABLE.has(code) || RETRYABLE.has(errno) || findPreparedStatementError(driverError) !== undefined) return true
  return /^SQLITE_(BUSY|LOCKED)/.test(String(code)) || SQLITE_LOCKED.test(message)
}

/**
 * Finds why PostgreSQL rejects a prepared statement. `stale`: its columns have changed. `nameConflict`: the name is unknown or taken, because other
 * code on the connection deallocated or prepared it.
 */
export function findPreparedStatementError(error: unknown): 'stale' | 'nameConflict' | undefined {
  const { code, routine } = driverErrorOf(error) ?? {}
  if (code === '0A000' && routine === 'RevalidateCachedQuery') return 'stale'
  return code === '26000' || code === '42P05' ? 'nameConflict' : undefined
}

/** A statement has more tables than the database joins. */
export function isTooManyTables(error: unknown): boolean {
  const { errno, message } = driverErrorOf(error) ?? {}
  return errno === MYSQL_TOO_MANY_TABLES || SQLITE_TOO_MANY_TABLES.test(String(message))
}

/** The database has rolled back the whole transaction: later statements would commit on their own. */
export function isRolledBackByDatabase(error: unknown): boolean {
  const driverError = driverErrorOf(error)
  if (driverError === undefined) return false
  return driverError.errno === MYSQL_DEADLOCK || SQLITE_ROLLED_BACK.test(String(driverError.code))
}

/** PostgreSQL ran nothing, since an earlier statement has failed: that one is the cause. */
export function isAbortedTransaction(error: unknown): boolean {
  return driverErrorOf(error)?.code === POSTGRES_ABORTED
}

export interface DriverError {
  readonly message: string
  readonly code: unknown
  readonly errno: unknown
  readonly sqlState: unknown
  readonly table: unknown
  readonly column: unknown
  readonly constraint: unknown
  readonly detail: unknown
  /** A routine of PostgreSQL's source: unlike the message, it is not translated. */
  readonly routine: unknown
}

const SQLSTATE = /^[\dA-Z]{5}$/
/** PostgreSQL: not serialisable, deadlock, waited too long. MySQL: deadlock, waited too long, record changed (MariaDB). */
const RETRYABLE: ReadonlySet<unknown> = new Set(['40001', '40P01', '55P03', 1213, 1205, 1020])
const MYSQL_DEADLOCK = 1213
const MYSQL_TOO_MANY_TABLES = 1116
const SQLITE_TOO_MANY_TABLES = /\bat most \d+ tables in a join\b/
const POSTGRES_ABORTED = '25P02'
/** https://sqlite.org/lang_transaction.html: after these it may have rolled back by itself. */
const SQLITE_ROLLED_BACK = /^SQLITE_(FULL|IOERR|NOMEM|INTERRUPT)/
const SQLITE_LOCKED = /\bdatabase (table )?is locked\b/

/**
 * TypeORM wraps the error of the driver; not everywhere, and not in all of its versions. A driver's native part can outlive the realm
 * that it was loaded in, so that its errors are of another `Error`.
 */
export function driverErrorOf(error: unknown): DriverError | undefined {
  if (!hasMessage(error)) return undefined
  return 'driverError' in error && hasMessage(error.driverError) ? error.driverError : error
}

function hasMessage(error: unknown): error is DriverError {
  return typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string'
}

function sqliteViolation({ message, code }: DriverError): ConstraintViolation | undefined {
  const [kind, rest] = sqliteWords(message)
  switch (kind) {
    case 'UNIQUE':
      return { kind: code === 'SQLITE_CONSTRAINT_PRIMARYKEY' ? 'primaryKey' : 'unique', ...sqlitePlace(rest) }
    case 'NOT NULL':
      return { kind: 'notNull', ...sqlitePlace(rest) }
    case 'CHECK':
      return rest === undefined ? { kind: 'check' } : { kind: 'check', constraint: rest, condition: rest }
    case 'FOREIGN KEY':
      return { kind: 'reference' }
    default:
      return /\b(datatype mismatch|string or blob too big)$/.test(message) ? { kind: 'range' } : undefined
  }
}

/** `SQLITE_CONSTRAINT: UNIQUE constraint failed: humans.email` -> `['UNIQUE', 'humans.email']` */
function sqliteWords(message: string): readonly [kind?: string, rest?: string] {
  const end = message.indexOf(FAILED)
  const kind = SQLITE_KINDS.find((each) => message.slice(0, Math.max(end, 0)).endsWith(each))
  const rest = message.slice(end + FAILED.length)
  return kind === undefined ? [] : rest.startsWith(': ') ? [kind, rest.slice(2)] : [kind]
}

const FAILED = ' constraint failed'
const SQLITE_KINDS: readonly string[] = ['UNIQUE', 'NOT NULL', 'CHECK', 'FOREIGN KEY']

/** `humans.email, humans.country`, or `index 'IDX_1'` for an index on expressions. */
function sqlitePlace(text: string | undefined): Pick<ConstraintViolation, 'table' | 'columns' | 'constraint'> {
  const [, index] = /^index '(.+)'$/.exec(text ?? '') ?? []
  if (index !== undefined) return { constraint: index }
  const names = (text ?? '').split(', ').map((name) => name.split('.'))
  const [table] = names[0] ?? []
  const columns = names.flatMap(([, column]) => column ?? [])
  return table === undefined ? { columns } : { table, columns }
}

function postgresViolation({
  code,
  table,
  column,
  constraint,
  detail,
  message,
}: DriverError): ConstraintViolation | undefined {
  const isRefused = DATA_EXCEPTION.test(String(code)) || UNREADABLE.get(code)?.test(message)
  const kind = POSTGRES_KINDS.get(code) ?? (isRefused ? 'range' : undefined)
  if (kind === undefined) return undefined
  const detailText = String(detail ?? '')
  const [, keys] = /^Key \((.+?)\)=/.exec(detailText) ?? []
  const databaseType = kind === 'range' ? /for type ([a-z0-9_ ]+)/.exec(message)?.[1] : undefined
  const columns = typeof column === 'string' ? [column] : keys?.split(', ').map((key) => key.replace(/^"|"$/g, ''))
  return {
    kind: kind === 'missingReference' && detailText.includes('is still referenced') ? 'stillReferenced' : kind,
    ...(typeof table === 'string' ? { table } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...(databaseType === undefined ? {} : { databaseType }),
    // The error of a referenced row names its key, not the columns of the row that refers to it.
    ...(columns === undefined || detailText.includes('is still referenced') ? {} : { columns }),
  }
}

/** Errors of column types that parse text, whose codes mean mistakes of this library elsewhere. Older versions have fewer messages for hstore. */
const UNREADABLE: ReadonlyMap<unknown, RegExp> = new Map([
  ['42601', /\b(hstore|tsquery|tsvector|jsonpath|ltree)\b/],
  // Of an ltree.
  ['42622', /^label string is too long/],
  ['XX000', /^(Unexpected end of string|Syntax error near)/],
])

const POSTGRES_KINDS: ReadonlyMap<unknown, ViolationKind> = new Map<unknown, ViolationKind>([
  ['23505', 'unique'],
  ['23P01', 'unique'],
  ['23503', 'missingReference'],
  ['23001', 'stillReferenced'],
  ['23502', 'notNull'],
  ['23514', 'check'],
  // A text that is too long for the index on its column.
  ['54000', 'range'],
])
/** A class of codes: too long, out of range, no such text of a type. */
const DATA_EXCEPTION = /^22/

function mysqlViolation({ errno, message }: DriverError): ConstraintViolation | undefined {
  const kind = MYSQL_KINDS.get(errno)
  if (kind === undefined) return undefined
  const constraint = firstMatch(message, [
    /for key '(?:[^'.]+\.)?([^']+)'$/,
    /CONSTRAINT `([^`]+)`/,
    /Check constraint '([^']+)'/,
  ])
  const column = firstMatch(message, [/(?:column|field) (?:`[^`]+`\.`[^`]+`\.)?[`']([^`']+)[`']/i])
  if (kind === 'unique' && constraint === 'PRIMARY') return { kind: 'primaryKey' }
  return {
    kind,
    ...(constraint === undefined ? {} : { constraint, condition: constraint }),
    ...(column === undefined ? {} : { columns: [column] }),
  }
}

const MYSQL_KINDS: ReadonlyMap<unknown, ViolationKind> = new Map<unknown, ViolationKind>([
  [1062, 'unique'],
  [1586, 'unique'],
  [1216, 'missingReference'],
  [1452, 'missingReference'],
  [1217, 'stillReferenced'],
  [1451, 'stillReferenced'],
  [1048, 'notNull'],
  [1364, 'notNull'],
  [3819, 'check'],
  [4025, 'check'],
  [1264, 'range'],
  [1265, 'range'],
  [1292, 'range'],
  [1366, 'range'],
  [1406, 'range'],
  [1690, 'range'],
  [3140, 'range'],
])

function firstMatch(text: string, patterns: readonly RegExp[]): string | undefined {
  for (const pattern of patterns) {
    const [, found] = pattern.exec(text) ?? []
    if (found !== undefined) return found
  }
  return undefined
}
