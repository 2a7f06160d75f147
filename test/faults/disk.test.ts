import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { DataSource } from 'typeorm'
import { makeTables } from '../support/make-tables'
import { serveThrough } from '../support/serve-through'
import type { TestServer } from '../support/server'
import { compare, EntryDefinition, kindOf, LEDGER, NOTHING_WRONG, RESOURCES, startTraffic } from './support/ledger'
import { missingFor, type OwnServer, type ServerName, startOwnServer } from './support/servers'
import { mountSmallDisk, type SmallDisk } from './support/small-disk'

// A file system that has no room left, under a file of SQLite and under the data of servers.

const canMount = mountSmallDisk(1)
canMount?.close()

// Skipped without root, which alone may mount a file system. `npm run verify -- faults` requires it.
const onSmallDisk = canMount === undefined ? describe.skip : describe
if (process.env.FAULTS === 'onServers') {
  it('the user of the tests may mount a file system', () => {
    expect(canMount).toBeDefined()
  })
}

const OPTIONS = { resources: RESOURCES, definitions: [new EntryDefinition()], onError: () => undefined }

/** Writes until there is no room, and goes on when there is. */
async function fillAndFree(disk: SmallDisk, server: TestServer, dataSource: DataSource): Promise<void> {
  const traffic = startTraffic(server)
  await traffic.succeed(10)
  disk.fill()
  await traffic.see(/503 server\.unavailable/)
  expect(await kindOf(server.get('/entries?page[size]=1'))).toBe('200')
  await wait(200)
  disk.free()
  await traffic.succeed(20)
  const book = await traffic.stop()
  expect(await compare(dataSource, book)).toEqual(NOTHING_WRONG)
}

onSmallDisk('a disk that is full', () => {
  let disk: SmallDisk
  beforeEach(() => {
    disk = mountSmallDisk(256) as SmallDisk
  })
  afterEach(() => disk.close())

  it('under a file of SQLite: writes are refused as a whole, reads go on, and so do writes when there is room', async () => {
    const place = { type: 'better-sqlite3', database: join(disk.folder, 'ledger.sqlite'), enableWAL: true }
    await serveThrough({ place }, LEDGER, {}, OPTIONS, async (server, dataSource) => {
      await makeTables(dataSource)
      await fillAndFree(disk, server, dataSource)
    })
  })

  describe.each<ServerName>(['PostgreSQL', 'MariaDB'])('under the data of %s', (name) => {
    // Skipped where the server is not installed: there is no disk to fill under it. test/faults/servers says what is missing.
    const onServer = missingFor(name).length > 0 ? it.skip : it

    onServer('the same', async () => {
      const own: OwnServer = await startOwnServer(name, name === 'MariaDB' ? disk.folder : undefined)
      try {
        await serveThrough(own, LEDGER, { poolSize: 3 }, OPTIONS, async (server, dataSource) => {
          await makeTables(dataSource)
          if (name === 'PostgreSQL') await moveTo(disk, dataSource)
          await fillAndFree(disk, server, dataSource)
        })
      } finally {
        await own.close()
      }
    })
  })
})

/** PostgreSQL stops where there is no room for its log. The operator's matter: here it is the tables that have none. */
async function moveTo(disk: SmallDisk, dataSource: DataSource): Promise<void> {
  await dataSource.query(`copy (select 1) to program 'mkdir -m 700 ${join(disk.folder, 'tables')}'`)
  await dataSource.query(`create tablespace small location '${join(disk.folder, 'tables')}'`)
  for (const { tablePath } of dataSource.entityMetadatas)
    await dataSource.query(`alter table ${tablePath} set tablespace small`)
}
