import { createServer, get, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import express from 'express'
import { Attribute, closeServer, createJsonApi, Resource, ResourceDefinition, type ResourceWrite } from 'stemma'
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm'
import { openDatabase, type TestDatabase } from '../support/database'

// The end of a server, with requests under way.

@Resource('blogs')
@Entity()
class Blog {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80 }) title: string
}

/** Waits until it is let go. */
class Slow extends ResourceDefinition<Blog> {
  readonly resource = Blog
  static arrived = 0
  static go: () => void = () => undefined

  override async beforeWrite(_write: ResourceWrite<Blog>) {
    Slow.arrived += 1
    await new Promise<void>((resolve) => {
      Slow.go = resolve
    })
    return undefined
  }
}

let database: TestDatabase
beforeAll(async () => {
  database = await openDatabase([Blog])
})
afterAll(() => database.close())
beforeEach(() => {
  Slow.arrived = 0
})

const BODY = JSON.stringify({ data: { type: 'blogs', attributes: { title: 'Slow' } } })

describe.each(['router', 'listener'] as const)('through the %s', (door) => {
  let server: Server
  let url: string
  beforeEach(async () => {
    const made = createJsonApi({
      dataSource: database.dataSource,
      resources: [Blog],
      definitions: [new Slow()],
      startUp: 'quiet',
    })
    server = createServer(door === 'router' ? express().use(made.router) : made.listener).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })

  /** On a connection that would stay open. */
  function post(): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/vnd.api+json', connection: 'keep-alive' }
      request(`${url}/blogs`, { method: 'POST', headers }, resolve).on('error', reject).end(BODY)
    })
  }
  const isRefused = () =>
    new Promise<string>((resolve) =>
      get(`${url}/blogs`, () => resolve('answered')).on('error', ({ message }) => resolve(message)),
    )

  it('what is under way is answered, nobody new is let in, and no connection stays', async () => {
    const answer = post()
    while (Slow.arrived < 1) await wait(5)
    const closed = closeServer(server)
    await wait(100)
    expect(await isRefused()).toMatch(/ECONNREFUSED/)
    Slow.go()
    const { statusCode, headers } = await answer
    expect([statusCode, headers.connection]).toEqual([201, 'close'])
    expect(await closed).toEqual({ finished: 1, cut: 0 })
  })

  it('what takes longer than it may is cut off', async () => {
    const answer = post()
    const outcome = expect(answer).rejects.toThrow('socket hang up')
    while (Slow.arrived < 1) await wait(5)
    expect(await closeServer(server, { within: 100 })).toEqual({ finished: 0, cut: 1 })
    await outcome
    Slow.go()
  })

  it('an idle connection ends at once, and closing twice is closing once', async () => {
    const { status } = await fetch(`${url}/blogs`)
    expect(status).toBe(200)
    const closing = closeServer(server)
    expect(closeServer(server, { within: 1 })).toBe(closing)
    expect(await closing).toEqual({ finished: 0, cut: 0 })
    expect(await closeServer(server)).toEqual({ finished: 0, cut: 0 })
  })
})

it('a server that was never opened is closed', async () => {
  expect(await closeServer(createServer())).toEqual({ finished: 0, cut: 0 })
})
