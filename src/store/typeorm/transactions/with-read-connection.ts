import type { DataSource, EntityManager } from 'typeorm'
import { runOnReadConnection } from './run-on-connection'

/**
 * Reads for an application's own purposes. On SQLite the one connection of a `DataSource` shows what a transaction has written before it
 * is committed; through this only what was committed is seen, and all that is read is of one moment. On other databases it is a
 * connection for reading, to a replica where there is one. In a rule, it is part of the transaction of the write.
 *
 * `await withReadConnection(dataSource, (manager) => manager.countBy(Man, { hasBeard: true }))` -> `2`
 */
export function withReadConnection<Value>(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<Value>,
): Promise<Value> {
  return runOnReadConnection(dataSource, ({ manager }) => work(manager))
}
