import type { DataSource, EntityManager } from 'typeorm'
import { withReader } from './connection-gate'

/**
 * Reads for an application's own purposes. On SQLite the one connection of a `DataSource` shows what a transaction has written before it
 * is committed; through this only what was committed is seen, and all that is read is of one moment. On other databases it is a
 * connection for reading, to a replica where there is one. In a rule, it is part of the transaction of the write.
 *
 * `await withRead(dataSource, (manager) => manager.countBy(Man, { hasBeard: true }))` -> `2`
 */
export function withRead<Value>(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<Value>,
): Promise<Value> {
  return withReader(dataSource, ({ manager }) => work(manager))
}
