import { createHash } from 'node:crypto'
import { SegmentedLruCache } from '../../../cache/segmented-lru-cache'

/** What `pg` has of one connection. */
export interface PgClient {
  query(statement: PgStatement): Promise<PgResult>
  query(messages: PgMessages): void
  readonly connection: PgConnection
  /** Its queue takes no messages of others then. */
  readonly pipeline?: boolean
}

interface PgStatement {
  readonly name?: string
  readonly text: string
  readonly values: unknown[]
  readonly rowMode: 'array'
}

interface PgConnection {
  /** Texts by name, of all that is prepared. */
  readonly parsedStatements: Record<string, string>
  close(what: { readonly type: 'S'; readonly name: string }): void
  sync(): void
}

/** What stands in the queue of the client for a statement, and speaks to the server itself. */
interface PgMessages {
  submit(connection: PgConnection): void
  handleReadyForQuery(): void
  handleError(error: unknown): void
}

export interface PgResult {
  readonly rows: readonly unknown[][]
  readonly rowCount: number | null
}

/**
 * The names of the statements of one connection. PostgreSQL keeps what has a name until the connection ends: names that were not used for
 * longest are given up, those first that were used once, so that query strings which are always new can't fill its memory, and push out nothing
 * that is in use.
 */
export class PreparedStatementNames {
  private readonly client: PgClient
  private readonly names: SegmentedLruCache<string>
  private evicted: string[] = []
  private changes: number

  constructor(client: PgClient, changes: number) {
    this.client = client
    this.changes = changes
    this.names = new SegmentedLruCache({ maxEntries: MAX_NAMES, onEvict: (name) => this.evicted.push(name) })
  }

  /** `changes`: when it counts up, all names have to be given up first. That takes a statement, so that there is a promise. */
  nameOf(text: string, changes: number): string | Promise<string> {
    const isUpToDate = changes === this.changes
    if (isUpToDate && this.evicted.length < DEALLOCATE_BATCH) return this.names.get(text) ?? this.add(text)
    this.changes = changes
    if (!isUpToDate) this.names.clear()
    return this.deallocate().then(() => this.add(text))
  }

  /** A name follows from its text: behind a pool that lends one connection to many, it can't stand for the text of somebody else. */
  private add(text: string): string {
    const name = `stemma_${createHash('sha256').update(text).digest('hex').slice(0, 40)}`
    this.names.set(text, name)
    return name
  }

  private async deallocate(): Promise<void> {
    const { parsedStatements } = this.client.connection
    const names = this.evicted.splice(0).filter((name) => parsedStatements[name] !== undefined)
    // Whoever uses one of them meanwhile prepares it again, behind the closing.
    for (const name of names) delete parsedStatements[name]
    if (names.length > 0) await close(names, this.client)
  }
}

const MAX_NAMES = 500
/** So that a connection whose statements are always new waits once for every fifty, and not for each. */
const DEALLOCATE_BATCH = 50

/** By the protocol: unlike `DEALLOCATE`, that works within a transaction that has failed, and through poolers that know names. */
function close(names: readonly string[], client: PgClient): Promise<void> {
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
