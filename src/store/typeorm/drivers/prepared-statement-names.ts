import { createHash } from 'node:crypto'
import type { Caches } from '../../../cache/caches'
import type { SegmentedLruCache } from '../../../cache/segmented-lru-cache'
import { deallocateStatements, type PgClient } from './pg-internals'

/**
 * Names the prepared statements of one connection. PostgreSQL keeps them until the connection ends, so the least recently used are deallocated, first
 * those that were used once. Query strings that never repeat evict nothing that is in use.
 */
export class PreparedStatementNames {
  private readonly client: PgClient
  private readonly names: SegmentedLruCache<string>
  private evicted: string[] = []
  private changes: number

  constructor(client: PgClient, changes: number, caches: Caches) {
    this.client = client
    this.changes = changes
    this.names = caches.create({
      name: 'names of prepared statements',
      maxEntries: 500,
      onEvict: (name) => this.evicted.push(name),
    })
  }

  /** `changes`: if it grew, all names are deallocated first, which takes a statement and therefore a promise. */
  nameOf(text: string, changes: number): string | Promise<string> {
    const isUpToDate = changes === this.changes
    if (isUpToDate && this.evicted.length < DEALLOCATE_BATCH) return this.names.get(text) ?? this.add(text)
    this.changes = changes
    if (!isUpToDate) this.names.clear()
    return deallocateStatements(this.evicted.splice(0), this.client).then(() => this.add(text))
  }

  /** The name is a hash of the text: behind a pool that shares a connection, it can't denote another client's text. */
  private add(text: string): string {
    const name = `stemma_${createHash('sha256').update(text).digest('hex').slice(0, 40)}`
    this.names.set(text, name)
    return name
  }
}

/** Deallocates in batches, so that a connection with ever new statements waits once for fifty of them. */
const DEALLOCATE_BATCH = 50
