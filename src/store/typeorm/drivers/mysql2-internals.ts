import type { Socket } from 'node:net'

// Members of connections of `mysql2` 3.24 that its documentation does not describe. A connection without them is not cancelled.

interface MysqlConnectionInternals {
  readonly threadId: number
  readonly stream?: Socket
  on?(event: 'error', listener: () => void): unknown
}

export function isMysqlConnection(connection: unknown): connection is MysqlConnectionInternals {
  return (connection as Partial<MysqlConnectionInternals> | undefined)?.threadId !== undefined
}

/** The connection emits an error for what is sent on it later, and an error without a listener ends a process. */
export function destroyMysqlSocket(connection: MysqlConnectionInternals): void {
  connection.on?.('error', () => undefined)
  connection.stream?.destroy()
}
