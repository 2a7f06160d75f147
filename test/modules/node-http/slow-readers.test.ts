import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { Attribute, Resource } from 'stemma'
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm'
import { DATABASE, openDatabase, openFile, type TestDatabase } from '../../support/database'
import { MORE_THAN_KEPT } from '../../support/more-than-kept'
import { servePoolOfOne } from '../../support/serve-through'
import type { ServerOptions, TestServer } from '../../support/server'
import { connectTo, open, readSlowly } from './support/slow-reading'

// Clients that ask for a long list and don't read it. Where there is a pool, it has one connection: it has to come back.

const LENGTH = 1000
const DOUBLINGS = Math.ceil(Math.log2(MORE_THAN_KEPT / LENGTH))

@Resource('letters')
@Entity()
class Letter {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: LENGTH }) text: string
}

const DURATION = 800

let database: TestDatabase
beforeAll(async () => {
  database = await (DATABASE === 'sqlite' ? openFile([Letter]) : openDatabase([Letter]))
  const { dataSource } = database
  const { tablePath } = dataSource.getMetadata(Letter)
  await dataSource.getRepository(Letter).insert({ text: 'x'.repeat(LENGTH) })
  for (let times = 0; times < DOUBLINGS; times += 1)
    await dataSource.query(`insert into ${tablePath} (text) select text from ${tablePath}`)
}, 60_000)
afterAll(() => database.close())

function serving(
  options: Partial<ServerOptions>,
  work: (server: TestServer, reported: unknown[]) => Promise<void>,
): Promise<void> {
  const long = { resources: [Letter], page: { size: null, maximumSize: null }, totals: 'off' } as const
  return servePoolOfOne(database, [Letter], { ...long, ...options }, work)
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
