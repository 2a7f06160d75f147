import { DATABASE, openDatabase, openFile, type TestDatabase } from '../support/database'
import { startServer, type TestServer } from '../support/server'
import { TIME_LIMIT } from './support/random'
import { RANDOM_WRITE_ENTITIES, randomWriteServer, testRandomWrites } from './support/write-rounds'

const DATABASES: readonly (readonly [string, () => Promise<TestDatabase>])[] = [
  ['a database', () => openDatabase(RANDOM_WRITE_ENTITIES)],
  ...(DATABASE === 'sqlite' ? [['an SQLite file', () => openFile(RANDOM_WRITE_ENTITIES)] as const] : []),
]

jest.setTimeout(TIME_LIMIT * 3)

describe.each(DATABASES)('in %s', (_name, open) => {
  let database: TestDatabase
  let server: TestServer

  beforeEach(async () => {
    database = await open()
    server = await startServer(randomWriteServer(database.dataSource))
  })
  afterEach(async () => {
    await server.close()
    await database.close()
  })

  it.each([
    ['one by one', 1, 100],
    ['eight at a time', 8, 280],
  ])('stores the same as the model after random writes, sent %s', (_manner, size, count) =>
    testRandomWrites(server, database.dataSource, { size, count }),
  )
})
