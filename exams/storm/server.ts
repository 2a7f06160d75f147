import { setTimeout as wait } from 'node:timers/promises'
import { ClusterLock, createJsonApi, IdempotencyKey } from 'stemma'
import type { DataSource } from 'typeorm'
import { type ConnectionSettings, type Layout, openDataSource } from '../shared/databases'
import { createClasses } from '../shared/model'
import { serve } from '../shared/serve'
import { TYPES } from './model'

// Serves the model until it is killed. Loads its code before it opens the database, so that a restart is fast.

/** Milliseconds. */
const MAX_OUTAGE = 10_000

export interface ServerOptions {
  readonly connection: ConnectionSettings
  readonly layout: Layout
  /** True if other processes write at other nodes of a cluster. */
  readonly isCluster: boolean
  /** In milliseconds. `undefined`: the default. */
  readonly timeout?: number | undefined
}

process.once('message', async ({ connection, layout, isCluster, timeout }: ServerOptions) => {
  const database = connection.type === 'better-sqlite3' ? 'sqlite' : (connection.type as 'postgres' | 'mariadb')
  const resources = [...createClasses(TYPES, { database, layout }).values()]
  // The storm waits until the database server has noticed that this process has ended.
  const namedConnection =
    database === 'postgres'
      ? { ...connection, applicationName: `${connection.applicationName}_${process.pid}` }
      : connection
  const tables = [...resources, IdempotencyKey, ...(isCluster ? [ClusterLock] : [])]
  const dataSource = await openAfterOutage(() =>
    openDataSource({ connection: namedConnection }, tables, { layout, synchronize: false }),
  )
  if (database === 'sqlite') await dataSource.query('pragma synchronous = normal')
  const { listener } = createJsonApi({
    dataSource,
    resources,
    idempotency: { owner: () => 'everyone', leaseSeconds: 1 },
    limits: timeout === undefined ? {} : { timeout },
    startupLog: false,
    explorer: false,
    onError: printOnce,
  })
  const { port } = await serve(listener)
  process.send?.(port)
})
// The storm has ended.
process.once('disconnect', () => process.exit())
process.send?.('loaded')

/** Repeats the first connection, which is lost if a standby takes over at that moment. A platform would start the process again. */
async function openAfterOutage(open: () => Promise<DataSource>): Promise<DataSource> {
  const end = performance.now() + MAX_OUTAGE
  for (;;) {
    try {
      return await open()
    } catch (error) {
      if (performance.now() > end) throw error
      await wait(100)
    }
  }
}

const printed = new Set<string>()

/** A fault causes the same error in many requests. */
function printOnce(error: unknown): void {
  const text = `${String(error)}\n`
  if (!printed.has(text)) process.stderr.write(text)
  printed.add(text)
}
