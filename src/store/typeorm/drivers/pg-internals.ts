import { connect, type Socket } from 'node:net'

// Members of clients of `pg` 8.23 that its documentation does not describe. A client without them is left to TypeORM, or is not cancelled.

export interface PgClient {
  query(statement: PgStatement): Promise<PgResult>
  query(messages: PgMessages): void
  readonly connection: PgConnection
  /** True in pipeline mode, in which the queue of the client accepts no other messages. */
  readonly pipeline?: boolean
}

interface PgStatement {
  readonly name?: string
  readonly text: string
  readonly values: unknown[]
  readonly rowMode: 'array'
}

interface PgConnection {
  /** The texts of prepared statements by name. */
  readonly parsedStatements: Record<string, string>
  close(message: { readonly type: 'S'; readonly name: string }): void
  sync(): void
}

/** An entry in the queue of a client that sends messages to the server itself. */
interface PgMessages {
  submit(connection: PgConnection): void
  handleReadyForQuery(): void
  handleError(error: unknown): void
}

export interface PgResult {
  readonly rows: readonly unknown[][]
  readonly rowCount: number | null
}

/** Returns false for the native variant, for pipeline mode, and for packages that imitate `pg`. */
export function isPgClient(client: unknown): client is PgClient {
  const { connection, pipeline } = client as Partial<PgClient>
  return typeof connection?.parsedStatements === 'object' && pipeline !== true
}

/** Deallocates prepared statements. A statement that is used meanwhile is prepared again after the deallocation. */
export async function deallocateStatements(names: readonly string[], client: PgClient): Promise<void> {
  const { parsedStatements } = client.connection
  const prepared = names.filter((name) => parsedStatements[name] !== undefined)
  for (const name of prepared) delete parsedStatements[name]
  if (prepared.length > 0) await closeStatements(prepared, client)
}

/** Closes statements with protocol messages. Unlike `DEALLOCATE`, they work in a failed transaction and with poolers that rename statements. */
function closeStatements(names: readonly string[], client: PgClient): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query({
      submit(connection) {
        for (const name of names) connection.close({ type: 'S', name })
        connection.sync()
      },
      handleReadyForQuery: () => resolve(),
      handleError: reject,
    })
  })
}

/** The address of a server process and the stream of its connection. */
interface PgConnectionInternals {
  readonly processID: number
  readonly secretKey?: number
  readonly host?: string
  readonly port?: number
  readonly connection?: { readonly stream?: Socket }
}

export function isPgConnection(connection: unknown): connection is PgConnectionInternals {
  return (connection as Partial<PgConnectionInternals> | undefined)?.processID !== undefined
}

/** Requests, over another socket, that the server cancels the statement of a process. */
export function cancelPgStatement(
  { processID, secretKey = 0, host = '', port = 5432 }: PgConnectionInternals,
  milliseconds: number,
): void {
  const address = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
  const message = Buffer.alloc(16)
  for (const [index, part] of [message.length, CANCEL_REQUEST, processID, secretKey].entries())
    message.writeInt32BE(part, index * 4)
  const cancelling = connect(address, () => cancelling.end(message)).on('error', () => undefined)
  cancelling.setTimeout(milliseconds, () => cancelling.destroy())
}

/** https://www.postgresql.org/docs/current/protocol-message-formats.html#PROTOCOL-MESSAGE-FORMATS-CANCELREQUEST */
const CANCEL_REQUEST = 80877102
