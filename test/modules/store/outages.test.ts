import { createServer, type Server, type Socket } from 'node:net'
import { IdempotencyKey, ResourceDefinition } from 'stemma'
import type { Response } from 'supertest'
import type { DataSource } from 'typeorm'
import { setUp } from '../../support/api'
import { type ConnectionSettings, createDataSource } from '../../support/data-source'
import { DATABASE, openDatabase, openFile } from '../../support/database'
import { outcomeWithRetry } from '../../support/expectations'
import { KeysInMemory } from '../../support/keys-in-memory'
import { connectTo } from '../../support/raw-http'
import { type ServerOptions, startServer, type TestServer } from '../../support/server'
import { someTurns, until } from '../../support/until'
import { Note, noteOf, WaitingRules } from '../../support/waiting-notes'
import { withServer, withSingleConnectionServer } from '../../support/with-server'

// The database is unreachable, disconnects or is full, or the pool has no connection left: requests get 503, no partial write stays, and the
// next request succeeds.

const database = setUp(() => (DATABASE === 'sqlite' ? openFile([Note]) : openDatabase([Note, IdempotencyKey])))
beforeEach(() => database.dataSource.getRepository(Note).clear())

const names = () => database.valuesOf(Note, 'name')
const UNAVAILABLE = '503 server.unavailable, retry after 1'
// Clients repeat a 503 with Retry-After by themselves, which could write twice.
const UNCERTAIN = '503 write.outcome-unknown'

function serving(
  options: object,
  work: (server: TestServer, reported: unknown[], dataSource: DataSource) => Promise<void>,
  serverOptions: Partial<ServerOptions> = {},
): Promise<void> {
  const all = { resources: [Note], ...serverOptions }
  return withSingleConnectionServer(database, [Note, IdempotencyKey], all, work, options)
}

// Skipped on SQLite, which has no connections that a server could terminate.
const onServers = DATABASE === 'sqlite' ? describe.skip : describe

onServers('a connection that the server terminates', () => {
  /** The connections of a DataSource, as the server knows them. */
  const idOf = async (dataSource: DataSource): Promise<number> => {
    const text = DATABASE === 'postgres' ? 'pg_backend_pid()' : 'connection_id()'
    return Number((await dataSource.query(`select ${text} as id`))[0].id)
  }
  const end = (id: number) =>
    database.dataSource.query(DATABASE === 'postgres' ? `select pg_terminate_backend(${id})` : `KILL ${id}`)
  const isOpen = async (id: number): Promise<boolean> => {
    const source = DATABASE === 'postgres' ? 'pg_stat_activity where pid' : 'information_schema.processlist where id'
    return (await database.dataSource.query(`select 1 from ${source} = ${id}`)).length > 0
  }

  it('returns 503 at most once when it happens between requests', async () => {
    await serving({}, async (server, _reported, dataSource) => {
      await end(await idOf(dataSource))
      const statuses = [
        await server.get('/notes'),
        await server.post('/notes').send(noteOf('a')),
        await server.get('/notes'),
      ]
      expect(statuses.map(outcomeWithRetry).filter((each) => each === UNAVAILABLE).length).toBeLessThanOrEqual(1)
      expect(outcomeWithRetry(statuses[2] as Response)).toBe('200')
    })
  })

  it('rolls back a transaction, reports the cause, and the next request succeeds', async () => {
    const rules = new WaitingRules()
    await serving(
      {},
      async (server, reported, dataSource) => {
        const id = await idOf(dataSource)
        const stopped = server.post('/notes').send(noteOf('wait')).start()
        await rules.hasArrived()
        await end(id)
        await until('the server has closed the connection', async () => !(await isOpen(id)))
        // The driver notices it in the turns that follow.
        await someTurns()
        rules.resume()
        expect(outcomeWithRetry(await stopped)).toBe(UNAVAILABLE)
        const cause =
          DATABASE === 'postgres' ? 'error: terminating connection due to administrator' : 'Connection lost: '
        expect(reported.map(String)).toEqual([expect.stringContaining(cause)])
        expect(await names()).toEqual([])
        expect(outcomeWithRetry(await server.post('/notes').send(noteOf('next')))).toBe('201')
        expect(await names()).toEqual(['by next', 'next'])
      },
      { definitions: [rules] },
    )
  })
})

// Skipped on other databases: MariaDB ends connections without a message.
const onPostgres = DATABASE === 'postgres' ? describe : describe.skip
/** Sends a request that waits for a lock, and terminates the connection on which it waits. */
async function terminateWaiting(lock: string, send: () => Promise<Response>): Promise<Response> {
  const holder = database.dataSource.createQueryRunner()
  await holder.startTransaction()
  await holder.query(lock)
  const [{ pid }] = await holder.query('select pg_backend_pid() as pid')
  const stopped = send()
  const end = `select pg_terminate_backend(pid) from pg_stat_activity where ${pid} = any(pg_blocking_pids(pid))`
  await until('a request waits for the lock', async () => (await database.dataSource.query(end)).length > 0)
  const response = await stopped
  await holder.rollbackTransaction()
  await holder.release()
  return response
}

onPostgres('a connection whose end the server has reported, but which is not closed yet', () => {
  it('is not used again', async () => {
    const gateway = await openGateway(database.connection, { passesEnd: false })
    const options = { resources: [Note], onError: () => undefined }
    await withServer(gateway, [Note], { poolSize: 1 }, options, async (server) => {
      const lock = `lock table ${database.dataSource.getMetadata(Note).tablePath}`
      expect(outcomeWithRetry(await terminateWaiting(lock, () => server.get('/notes').start()))).toBe(UNAVAILABLE)
      expect(outcomeWithRetry(await server.get('/notes'))).toBe('200')
    })
    await gateway.close()
  })
})

onPostgres('a connection that breaks during a write', () => {
  it('returns write.outcome-unknown for a write of a single statement', async () => {
    const { tablePath } = database.dataSource.getMetadata(Note)
    await serving({}, async (server) => {
      const { id } = (await server.post('/notes').send(noteOf('a'))).body.data
      const data = { type: 'notes', id, attributes: { name: 'b' } }
      const update = () => server.patch(`/notes/${id}`).send({ data })
      const lock = `update ${tablePath} set name = 'held'`
      expect(outcomeWithRetry(await terminateWaiting(lock, () => update().start()))).toBe(UNCERTAIN)
      expect(await names()).toEqual(['a'])
      expect(outcomeWithRetry(await update())).toBe('204')
    })
  })
})

onServers('a commit whose confirmation is lost', () => {
  it.each([
    ['is repeated from the table', undefined, '201'],
    [
      'keeps its key in a store outside of the database',
      new KeysInMemory(),
      '409 idempotency.in-progress Idempotency-Key, retry after 1',
    ],
  ])('%s', async (_what, store, repeated) => {
    const [gateway, reported] = [await openGateway(database.connection), [] as unknown[]]
    class Rules extends ResourceDefinition<Note> {
      readonly resource = Note
      override beforeWrite = gateway.loseNextCommit
    }
    const idempotency = { owner: () => '', ...(store && { store }) }
    const options = {
      resources: [Note],
      definitions: [new Rules()],
      onError: (error: unknown) => reported.push(error),
      idempotency,
    }
    await withServer(gateway, [Note, IdempotencyKey], {}, options, async (server) => {
      const send = () => server.post('/notes').set({ 'idempotency-key': '"lost"' }).send(noteOf('a'))
      const [first, count, second] = [await send(), reported.length, await send()]
      expect([outcomeWithRetry(first), count, outcomeWithRetry(second)]).toEqual([UNCERTAIN, 1, repeated])
      await until('the write is committed', async () => (await names()).length > 0)
      expect(await names()).toEqual(['a'])
    })
    await gateway.close()
  })
})

onPostgres('query_timeout of pg', () => {
  const waiting = async () =>
    (await database.dataSource.query('select 1 from pg_locks where not granted and locktype <> $1', ['virtualxid']))
      .length

  it('returns 503 for a write that waits for a lock, and nothing is written later', async () => {
    const { extra } = database.connection as { readonly extra?: object }
    await serving(
      { extra: { ...extra, query_timeout: 1500 } },
      async (server) => {
        const { id } = (await server.post('/notes').send(noteOf('a'))).body.data
        const holder = database.dataSource.createQueryRunner()
        await holder.startTransaction()
        // Rows can still be read and locked: it is the first statement that writes which waits.
        await holder.query(`lock table ${database.dataSource.getMetadata(Note).tablePath} in share row exclusive mode`)
        const data = { type: 'notes', id, attributes: { name: 'b' } }
        const stopped = await server.patch(`/notes/${id}`).send({ data })
        expect(outcomeWithRetry(stopped)).toBe('503 server.timeout, retry after 1')
        await holder.rollbackTransaction()
        await holder.release()
        await until('no statement waits for a lock', async () => (await waiting()) === 0)
        // An open transaction would be committed by the next user of the connection.
        expect(outcomeWithRetry(await server.post('/notes').send(noteOf('next')))).toBe('201')
        expect(await names()).toEqual(['a', 'by a', 'by next', 'next'])
      },
      { definitions: [new WaitingRules()] },
    )
  })
})

// Skipped on servers: a test can fill or lock a file of SQLite only.
const onFiles = DATABASE === 'sqlite' ? describe : describe.skip
onFiles('a file of SQLite', () => {
  const own = { timeout: 50, busyTimeout: 50 }
  const LARGE = noteOf('large', 'x'.repeat(100_000))
  /** There is room for a few rows more. */
  const fill = async (dataSource: DataSource) => {
    await dataSource.query('VACUUM')
    const [{ page_count: pages }] = await dataSource.query('PRAGMA page_count')
    await dataSource.query(`PRAGMA max_page_count = ${pages + 2}`)
  }

  it('refuses large writes, and accepts reads and small writes, when it is full', async () => {
    await serving(own, async (server, reported, dataSource) => {
      expect(outcomeWithRetry(await server.post('/notes').send(noteOf('before')))).toBe('201')
      await fill(dataSource)
      expect(outcomeWithRetry(await server.post('/notes').send(LARGE))).toBe(UNAVAILABLE)
      expect(reported.length).toBe(1)
      expect(await names()).toEqual(['before'])
      expect(outcomeWithRetry(await server.get('/notes'))).toBe('200')
      expect(outcomeWithRetry(await server.post('/notes').send(noteOf('small')))).toBe('201')
      await dataSource.query('PRAGMA max_page_count = 1000000')
      expect(outcomeWithRetry(await server.post('/notes').send(LARGE))).toBe('201')
      expect(await names()).toEqual(['before', 'large', 'small'])
    })
  })

  it('rolls back a transaction in which it becomes full', async () => {
    await serving(
      own,
      async (server, _reported, dataSource) => {
        await fill(dataSource)
        expect(outcomeWithRetry(await server.post('/notes').send(LARGE))).toBe(UNAVAILABLE)
        expect(await names()).toEqual([])
        expect(outcomeWithRetry(await server.post('/notes').send(noteOf('small')))).toBe('201')
        expect(await names()).toEqual(['by small', 'small'])
      },
      { definitions: [new WaitingRules()] },
    )
  })

  it('refuses writes with 503, and accepts reads, while another process has locked it', async () => {
    await serving(own, async (server) => {
      const other = await createDataSource(database.connection, [Note]).initialize()
      await other.query('BEGIN IMMEDIATE')
      expect(outcomeWithRetry(await server.post('/notes').send(noteOf('a')))).toBe(
        '503 write.serialization-failure, retry after 1',
      )
      expect(outcomeWithRetry(await server.get('/notes'))).toBe('200')
      await other.query('ROLLBACK')
      await other.destroy()
      expect(outcomeWithRetry(await server.post('/notes').send(noteOf('a')))).toBe('201')
      expect(await names()).toEqual(['a'])
    })
  })

  it('refuses writes with 503, and accepts reads, when it is read-only', async () => {
    await serving(own, async (server, _reported, dataSource) => {
      await dataSource.query('PRAGMA query_only = ON')
      expect(outcomeWithRetry(await server.post('/notes').send(noteOf('a')))).toBe(UNAVAILABLE)
      expect(outcomeWithRetry(await server.get('/notes'))).toBe('200')
      await dataSource.query('PRAGMA query_only = OFF')
      expect(outcomeWithRetry(await server.post('/notes').send(noteOf('a')))).toBe('201')
    })
  })
})

/** Opens a server in front of the database that can stop to answer: connections are accepted, and nothing is sent. */
async function openGateway({ url, ...connection }: ConnectionSettings, { passesEnd = true } = {}) {
  const { pathname, username, password } = new URL(String(url))
  const sockets = new Set<Socket>()
  let [answers, losesCommit] = [true, false]
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  }
  const server: Server = createServer((client) => {
    keep(client)
    if (!answers) return
    const way = connectTo({ url: String(url) })
    keep(way)
    client.pipe(way).pipe(client, { end: passesEnd })
    client.on('data', (sent) => {
      if (!losesCommit || !sent.includes('COMMIT')) return
      losesCommit = false
      client.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const names = { username: decodeURIComponent(username), password: decodeURIComponent(password) }
  const address = { host: '127.0.0.1', port: (server.address() as { readonly port: number }).port }
  return {
    connection: { ...connection, ...names, ...address, database: pathname.slice(1) },
    stopAnswering() {
      answers = false
    },
    /** The server receives the next commit, and its client loses the connection. */
    loseNextCommit() {
      losesCommit = true
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Every kind of request that needs a connection. */
function requestsTo(server: TestServer): Promise<readonly Response[]> {
  const atomic = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
  const operations = { 'atomic:operations': [{ op: 'add', data: noteOf('a').data }] }
  return Promise.all([
    server.get('/notes').start(),
    server.get('/notes?page[size]=100').start(),
    server.get('/notes/1').start(),
    server.get('/notes').set({ authorization: 'known' }).start(),
    server.post('/notes').send(noteOf('a')).start(),
    server.post('/notes').set({ 'idempotency-key': '"a"' }).send(noteOf('a')).start(),
    server.delete('/notes/1').start(),
    server.post('/operations').set({ 'content-type': atomic, accept: atomic }).send(operations).start(),
  ])
}

/** The outcomes of all requests while the only free connection of the pool is lent and after `prevent`; and of a write when it is returned. */
async function outcomesThrough(connection: ConnectionSettings, options: object, limits: object, prevent?: () => void) {
  const dataSource = await createDataSource(connection, [Note, IdempotencyKey], options).initialize()
  const server = await startServer({
    ...{ dataSource, resources: [Note], onError: () => undefined, limits, streamThreshold: 0 },
    idempotency: { owner: () => '' },
    context: ({ headers }) => (headers.authorization === undefined ? undefined : dataSource.query('select 1')),
  })
  const holder = dataSource.createQueryRunner()
  await holder.connect()
  prevent?.()
  const outcomes = (await requestsTo(server)).map(outcomeWithRetry)
  await holder.release()
  const next = outcomeWithRetry(await server.post('/notes').send(noteOf('next')))
  await server.close()
  await dataSource.destroy()
  expect(await names()).toEqual(['next'])
  return { outcomes: [...new Set(outcomes)], next }
}

// Skipped on the others: only MariaDB has Galera. The trigger fails as a node does that loses the majority within a statement.
const onMariaDb = DATABASE === 'mariadb' ? it : it.skip
onMariaDb('returns 503 if a Galera node leaves its cluster while an idempotency key is stored', async () => {
  const { tableName } = database.dataSource.getMetadata(IdempotencyKey)
  const failure = `signal sqlstate 'HY000' set mysql_errno = 1180, message_text = 'Not connected to Primary Component'`
  await database.dataSource.query(`create trigger leaves before insert on ${tableName} for each row ${failure}`)
  const send = (server: TestServer) => server.post('/notes').set({ 'idempotency-key': '"a"' }).send(noteOf('a'))
  const options = { idempotency: { owner: () => '' } }
  await serving({}, async (server) => expect(outcomeWithRetry(await send(server))).toBe(UNAVAILABLE), options)
  await database.dataSource.query('drop trigger leaves')
  expect(await names()).toEqual([])
})

const POOLS: readonly { readonly code: string; readonly options: object; readonly limits: object }[] = {
  sqlite: [],
  postgres: [{ code: 'server.unavailable', options: { connectTimeoutMS: 300 }, limits: {} }],
  mariadb: [
    { code: 'server.unavailable', options: { extra: { waitForConnections: false } }, limits: {} },
    { code: 'server.timeout', options: {}, limits: { timeout: 1500 } },
  ],
}[DATABASE]

onServers('a pool without a free connection', () => {
  it.each(POOLS)(
    'returns 503 $code with the options $options and the limits $limits',
    async ({ code, options, limits }) => {
      const found = await outcomesThrough(database.connection, { poolSize: 1, ...options }, limits)
      expect(found).toEqual({ outcomes: [`503 ${code}, retry after 1`], next: '201' })
    },
  )
})

onServers('a server that accepts connections and does not answer', () => {
  it('returns 503 when connecting takes too long', async () => {
    const gateway = await openGateway(database.connection)
    const patience = DATABASE === 'postgres' ? { connectTimeoutMS: 300 } : { connectTimeout: 300 }
    const found = await outcomesThrough(gateway.connection, { poolSize: 3, ...patience }, {}, gateway.stopAnswering)
    await gateway.close()
    expect(found).toEqual({ outcomes: [UNAVAILABLE], next: '201' })
  })
})

it('returns 503 when the application has destroyed the DataSource', async () => {
  const dataSource = await createDataSource(database.connection, [Note]).initialize()
  const server = await startServer({ dataSource, resources: [Note], onError: () => undefined })
  await dataSource.destroy()
  const found = outcomeWithRetry(await server.post('/notes').send(noteOf('a')))
  await server.close()
  expect(found).toBe(UNAVAILABLE)
})
