import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { RequestHandler, Response } from 'express'
import { Attribute } from 'stemma'
import { Column, PrimaryGeneratedColumn, VirtualColumn } from 'typeorm'
import { define, setUp } from '../../support/api'
import { DATABASE, openDatabase, openFile, SQLITE_DRIVER } from '../../support/database'
import { LARGER_THAN_BUFFERS } from '../../support/larger-than-buffers'
import { Point } from '../../support/points'
import { connectTo, openRaw } from '../../support/raw-http'
import { StoredResource } from '../../support/resource-decorators'
import type { ServerOptions, TestServer } from '../../support/server'
import { DURATION, watchTimeLimits } from '../../support/time-limits'
import { someTurns, until } from '../../support/until'
import { withSingleConnectionServer } from '../../support/with-server'

// Long lists that are read while they are sent, also by clients that don't read them. Where there is a pool, it has one connection: it has to come back.

// More rows than are read at once: src/store/typeorm/reading/read-at-once-or-streaming.ts.
const LENGTH = 2000
const DOUBLINGS = Math.ceil(Math.log2(LARGER_THAN_BUFFERS / LENGTH))

@StoredResource('letters')
class Letter {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: LENGTH }) text: string
}

/** Points are so small that a client reads them faster than they are made. */
const POINT_DOUBLINGS = 15
const LATE = 12_000

/** PostgreSQL takes minutes for one of them. */
@StoredResource('riddles')
class Riddle {
  @PrimaryGeneratedColumn() id: number
  @Attribute()
  @VirtualColumn({
    type: 'int',
    query: (alias) => `select case when ${alias}."id" = ${LATE} then (select 1 from pg_sleep(300)) else 0 end`,
  })
  answer: number
}

const limits = setUp(() => watchTimeLimits(DURATION))
const LONG = { resources: [Letter, Point, Riddle], page: { size: null, maxSize: null }, totals: false } as const
const database = setUp(() => (DATABASE === 'sqlite' ? openFile(LONG.resources) : openDatabase(LONG.resources)))
beforeAll(async () => {
  const { dataSource } = database
  const [letters, points] = LONG.resources.map((each) => dataSource.getMetadata(each).tablePath)
  await dataSource.getRepository(Letter).insert({ text: 'x'.repeat(LENGTH) })
  await dataSource.getRepository(Point).insert({ name: 'a point' })
  for (let times = 0; times < DOUBLINGS; times += 1)
    await dataSource.query(`insert into ${letters} (text) select text from ${letters}`)
  for (let times = 0; times < POINT_DOUBLINGS; times += 1)
    await dataSource.query(`insert into ${points} (name) select name from ${points}`)
}, 60_000)

interface Serving {
  readonly server: TestServer
  readonly reported: unknown[]
  /** In the order of their requests. */
  readonly responses: readonly Response[]
}

function serving(options: Partial<ServerOptions>, work: (serving: Serving) => Promise<void>): Promise<void> {
  const responses: Response[] = []
  const before: RequestHandler = (_request, response, next) => {
    responses.push(response)
    next()
  }
  const all = { ...LONG, before, ...options }
  return withSingleConnectionServer(database, LONG.resources, all, (server, reported) =>
    work({ server, reported, responses }),
  )
}

const openLetters = ({ url }: TestServer) => openRaw(`${url}/letters`)
/** Only PostgreSQL streams lists from its pool. On other databases a long list waits for no connection. */
const onPostgres = DATABASE === 'postgres' ? it : it.skip

const isStuck = (responses: readonly Response[]) =>
  until('a client has to read', () => responses.some(({ writableNeedDrain }) => writableNeedDrain))

async function countAll(response: IncomingMessage): Promise<number> {
  return ((await json(response)) as { readonly data: readonly unknown[] }).data.length
}

async function expectAnswer(server: TestServer): Promise<void> {
  const { status, body } = await server.get('/letters?page[size]=2')
  expect([status, body.data.length]).toEqual([200, 2])
}

const LIMITED = { limits: { timeout: DURATION } }

it('a client that reads nothing is cut off and reported, and the next request is served', async () => {
  await serving(LIMITED, async ({ server, reported, responses }) => {
    const response = await openLetters(server)
    // The system may take more at that moment, and the server waits anew then.
    let sent = 0
    await until('the client is cut off', () => {
      const { writableNeedDrain, req } = responses[0] as Response
      if (writableNeedDrain && req.socket.bytesWritten > sent) {
        sent = req.socket.bytesWritten
        limits.passAll()
      }
      return reported.length > 0
    })
    expect(reported).toEqual([
      expect.objectContaining({ message: 'GET /letters was truncated: the client stopped reading.' }),
    ])
    await expectAnswer(server)
    await expect(countAll(response)).rejects.toThrow('aborted')
  })
})

it('a client that reads slowly gets the whole list', async () => {
  await serving(LIMITED, async ({ server, reported, responses }) => {
    const response = await openLetters(server)
    await isStuck(responses)
    const pieces: Buffer[] = []
    let passed = 0
    let unpaused = 0
    for await (const piece of response) {
      pieces.push(piece)
      unpaused += piece.length
      if (unpaused < 256 * 1024) continue
      unpaused = 0
      passed += DURATION / 40
      limits.pass(DURATION / 40)
    }
    expect(JSON.parse(Buffer.concat(pieces).toString()).data.length).toBe(2 ** DOUBLINGS)
    expect(passed).toBeGreaterThan(DURATION)
    expect(reported).toEqual([])
    await expectAnswer(server)
  })
})

it('a client that reads is not cut off after the event loop was blocked', async () => {
  await serving(LIMITED, async ({ server, reported, responses }) => {
    const client = new Client(`${server.url}/letters`)
    await client.says()
    // Timers come before what has come on connections meanwhile.
    do await wait(1)
    while (!responses[0]?.writableNeedDrain)
    const { bytesWritten = 0, writableLength = 0 } = responses[0]?.req.socket ?? {}
    client.readMeanwhile(bytesWritten - writableLength)
    limits.passAll()
    expect(await client.says()).toBe(2 ** DOUBLINGS)
    expect(reported).toEqual([])
  })
})

/** A thread of its own, which can read while the server is at work. */
class Client {
  private readonly isRead = new Int32Array(new SharedArrayBuffer(4))
  private readonly thread: Worker

  constructor(url: string) {
    this.thread = new Worker(READER, { eval: true, workerData: { url, isRead: this.isRead } })
  }

  /** That the response has begun, and then the number of its resources. */
  async says(): Promise<unknown> {
    const [said] = await once(this.thread, 'message')
    return said
  }

  read(bytes = 0): void {
    this.thread.postMessage(bytes)
  }

  /** Blocks the event loop until so many bytes have been read. */
  readMeanwhile(bytes: number): void {
    this.read(bytes)
    expect(Atomics.wait(this.isRead, 0, 0, 20_000)).not.toBe('timed-out')
  }
}

const READER = `
const { once } = require('node:events')
const { parentPort, workerData: { url, isRead } } = require('node:worker_threads')
require('node:http').get(url, async (response) => {
  parentPort.postMessage('begun')
  const [bytes] = await once(parentPort, 'message')
  let text = ''
  response.setEncoding('utf8').on('data', (piece) => {
    text += piece
    if (response.socket.bytesRead < bytes) return
    Atomics.store(isRead, 0, 1)
    Atomics.notify(isRead, 0)
  })
  await once(response, 'end')
  parentPort.postMessage(JSON.parse(text).data.length)
})`

it('a client that reads nothing is waited for without limits.timeout', async () => {
  await serving({ limits: { timeout: null } }, async ({ server, reported, responses }) => {
    const response = await openLetters(server)
    await isStuck(responses)
    // Node.js takes `null` milliseconds for one.
    await wait(10)
    expect(await countAll(response)).toBe(2 ** DOUBLINGS)
    expect(reported).toEqual([])
  })
})

it('a client that pipelines two lists and disconnects leaves nothing open', async () => {
  await serving({ limits: { timeout: null } }, async ({ server, reported, responses }) => {
    const socket = connectTo(server)
    socket.write('GET /letters HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(2))
    await until('both requests have arrived', () => responses.length === 2)
    await isStuck(responses)
    // The second has a connection of its own on some databases, and waits behind the first one then.
    await someTurns()
    socket.destroy()
    await expectAnswer(server)
    expect(reported).toEqual([])
  })
})

onPostgres('a list that gets no connection in time is refused, and the one that has it is complete', async () => {
  await serving(LIMITED, async ({ server, reported, responses }) => {
    const both = Promise.all([openLetters(server), openLetters(server)])
    await isStuck(responses)
    // What is sent waits for its client since a moment ago.
    limits.passFirst()
    const [sent, refused] = (await both).toSorted((one, other) => Number(one.statusCode) - Number(other.statusCode))
    expect([refused?.statusCode, refused?.headers['retry-after']]).toEqual([503, '1'])
    expect(await json(refused as IncomingMessage)).toMatchObject({ errors: [{ code: 'server.timeout' }] })
    expect(await countAll(sent as IncomingMessage)).toBe(2 ** DOUBLINGS)
    expect(reported).toMatchObject([{ message: 'GET /letters was aborted after its timeout.' }])
    await expectAnswer(server)
  })
})

onPostgres('a list whose next rows come too late is cut off, and frees its connection', async () => {
  const { dataSource } = database
  const { tablePath } = dataSource.getMetadata(Riddle)
  await dataSource.query(`insert into ${tablePath} (id) select id from generate_series(1, ${LATE + 4000}) id`)
  const isAsleep = async () =>
    (await dataSource.query("select 1 from pg_stat_activity where wait_event = 'PgSleep' and query ~ 'stemma_rows'"))
      .length > 0
  await serving(LIMITED, async ({ server, reported }) => {
    const response = await openRaw(`${server.url}/riddles`)
    const outcome = expect(countAll(response)).rejects.toThrow('aborted')
    await until('the statement sleeps', isAsleep)
    limits.passAll()
    await outcome
    expect(reported).toMatchObject([{ message: 'GET /riddles was truncated: reading its data took too long.' }])
    await expectAnswer(server)
    await until('the statement has ended', async () => !(await isAsleep()))
  })
})

it('a client that does not read a response in one piece holds no connection', async () => {
  await serving({ ...LIMITED, streamThreshold: null }, async ({ server, reported }) => {
    const response = await openLetters(server)
    await expectAnswer(server)
    expect(await countAll(response)).toBe(2 ** DOUBLINGS)
    expect(reported).toEqual([])
  })
})

it('serves other requests while a long list is sent to a fast client', async () => {
  // At least 10 ms for each 64 KB: time for other requests is due after every chunk.
  const slow = define(Point, {
    serialize({ id }) {
      const end = performance.now() + (Number(id) % 256 === 0 ? 10 : 0)
      while (performance.now() < end);
      return undefined
    },
  })
  await serving({ definitions: [slow] }, async ({ server, responses }) => {
    let turns = 0
    const counting = setInterval(() => {
      if (responses[0]?.headersSent && !responses[0].writableEnded) turns += 1
    }, 1)
    const client = new Client(`${server.url}/points`)
    client.read()
    expect(await client.says()).toBe('begun')
    expect(await client.says()).toBe(2 ** POINT_DOUBLINGS)
    clearInterval(counting)
    expect(turns).toBeGreaterThan(2)
  })
})

it('returns an error document when a long list fails before the first byte', async () => {
  let broken = ''
  const failing = define(Letter, {
    serialize({ id }) {
      if (id === broken) throw new Error('One is broken.')
      return undefined
    },
  })
  await serving({ cacheControl: 'no-cache', definitions: [failing] }, async ({ server, reported }) => {
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
    broken = whole.data[6000].id
    await expect(server.get('/letters')).rejects.toThrow('aborted')
    expect(reported).toHaveLength(isReadAtOnce ? 3 : 2)
  })
})
