import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { DataSource } from 'typeorm'
import { createTables } from '../support/create-tables'
import type { TestServer } from '../support/server'
import { withServer } from '../support/with-server'
import {
  compareWithDatabase,
  EntryDefinition,
  LEDGER,
  NO_DIFFERENCES,
  RESOURCES,
  startTraffic,
  statusAndCode,
} from './support/ledger'
import { missingPrograms, type ServerName, startDatabaseServer, type TestDatabaseServer } from './support/servers'
import { mountSmallDisk, type SmallDisk } from './support/small-disk'

// Fills the file system of a SQLite file and of the data of servers.

const canMount = mountSmallDisk(1)
canMount?.close()

// Skipped without root, which alone may mount a file system. `npm run verify -- faults` requires it.
const onSmallDisk = canMount === undefined ? describe.skip : describe
if (process.env.FAULTS === 'onServers') {
  it('the user of the tests can mount a file system', () => expect(canMount).toBeDefined())
}

const OPTIONS = { resources: RESOURCES, definitions: [new EntryDefinition()], onError: () => undefined }

/** Fills the disk during writes, frees it, and expects that writes continue and nothing is lost. */
async function fillAndFree(disk: SmallDisk, server: TestServer, dataSource: DataSource): Promise<void> {
  const traffic = startTraffic(server)
  await traffic.waitForWrites(10)
  disk.fill()
  await traffic.waitForResponse(/503 server\.unavailable/)
  expect(await statusAndCode(server.get('/entries?page[size]=1'))).toBe('200')
  // Time for more writes that find no space.
  await wait(200)
  disk.free()
  await traffic.waitForWrites(20)
  expect(await compareWithDatabase(dataSource, await traffic.stop())).toEqual(NO_DIFFERENCES)
}

onSmallDisk('a full disk', () => {
  let disk: SmallDisk
  beforeEach(() => {
    disk = mountSmallDisk(256) as SmallDisk
  })
  afterEach(() => disk.close())

  it('rejects writes completely and serves reads until there is space again, with a SQLite file', async () => {
    const connection = { type: 'better-sqlite3', database: join(disk.folder, 'ledger.sqlite'), enableWAL: true }
    await withServer({ connection }, LEDGER, {}, OPTIONS, async (server, dataSource) => {
      await createTables(dataSource)
      await fillAndFree(disk, server, dataSource)
    })
  })

  describe.each<ServerName>(['PostgreSQL', 'MariaDB'])('with the data of %s', (name) => {
    // Skipped if the server is not installed; test/faults/servers reports what is missing.
    const onServer = missingPrograms(name).length > 0 ? it.skip : it

    onServer('rejects writes completely and serves reads until there is space again', async () => {
      const own: TestDatabaseServer = await startDatabaseServer(name, name === 'MariaDB' ? disk.folder : undefined)
      try {
        await withServer(own, LEDGER, { poolSize: 3 }, OPTIONS, async (server, dataSource) => {
          await createTables(dataSource)
          if (name === 'PostgreSQL') await moveTo(disk, dataSource)
          await fillAndFree(disk, server, dataSource)
        })
      } finally {
        await own.close()
      }
    })
  })
})

/** Moves only the tables to the small disk: PostgreSQL stops when its log has no space. */
async function moveTo(disk: SmallDisk, dataSource: DataSource): Promise<void> {
  await dataSource.query(`copy (select 1) to program 'mkdir -m 700 ${join(disk.folder, 'tables')}'`)
  await dataSource.query(`create tablespace small location '${join(disk.folder, 'tables')}'`)
  for (const { tablePath } of dataSource.entityMetadatas)
    await dataSource.query(`alter table ${tablePath} set tablespace small`)
}
