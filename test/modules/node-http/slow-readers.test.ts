import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Attribute, createJsonApi, Resource } from 'stemma'
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm'
import { createDataSource } from '../../support/data-source'
import { DATABASE, openDatabase, openFile, SQLITE_DRIVER, type TestDatabase } from '../../support/database'
import { define } from '../../support/define'
import { MORE_THAN_KEPT } from '../../support/more-than-kept'
import { servePoolOfOne } from '../../support/serve-through'
import type { ServerOptions, TestServer } from '../../support/server'
import { connectTo, open, readSlowly } from './support/slow-reading'

// Long lists that are read while they are sent, also by clients that don't read them. Where there is a pool, it has one connection: it has to come back.

const LENGTH = 1000
const DOUBLINGS = Math.ceil(Math.log2(MORE_THAN_KEPT / LENGTH))

@Resource('letters')
@Entity()
class Letter {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: LENGTH }) text: string
}

/** So small that a client reads them faster than they are made. */
@Resource('points')
@Entity()
class Point {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) name: string
}

const POINT_DOUBLINGS = 17
const DURATION = 800
const LONG = { resources: [Letter, Point], page: { size: null, maximumSize: null }, totals: 'off' } as const

let database: TestDatabase
beforeAll(async () => {
  database = await (DATABASE === 'sqlite' ? openFile(LONG.resources) : openDatabase(LONG.resources))
  const { dataSource } = database
  const [letters, points] = LONG.resources.map((each) => dataSource.getMetadata(each).tablePath)
  await dataSource.getRepository(Letter).insert({ text: 'x'.repeat(LENGTH) })
  await dataSource.getRepository(Point).insert({ name: 'a point' })
  for (let times = 0; times < DOUBLINGS; times += 1)
    await dataSource.query(`insert into ${letters} (text) select text from ${letters}`)
  for (let times = 0; times < POINT_DOUBLINGS; times += 1)
    await dataSource.query(`insert into ${points} (name) select name from ${points}`)
}, 60_000)
afterAll(() => database.close())

function serving(
  options: Partial<ServerOptions>,
  work: (server: TestServer, reported: unknown[]) => Promise<void>,
): Promise<void> {
  return servePoolOfOne(database, LONG.resources, { ...LONG, ...options }, work)
}

const openLetters = ({ url }: TestServer) => open(`${url}/letters`)

/** How many letters came. */
async function countSlowly(response: IncomingMessage, pause: number): Promise<number> {
  return JSON.parse(await readSlowly(response, pause)).data.length
}

async function expectAnswer(server: TestServer): Promise<void> {
  const { status, body } = await server.get('/letters?page[size]=2')
  expect([status, body.data.length]).toEqual([200, 2])
}

const LIMITED = { limits: { duration: DURATION } }

it('a client that reads nothing is cut off and reported, and the next request is served', async () => {
  await serving(LIMITED, async (server, reported) => {
    const response = await openLetters(server)
    while (reported.length === 0) await wait(10)
    expect(reported).toEqual([
      expect.objectContaining({ message: 'GET /letters was cut off: nothing more of it could be sent.' }),
    ])
    await expectAnswer(server)
    await expect(countSlowly(response, 0)).rejects.toThrow('aborted')
  })
}, 30_000)

it('a client that reads slowly gets the whole list', async () => {
  await serving(LIMITED, async (server, reported) => {
    const from = performance.now()
    expect(await countSlowly(await openLetters(server), 20)).toBe(2 ** DOUBLINGS)
    expect(performance.now() - from).toBeGreaterThan(DURATION)
    expect(reported).toEqual([])
    await expectAnswer(server)
  })
}, 30_000)

it('a client that reads is not cut off after the event loop was blocked', async () => {
  await serving({ limits: { duration: 300 } }, async ({ url }, reported) => {
    const client = spawn(process.execPath, ['-e', READER, `${url}/letters`])
    await once(client.stdout, 'data')
    for (const end = performance.now() + 600; performance.now() < end; );
    const [length] = await once(client.stdout, 'data')
    expect(reported).toEqual([])
    expect(Number(length)).toBeGreaterThan(1000 * 2 ** DOUBLINGS)
  })
}, 30_000)

/** A process of its own, that can read meanwhile: it says that it has the head, pauses, and reads. */
const READER = `
require('node:http').get(process.argv[1], (response) => {
  console.log('begun')
  setTimeout(() => {
    let length = 0
    response.on('data', (piece) => (length += piece.length))
    response.on('close', () => console.log(length))
    response.on('error', () => {})
  }, 100)
})`

it('a client that reads nothing is waited for without limits.duration', async () => {
  await serving({ limits: { duration: null } }, async (server, reported) => {
    const response = await openLetters(server)
    await wait(DURATION)
    expect(await countSlowly(response, 0)).toBe(2 ** DOUBLINGS)
    expect(reported).toEqual([])
  })
}, 30_000)

it('a client that pipelines two lists and disconnects leaves nothing open', async () => {
  await serving({ limits: { duration: null } }, async (server, reported) => {
    const socket = connectTo(server)
    socket.write('GET /letters HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(2))
    await once(socket, 'readable')
    await wait(200)
    socket.destroy()
    await expectAnswer(server)
    expect(reported).toEqual([])
  })
}, 30_000)

it('a client that does not read a response in one piece holds no connection', async () => {
  await serving({ ...LIMITED, streamFrom: null }, async (server, reported) => {
    const response = await openLetters(server)
    await expectAnswer(server)
    expect(await countSlowly(response, 0)).toBe(2 ** DOUBLINGS)
    expect(reported).toEqual([])
  })
}, 30_000)

/** Another process: in this one a client could not read while the server is at work. */
async function readElsewhere(url: string): Promise<number> {
  const program = `fetch('${url}').then((answer) => answer.text()).then((text) => console.log(JSON.parse(text).data.length))`
  const child = spawn(process.execPath, ['-e', program])
  const [said] = await once(child.stdout, 'data')
  return Number(String(said))
}

it('serves other requests while a long list is sent to a fast client', async () => {
  const dataSource = await createDataSource(database.place, LONG.resources).initialize()
  const { listener } = createJsonApi({ dataSource, startUp: 'quiet', explorer: 'off', ...LONG })
  let turns = 0
  const server = createServer((request, response) => {
    const looking = setInterval(() => {
      if (response.headersSent) turns += 1
    }, 1)
    response.on('close', () => clearInterval(looking))
    ;(listener as RequestListener)(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    expect(await readElsewhere(`http://127.0.0.1:${(server.address() as AddressInfo).port}/points`)).toBe(
      2 ** POINT_DOUBLINGS,
    )
    // One each 10 ms; without them all is sent before anybody else has any.
    expect(turns).toBeGreaterThan(4)
  } finally {
    server.closeAllConnections()
    server.close()
    await dataSource.destroy()
  }
}, 30_000)

it('returns an error document when a long list fails before the first byte', async () => {
  let broken = ''
  const failing = define(Letter, {
    serialize({ id }) {
      if (id === broken) throw new Error('One is broken.')
      return undefined
    },
  })
  await serving({ cacheControl: 'no-cache', definitions: [failing] }, async (server, reported) => {
    const { body: whole } = await server.get('/letters')
    expect(whole.data.length).toBe(2 ** DOUBLINGS)
    broken = whole.data[0].id
    const { status, headers, body } = await server.get('/letters')
    expect([status, body.errors[0].code, body.links.self]).toEqual([500, 'server.error', '/letters'])
    expect([headers['transfer-encoding'], headers['cache-control']]).toEqual([undefined, undefined])
    expect(reported).toEqual([new Error('One is broken.')])
    // Where rows are read all at once, the first of them are written down by then.
    const isReadAtOnce = DATABASE === 'mariadb' || (DATABASE === 'sqlite' && SQLITE_DRIVER === 'sqlite3')
    await server.request('HEAD', '/letters').expect(isReadAtOnce ? 500 : 200)
    broken = whole.data[10_000].id
    await expect(server.get('/letters')).rejects.toThrow('aborted')
    expect(reported).toHaveLength(isReadAtOnce ? 3 : 2)
  })
}, 30_000)
