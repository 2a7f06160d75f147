import { createJsonApi, IdempotencyKey } from 'stemma'
import { type Layout, openDataSource, type Place } from '../shared/databases'
import { makeClasses } from '../shared/model'
import { serve } from '../shared/serve'
import { TYPES } from './model'

// Serves the model until it is killed. Loads its code before it opens the database, so that a restart is fast.

export interface Opening {
  readonly place: Place
  readonly layout: Layout
}

process.once('message', async ({ place, layout }: Opening) => {
  const database = place.type === 'better-sqlite3' ? 'sqlite' : (place.type as 'postgres' | 'mariadb')
  const resources = [...makeClasses(TYPES, { database, layout }).values()]
  // The exam waits until the database server has noticed that this process has ended.
  const named =
    database === 'postgres' ? { ...place, applicationName: `${place.applicationName}_${process.pid}` } : place
  const dataSource = await openDataSource({ place: named }, [...resources, IdempotencyKey], {
    layout,
    synchronize: false,
  })
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
