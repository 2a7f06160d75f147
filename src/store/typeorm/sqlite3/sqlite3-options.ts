import type { BaseDataSourceOptions } from 'typeorm/data-source/BaseDataSourceOptions'

/** What TypeORM 0.3 took with `type: 'sqlite'`. */
export interface Sqlite3Options extends Omit<BaseDataSourceOptions, 'type' | 'poolSize'> {
  /** The path of a file, or `:memory:`. */
  readonly database: string
  /** A package with the interface of `sqlite3`. Default: that one. */
  readonly driver?: unknown
  /** For SQLCipher. */
  readonly key?: string
  /** Readers see the last commit and do not wait while a transaction is open. */
  readonly enableWAL?: boolean
  /** Milliseconds to wait for a file that another program has locked. Default: 1000, the driver's own. */
  readonly busyTimeout?: number
  /** How the file is opened: `sqlite3.OPEN_READWRITE`. Default: made when it is not there. */
  readonly flags?: number
}
