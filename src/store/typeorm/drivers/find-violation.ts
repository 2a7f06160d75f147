import { TransformerError } from '../mapping/convert-values'

/** A violated constraint, or a value that does not fit its column, with the details of the driver's error. */
export interface ConstraintViolation {
  readonly kind: ConstraintViolationKind
  /** The name without the schema. */
  readonly table?: string
  readonly columns?: readonly string[]
  /** The name of the constraint. */
  readonly constraint?: string
  /** The condition of a check constraint, which can mention columns. */
  readonly condition?: string
  /** The name of the column type in the database that the value does not fit. */
  readonly databaseType?: string
}

export type ConstraintViolationKind =
  | 'unique'
  /** An exclusion constraint of PostgreSQL. */
  | 'exclusion'
  | 'primaryKey'
  /** The row refers to a missing row. */
  | 'missingReference'
  /** Other rows refer to the row. */
  | 'stillReferenced'
  /** Either of the two; SQLite does not report which. */
  | 'reference'
  | 'notNull'
  | 'check'
  | 'range'

export function findConstraintViolation(error: unknown): ConstraintViolation | undefined {
  if (error instanceof TransformerError) return { kind: 'range', columns: [error.column] }
  const driverError = unwrapDriverError(error)
  if (driverError === undefined) return undefined
  if (driverError.errno !== undefined && driverError.sqlState !== undefined) return mysqlViolation(driverError)
  if (SQLSTATE.test(String(driverError.code))) return postgresViolation(driverError)
  return sqliteViolation(driverError)
}

/** Returns true for a conflict with another transaction, after which the work can be repeated. */
export function isRetryableError(error: unknown): boolean {
  const driverError = unwrapDriverError(error)
  if (driverError === undefined) return false
  const { code, errno, message } = driverError
  if (RETRYABLE.has(code) || RETRYABLE.has(errno) || classifyPreparedStatementRejection(driverError) !== undefined)
    return true
  return /^SQLITE_(BUSY|LOCKED)/.test(String(code)) || SQLITE_LOCKED.test(message)
}

/**
 * Finds why PostgreSQL rejects a prepared statement. `stale`: its columns have changed. `nameConflict`: the name is unknown or taken, because other
 * code on the connection deallocated or prepared it.
 */
export function classifyPreparedStatementRejection(error: unknown): 'stale' | 'nameConflict' | undefined {
  const { code, routine } = unwrapDriverError(error) ?? {}
  if (code === '0A000' && routine === 'RevalidateCachedQuery') return 'stale'
  return code === '26000' || code === '42P05' ? 'nameConflict' : undefined
}

/** Returns true if a statement joins more tables than the database allows. */
export function isTooManyTablesError(error: unknown): boolean {
  const { errno, message } = unwrapDriverError(error) ?? {}
  return errno === MYSQL_TOO_MANY_TABLES || SQLITE_TOO_MANY_TABLES.test(String(message))
}

/** Returns true if the database rolled back the whole transaction, so that later statements would be committed separately. */
export function didDatabaseRollBack(error: unknown): boolean {
  const driverError = unwrapDriverError(error)
  if (driverError === undefined) return false
  return driverError.errno === MYSQL_DEADLOCK || SQLITE_ROLLED_BACK.test(String(driverError.code))
}

/** Returns true if PostgreSQL rejected a statement because an earlier one of the transaction failed. */
export function isAbortedTransactionError(error: unknown): boolean {
  return unwrapDriverError(error)?.code === POSTGRES_ABORTED
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
  /** A routine of PostgreSQL's source code, which is not translated, unlike the message. */
  readonly routine: unknown
}

const SQLSTATE = /^[\dA-Z]{5}$/
/** PostgreSQL: serialization failure, deadlock, lock timeout. MySQL: deadlock, lock timeout, changed record (MariaDB). */
const RETRYABLE: ReadonlySet<unknown> = new Set(['40001', '40P01', '55P03', 1213, 1205, 1020])
const MYSQL_DEADLOCK = 1213
const MYSQL_TOO_MANY_TABLES = 1116
const SQLITE_TOO_MANY_TABLES = /\bat most \d+ tables in a join\b/
const POSTGRES_ABORTED = '25P02'
/** Errors after which SQLite may have rolled back: https://sqlite.org/lang_transaction.html */
const SQLITE_ROLLED_BACK = /^SQLITE_(FULL|IOERR|NOMEM|INTERRUPT)/
const SQLITE_LOCKED = /\bdatabase (table )?is locked\b/

/**
 * Returns the error of the driver, which some versions of TypeORM wrap. Checks its members and not its class, because native code can throw errors of
 * another realm.
 */
export function unwrapDriverError(error: unknown): DriverError | undefined {
  if (!hasMessage(error)) return undefined
  return 'driverError' in error && hasMessage(error.driverError) ? error.driverError : error
}

function hasMessage(error: unknown): error is DriverError {
  return typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string'
}

function sqliteViolation({ message, code }: DriverError): ConstraintViolation | undefined {
  const [kind, rest] = parseSqliteMessage(message)
  switch (kind) {
    case 'UNIQUE':
      return { kind: code === 'SQLITE_CONSTRAINT_PRIMARYKEY' ? 'primaryKey' : 'unique', ...parseSqliteColumns(rest) }
    case 'NOT NULL':
      return { kind: 'notNull', ...parseSqliteColumns(rest) }
    case 'CHECK':
      return rest === undefined ? { kind: 'check' } : { kind: 'check', constraint: rest, condition: rest }
    case 'FOREIGN KEY':
      return { kind: 'reference' }
    default:
      return /\b(datatype mismatch|string or blob too big)$/.test(message) ? { kind: 'range' } : undefined
  }
}

/** `SQLITE_CONSTRAINT: UNIQUE constraint failed: humans.email` -> `['UNIQUE', 'humans.email']` */
function parseSqliteMessage(message: string): readonly [kind?: string, rest?: string] {
  const end = message.indexOf(FAILED)
  const kind = SQLITE_KINDS.find((name) => message.slice(0, Math.max(end, 0)).endsWith(name))
  const rest = message.slice(end + FAILED.length)
  return kind === undefined ? [] : rest.startsWith(': ') ? [kind, rest.slice(2)] : [kind]
}

const FAILED = ' constraint failed'
const SQLITE_KINDS: readonly string[] = ['UNIQUE', 'NOT NULL', 'CHECK', 'FOREIGN KEY']

/** `humans.email, humans.country`, or `index 'IDX_1'` for an index on expressions. */
function parseSqliteColumns(text: string | undefined): Pick<ConstraintViolation, 'table' | 'columns' | 'constraint'> {
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
  const isInvalidValue = DATA_EXCEPTION.test(String(code)) || PARSE_ERRORS.get(code)?.test(message)
  const kind = POSTGRES_KINDS.get(code) ?? (isInvalidValue ? 'range' : undefined)
  if (kind === undefined) return undefined
  const detailText = String(detail ?? '')
  const [, keys] = /^Key \((.+?)\)=/.exec(detailText) ?? []
  const databaseType = kind === 'range' ? /for type ([a-z0-9_ ]+)/.exec(message)?.[1] : undefined
  const columns = typeof column === 'string' ? [column] : keys === undefined ? undefined : namesIn(keys)
  return {
    kind: kind === 'missingReference' && detailText.includes('is still referenced') ? 'stillReferenced' : kind,
    ...(typeof table === 'string' ? { table } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...(databaseType === undefined ? {} : { databaseType }),
    // The error of a referenced row names its key, not the columns of the row that refers to it.
    ...(columns === undefined || detailText.includes('is still referenced') ? {} : { columns }),
  }
}

/** Returns the columns in the keys of a constraint, without functions and types: `"roomId", daterange("from", "to")` -> `roomId, from, to` */
function namesIn(keys: string): readonly string[] {
  return [...keys.matchAll(/"([^"]+)"|(?<!::)\b[a-z_]\w*(?![\w(])/g)].map(([name, quoted = name]) => quoted)
}

/** Errors of column types that parse text. Without these messages, the codes mean a mistake of this library. */
const PARSE_ERRORS: ReadonlyMap<unknown, RegExp> = new Map([
  ['42601', /\b(hstore|tsquery|tsvector|jsonpath|ltree)\b/],
  // The message of the type ltree.
  ['42622', /^label string is too long/],
  ['XX000', /^(Unexpected end of string|Syntax error near)/],
])

const POSTGRES_KINDS: ReadonlyMap<unknown, ConstraintViolationKind> = new Map<unknown, ConstraintViolationKind>([
  ['23505', 'unique'],
  ['23P01', 'exclusion'],
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

const MYSQL_KINDS: ReadonlyMap<unknown, ConstraintViolationKind> = new Map<unknown, ConstraintViolationKind>([
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
    const [, match] = pattern.exec(text) ?? []
    if (match !== undefined) return match
  }
  return undefined
}
