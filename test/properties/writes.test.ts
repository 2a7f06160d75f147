import { DATABASE, openDatabase, openFile, type TestDatabase } from '../support/database'
import { startServer, type TestServer } from '../support/server'
import { TIME_LIMIT } from './support/random'
import { playWrites, WRITTEN_TABLES, writtenServer } from './support/write-rounds'

const DATABASES: readonly (readonly [string, () => Promise<TestDatabase>])[] = [
  ['a database', () => openDatabase(WRITTEN_TABLES)],
  ...(DATABASE === 'sqlite' ? [['a file of SQLite', () => openFile(WRITTEN_TABLES)] as const] : []),
]

jest.setTimeout(TIME_LIMIT * 3)

describe.each(DATABASES)('in %s', (_name, open) => {
  let database: TestDatabase
  let server: TestServer

  beforeEach(async () => {
    database = await open()
    server = await startServer(writtenServer(database.dataSource))
  })
  afterEach(async () => {
    await server.close()
    await database.close()
  })

  it.each([
    ['one by one', 1, 100],
    ['eight at a time', 8, 280],
  ])('writes that are sent %s end as in the model', (_manner, size, count) =>
    playWrites(server, database.dataSource, { size, count }),
  )
})
