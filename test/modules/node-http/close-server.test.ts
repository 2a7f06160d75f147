import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import express from 'express'
import { createJsonApi, type ShutdownResult, shutdownServer } from 'stemma'
import type { Response } from 'supertest'
import type { DataSource } from 'typeorm'
import { setUp } from '../../support/api'
import { createDataSource } from '../../support/data-source'
import { DATABASE, openDatabase, openFile } from '../../support/database'
import { connectTo } from '../../support/raw-http'
import { clientOf, type EntryPoint } from '../../support/server'
import { DURATION, watchTimeLimits } from '../../support/time-limits'
import { until } from '../../support/until'
import { Note, noteOf, WaitingRules } from '../../support/waiting-notes'

// shutdownServer with requests in progress.

let rules: WaitingRules
const database = setUp(() => (DATABASE === 'sqlite' ? openFile([Note]) : openDatabase([Note])))
beforeEach(async () => {
  rules = new WaitingRules()
  await database.dataSource.getRepository(Note).clear()
})

const names = () => database.valuesOf(Note, 'name')

type Served = Readonly<{ server: Server; url: string }>

async function listen(app: RequestListener): Promise<Served> {
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function start(entryPoint: EntryPoint, dataSource: DataSource, reported: unknown[] = []): Promise<Served> {
  const onError = (error: unknown) => reported.push(error)
  const made = createJsonApi({ dataSource, resources: [Note], definitions: [rules], startupLog: false, onError })
  return listen(entryPoint === 'router' ? express().use(made.router) : (made.listener as RequestListener))
}

/** Closes a server whose requests have no time left. */
async function closeLate(server: Server): Promise<ShutdownResult> {
  const limits = watchTimeLimits(DURATION)
  try {
    const closed = shutdownServer(server, { timeout: DURATION })
    await until('the server waits for its requests', () => limits.running > 0)
    limits.passAll()
    return await closed
  } finally {
    limits.close()
  }
}

/** Until a server that closes has looked for idle connections again, as it does every 50 milliseconds. */
function hasLooked(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const { closeIdleConnections } = server
    server.closeIdleConnections = () => {
      closeIdleConnections.call(server)
      resolve()
    }
  })
}

function post(url: string): Promise<Response> {
  return clientOf(url).post('/notes').send(noteOf('wait')).start()
}

describe.each<EntryPoint>(['router', 'listener'])('through the %s', (entryPoint) => {
  let dataSource: DataSource
  let server: Server
  let url: string
  beforeEach(async () => {
    dataSource = await createDataSource(database.connection, [Note]).initialize()
    ;({ server, url } = await start(entryPoint, dataSource))
  })
  afterEach(() => dataSource.destroy())

  it('answers requests in progress, refuses new connections and closes all', async () => {
    const answer = post(url)
    await rules.hasArrived()
    const closed = shutdownServer(server)
    await hasLooked(server)
    await expect(clientOf(url).get('/notes')).rejects.toThrow(/ECONNREFUSED/)
    rules.resume()
    const { status, headers } = await answer
    expect([status, headers.connection]).toEqual([201, 'close'])
    expect(await closed).toEqual({ completed: 1, aborted: 0 })
  })

  it.each([Number.POSITIVE_INFINITY, 2 ** 31])(
    'waits for requests in progress within %p milliseconds',
    async (timeout) => {
      const answer = post(url)
      await rules.hasArrived()
      const closed = shutdownServer(server, { timeout })
      // Node.js takes for one millisecond what is too long for a timer.
      await wait(10)
      rules.resume()
      expect((await answer).status).toBe(201)
      expect(await closed).toEqual({ completed: 1, aborted: 0 })
    },
  )

  it('cuts off requests that take longer than within', async () => {
    const answer = post(url)
    const outcome = expect(answer).rejects.toThrow('socket hang up')
    await rules.hasArrived()
    expect(await closeLate(server)).toEqual({ completed: 0, aborted: 1 })
    await outcome
    rules.resume()
    await until('the write is committed', async () => (await names()).length > 0)
    expect(await names()).toEqual(['by wait', 'wait'])
  })

  it('closes idle connections at once, and returns the same promise twice', async () => {
    await clientOf(url).get('/notes').expect(200)
    const closing = shutdownServer(server)
    expect(shutdownServer(server, { timeout: 1 })).toBe(closing)
    expect(await closing).toEqual({ completed: 0, aborted: 0 })
    expect(await shutdownServer(server)).toEqual({ completed: 0, aborted: 0 })
  })
})

describe('closing a server with an open connection', () => {
  /** A server, and a client that is connected to it. */
  async function connected(): Promise<{ readonly server: Server; readonly socket: Socket }> {
    const { server, url } = await listen((_request, response) => response.end('{}'))
    const socket = connectTo({ url }).on('error', () => undefined)
    await once(server, 'connection')
    return { server, socket }
  }

  it('closes a connection that has sent nothing, without waiting', async () => {
    const { server, socket } = await connected()
    const [result] = await Promise.all([shutdownServer(server, { timeout: 2 ** 31 }), once(socket, 'close')])
    expect(result).toEqual({ completed: 0, aborted: 0 })
  })

  it('answers a request that arrives in time', async () => {
    const { server, socket } = await connected()
    socket.write('GET / HTTP/1.1\r\n')
    const closed = shutdownServer(server, { timeout: DURATION })
    await hasLooked(server)
    socket.write('Host: a\r\n\r\n')
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 200 /)
    expect(await closed).toEqual({ completed: 1, aborted: 0 })
  })

  it('leaves an upgraded connection open', async () => {
    const { server, socket } = await connected()
    server.on('upgrade', (_request, stream) => {
      stream.on('error', () => undefined)
      stream.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')
      stream.on('data', (text) => stream.write(`You said ${text}`))
    })
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')
    await once(socket, 'data')
    expect(await closeLate(server)).toEqual({ completed: 0, aborted: 0 })
    socket.write('this')
    expect(String(await once(socket, 'data'))).toBe('You said this')
    socket.destroy()
  })
})

it('closes a server that never listened', async () => {
  expect(await shutdownServer(createServer())).toEqual({ completed: 0, aborted: 0 })
})

describe('a write that was cut off, when its DataSource is destroyed', () => {
  async function cut(): Promise<{ readonly dataSource: DataSource; readonly reported: unknown[] }> {
    const dataSource = await createDataSource(database.connection, [Note]).initialize()
    const reported: unknown[] = []
    const { server, url } = await start('listener', dataSource, reported)
    const outcome = expect(post(url)).rejects.toThrow('socket hang up')
    await rules.hasArrived()
    expect(await closeLate(server)).toEqual({ completed: 0, aborted: 1 })
    await outcome
    return { dataSource, reported }
  }

  it('is rolled back and reported while its rule still runs', async () => {
    const { dataSource, reported } = await cut()
    await dataSource.destroy()
    rules.resume()
    await until('the write is reported', () => reported.length > 0)
    expect(await names()).toEqual([])
  })

  it('is committed as a whole or not at all', async () => {
    const { dataSource, reported } = await cut()
    rules.resume()
    await dataSource.destroy()
    await until('the write is over', async () => reported.length > 0 || (await names()).length > 0)
    expect([[], ['by wait', 'wait']]).toContainEqual(await names())
  })
})
