import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { DataSource } from 'typeorm'
import { DATABASE } from './database'
import { deferred } from './deferred'
import { someTurns, until } from './until'

/** Resolves when a server of this process receives the next request, with its response. */
export function nextResponse(): Promise<ServerResponse> {
  return new Promise((resolve) => {
    const receive = (message: unknown) => {
      if (!(message instanceof Object && 'response' in message && message.response instanceof ServerResponse)) return
      resolve(message.response)
      // The channel is calling its subscribers now.
      setImmediate(unsubscribe, 'http.server.request.start', receive)
    }
    subscribe('http.server.request.start', receive)
  })
}

/** Resolves when the next request waits for a lock, or has been answered. */
export async function nextRequestWaits(dataSource: DataSource): Promise<void> {
  const response = await nextResponse()
  // SQLite has one writer: the request waits within the process.
  if (DATABASE === 'sqlite') return someTurns()
  await until('the next request is blocked', async () => response.writableEnded || (await hasLockWait(dataSource)))
}

/** Returns true if a transaction waits for a lock in this database of PostgreSQL or MariaDB. */
export async function hasLockWait(dataSource: DataSource): Promise<boolean> {
  // MariaDB renews its list only if no statement has read it for a tenth of a second, not even one of another test.
  if (DATABASE === 'mariadb') await wait(110 + 90 * Math.random())
  const rows: readonly unknown[] = await dataSource.query(
    DATABASE === 'mariadb'
      ? `select 1 from information_schema.innodb_trx join information_schema.processlist on id = trx_mysql_thread_id
          where trx_state = 'LOCK WAIT' and db = database()`
      : `select 1 from pg_locks waiting join pg_locks held using (pid) join pg_class on pg_class.oid = held.relation
          where not waiting.granted and relnamespace = '"${dataSource.driver.schema}"'::regnamespace`,
  )
  return rows.length > 0
}

/** Lets a write wait in a hook until the next request waits for it, but not again when it is retried. `begun` resolves in that hook. */
export function createPause(dataSource: DataSource) {
  const { promise: begun, resolve: begin } = deferred()
  let pausing: Promise<void> | undefined
  const pause = () => {
    pausing ??= nextRequestWaits(dataSource)
    begin()
    return pausing
  }
  return { begun, pause }
}
