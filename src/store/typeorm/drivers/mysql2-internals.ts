import type { Socket } from 'node:net'

// Members of connections of `mysql2` 3.24 that its documentation does not describe. A connection without them is not cancelled.

interface MysqlConnectionInternals {
  readonly threadId: number
  readonly stream?: Socket
  on?(event: 'error', listener: () => void): unknown
  query?(text: string, callback: (error: Error | null, rows: MysqlRows) => void): unknown
}

type MysqlRows = readonly Readonly<Record<string, unknown>>[]

export function isMysqlDriverConnection(connection: unknown): connection is MysqlConnectionInternals {
  return (connection as Partial<MysqlConnectionInternals> | undefined)?.threadId !== undefined
}

/** Destroys the socket. Adds an error listener, because a later statement emits an error, which would end the process without a listener. */
export function destroyMysqlSocket(connection: MysqlConnectionInternals): void {
  connection.on?.('error', () => undefined)
  connection.stream?.destroy()
}

/** Runs a statement without TypeORM. Returns no rows on a connection of another package. */
export function queryMysqlConnection(connection: unknown, text: string): Promise<MysqlRows> {
  return new Promise((resolve, reject) => {
    if (!isMysqlDriverConnection(connection) || connection.query === undefined) return resolve([])
    connection.query(text, (error, rows) => (error === null ? resolve(rows) : reject(error)))
  })
}
