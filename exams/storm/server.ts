import { ClusterLock, createJsonApi, IdempotencyKey } from 'stemma'
import { type ConnectionSettings, type Layout, openDataSource } from '../shared/databases'
import { createClasses } from '../shared/model'
import { serve } from '../shared/serve'
import { TYPES } from './model'

// Serves the model until it is killed. Loads its code before it opens the database, so that a restart is fast.

export interface ServerOptions {
  readonly connection: ConnectionSettings
  readonly layout: Layout
  /** True if other processes write at other nodes of a cluster. */
  readonly isCluster?: boolean
}

process.once('message', async ({ connection, layout, isCluster = false }: ServerOptions) => {
  const database = connection.type === 'better-sqlite3' ? 'sqlite' : (connection.type as 'postgres' | 'mariadb')
  const resources = [...createClasses(TYPES, { database, layout }).values()]
  // The exam waits until the database server has noticed that this process has ended.
  const namedConnection =
    database === 'postgres'
      ? { ...connection, applicationName: `${connection.applicationName}_${process.pid}` }
      : connection
  const tables = [...resources, IdempotencyKey, ...(isCluster ? [ClusterLock] : [])]
  const dataSource = await openDataSource({ connection: namedConnection }, tables, { layout, synchronize: false })
  if (database === 'sqlite') await dataSource.query('pragma synchronous = normal')
  const { listener } = createJsonApi({
    dataSource,
    resources,
    idempotency: { owner: () => 'everyone', leaseSeconds: 1 },
    startupLog: false,
    explorer: false,
    onError: (error) => process.stderr.write(`${String(error)}\n`),
  })
  const { port } = await serve(listener)
  process.send?.(port)
})
// The exam has ended.
process.once('disconnect', () => process.exit())
process.send?.('loaded')
