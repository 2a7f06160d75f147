import { createJsonApi, IdempotencyKey } from 'stemma'
import { type Layout, openDataSource, type Place } from '../shared/databases'
import { makeClasses } from '../shared/model'
import { serve } from '../shared/serve'
import { TYPES } from './model'

// A process that serves the model of the storm, until it is killed. Its code is loaded before it is told to open the database, so that a restart is short.

export interface Opening {
  readonly place: Place
  readonly layout: Layout
}

process.once('message', async ({ place, layout }: Opening) => {
  const database = place.type === 'better-sqlite3' ? 'sqlite' : (place.type as 'postgres' | 'mariadb')
  const resources = [...makeClasses(TYPES, { database, layout }).values()]
  // For the examiner, who waits until the server of the database has noticed that this process is gone.
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
    startupLog: 'quiet',
    explorer: false,
    onError: (error) => process.stderr.write(`${String(error)}\n`),
  })
  const { port } = await serve(listener)
  process.send?.(port)
})
// The examiner is gone.
process.once('disconnect', () => process.exit())
process.send?.('loaded')
