import { request } from 'node:http'
import { setUp } from '../../support/api'
import { DATABASE, openDatabase, openFile, SQLITE_DRIVER } from '../../support/database'
import { nextResponse } from '../../support/overlapping-writes'
import { openRaw } from '../../support/raw-http'
import { Note, noteOf, WaitingRules } from '../../support/waiting-notes'
import { startOwnServer } from '../../support/with-server'

// Clients that disconnect during a request. Pools have one connection, which has to be released.

/** 2^17: more than 100,000. */
const DOUBLINGS = 17
const database = setUp(() => (DATABASE === 'sqlite' ? openFile([Note]) : openDatabase([Note])))
const rules = new WaitingRules()
const reported: unknown[] = []
const onError = (error: unknown) => reported.push(error)
const LONG = { page: { size: null, maxSize: null }, totals: false } as const
const server = setUp(() =>
  startOwnServer(database, [Note], { poolSize: 1 }, { resources: [Note], definitions: [rules], onError, ...LONG }),
)
beforeEach(async () => {
  await database.dataSource.getRepository(Note).clear()
  reported.length = 0
})

it('commits the whole write when a client disconnects during its transaction', async () => {
  const received = nextResponse()
  const headers = { 'content-type': 'application/vnd.api+json' }
  const client = request(`${server.url}/notes`, { method: 'POST', headers, agent: false }).on('error', () => undefined)
  client.end(JSON.stringify(noteOf('wait')))
  const { socket } = (await received).req
  await rules.hasArrived()
  client.destroy()
  await new Promise((resolve) => socket.once('close', resolve))
  rules.resume()
  await server.post('/notes').send(noteOf('next')).expect(201)
  expect(await database.valuesOf(Note, 'name')).toEqual(['by next', 'by wait', 'next', 'wait'])
  expect(reported).toEqual([])
})

/** The connections that SQLite opens from now on. */
function watchConnections(): readonly { readonly open: boolean }[] {
  const { dataSource } = server
  const driver = dataSource.driver as unknown as { createDatabaseConnection(): Promise<{ readonly open: boolean }> }
  const connections: { readonly open: boolean }[] = []
  const connect = driver.createDatabaseConnection
  driver.createDatabaseConnection = async function (this: typeof driver) {
    const connection = await connect.call(this)
    connections.push(connection)
    return connection
  }
  return connections
}

it('ends the statement and releases the connection when a client disconnects during a long list', async () => {
  const { tablePath } = database.dataSource.getMetadata(Note)
  await database.dataSource.getRepository(Note).insert({ name: 'many' })
  for (let times = 0; times < DOUBLINGS; times += 1)
    await database.dataSource.query(`insert into ${tablePath} (name) select name from ${tablePath}`)
  const connections = watchConnections()
  for (let times = 0; times < 3; times += 1) {
    const response = await openRaw(`${server.url}/notes`)
    response.on('error', () => undefined)
    await new Promise((resolve) => response.once('data', resolve))
    response.destroy()
    const { status, body } = await server.get('/notes?page[size]=2')
    expect([status, body.data.length]).toEqual([200, 2])
  }
  await server.request('HEAD', '/notes').expect(200)
  await server.post('/notes').send(noteOf('last')).expect(201)
  expect(reported).toEqual([])
  // SQLite has no pool that would run dry: it opens a connection for each list, and keeps one for short reads.
  if (DATABASE === 'sqlite' && SQLITE_DRIVER === 'better-sqlite3') {
    expect(connections.length).toBeGreaterThan(3)
    expect(connections.filter(({ open }) => open)).toHaveLength(1)
  }
}, 60_000)
