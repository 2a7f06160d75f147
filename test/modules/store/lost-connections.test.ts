import { connect, createServer, type Server, type Socket } from 'node:net'
import { IdempotencyKey } from 'stemma'
import type { Response } from 'supertest'
import { createDataSource, type Place } from '../../support/data-source'
import { DATABASE, openDatabase, type TestDatabase } from '../../support/database'
import { startServer, type TestServer } from '../../support/server'
import { Note, noteOf } from '../../support/waiting-notes'

// No connection is to be had: the pool has none left, or the server does not answer. Requests get 503 with Retry-After.

const onServers = DATABASE === 'sqlite' ? describe.skip : describe
const UNAVAILABLE = '503 server.unavailable, retry after 1'

let database: TestDatabase
beforeAll(async () => {
  database = await openDatabase([Note, IdempotencyKey])
})
afterAll(() => database.close())

const outcome = ({ status, body, headers }: Response) =>
  status < 300 ? `${status}` : `${status} ${body.errors[0].code}, retry after ${headers['retry-after']}`

/** A server in front of the database that stops to answer: connections are accepted, and nothing is sent. */
interface Gateway {
  readonly port: number
  stopAnswering(): void
  close(): Promise<void>
}

async function openGateway(host: string, port: number): Promise<Gateway> {
  const sockets = new Set<Socket>()
  let answers = true
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  }
  const server: Server = createServer((client) => {
    keep(client)
    if (!answers) return
    const way = connect(port, host)
    keep(way)
    client.pipe(way).pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { readonly port: number }).port,
    stopAnswering() {
      answers = false
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

/** The outcomes of all requests once a connection of the pool is lent and `prevent` has run. */
async function outcomesThrough(place: Place, options: object, prevent: () => unknown = () => undefined) {
  const dataSource = await createDataSource(place, [Note, IdempotencyKey], options).initialize()
  const server = await startServer({
    dataSource,
    resources: [Note],
    report: () => undefined,
    streamFrom: 0,
    idempotency: { owner: () => '' },
    context: ({ headers }) => (headers.authorization === undefined ? undefined : dataSource.query('select 1')),
  })
  const holder = dataSource.createQueryRunner()
  await holder.connect()
  await prevent()
  try {
    return (await requestsTo(server)).map(outcome)
  } finally {
    await holder.release()
    await server.close()
    await dataSource.destroy()
  }
}

const LIMITED: readonly object[] = {
  sqlite: [],
  postgres: [{ connectTimeoutMS: 300 }],
  mariadb: [{ extra: { waitForConnections: false } }],
}[DATABASE]

onServers('a pool without a free connection', () => {
  it.each(LIMITED)('answers 503 with the options %j', async (options) => {
    const found = await outcomesThrough(database.place, { poolSize: 1, ...options })
    expect(found).toEqual(found.map(() => UNAVAILABLE))
  })
})

onServers('a server that accepts connections and does not answer', () => {
  it('answers 503 when connecting takes too long', async () => {
    const { url, ...place } = database.place
    const { hostname, port, pathname, username, password } = new URL(String(url))
    const gateway = await openGateway(hostname, Number(port))
    const names = { username: decodeURIComponent(username), password: decodeURIComponent(password) }
    const at = { ...place, ...names, host: '127.0.0.1', port: gateway.port, database: pathname.slice(1) }
    const patience = DATABASE === 'postgres' ? { connectTimeoutMS: 300 } : { connectTimeout: 300 }
    const found = await outcomesThrough(at, { poolSize: 3, ...patience }, gateway.stopAnswering)
    await gateway.close()
    expect(found).toEqual(found.map(() => UNAVAILABLE))
  })
})

it('answers 503 when the application has destroyed the DataSource', async () => {
  const dataSource = await createDataSource(database.place, [Note]).initialize()
  const server = await startServer({ dataSource, resources: [Note], report: () => undefined })
  await dataSource.destroy()
  const found = outcome(await server.post('/notes').send(noteOf('a')))
  await server.close()
  expect(found).toBe(UNAVAILABLE)
})
