import { type ClientRequest, get, type IncomingMessage, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Request } from 'express'
import { Attribute, entityManagerOf, Resource, ResourceDefinition, type ResourceWrite } from 'stemma'
import { Column, type DataSource, Entity, PrimaryGeneratedColumn } from 'typeorm'
import { createDataSource } from '../../support/data-source'
import { DATABASE, openDatabase, openFile, type TestDatabase } from '../../support/database'
import { startServer, type TestServer } from '../../support/server'

// Clients that disconnect during a request. Pools have one connection, which has to be released.

@Resource('points')
@Entity('point')
class Point {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) name: string
}

/** Waits until `go` is called. */
class Waiting extends ResourceDefinition<Point> {
  readonly resource = Point
  static arrived = 0
  static go: () => void = () => undefined

  override async beforeWrite(write: ResourceWrite<Point>) {
    if (write.values.name !== 'wait') return undefined
    await entityManagerOf(write).insert(Point, { name: 'with it' })
    Waiting.arrived += 1
    await new Promise<void>((resolve) => {
      Waiting.go = resolve
    })
    return undefined
  }
}

/** 2^17: more than 100,000. */
const DOUBLINGS = 17

let database: TestDatabase
let dataSource: DataSource
let server: TestServer
const reported: unknown[] = []
/** Requests received, with complete bodies or not. */
const coming: Request[] = []

beforeAll(async () => {
  database = await (DATABASE === 'sqlite' ? openFile([Point]) : openDatabase([Point]))
  dataSource = await createDataSource({ ...database.place, poolSize: 1 }, [Point]).initialize()
  server = await startServer({
    dataSource,
    resources: [Point],
    definitions: [new Waiting()],
    page: { size: null, maximumSize: null },
    totals: 'off',
    before: (request, _response, next) => {
      coming.push(request)
      next()
    },
    report: (error) => reported.push(error),
  })
}, 60_000)
afterAll(async () => {
  await server.close()
  await dataSource.destroy()
  await database.close()
})
beforeEach(async () => {
  await database.dataSource.getRepository(Point).clear()
  reported.length = 0
  coming.length = 0
})

const names = async () => (await database.dataSource.getRepository(Point).find()).map(({ name }) => name).sort()
const point = (name: string) => JSON.stringify({ data: { type: 'points', attributes: { name } } })

/** A request whose response is not read. */
function open(method: string, headers: Record<string, string> = {}): ClientRequest {
  const all = { 'content-type': 'application/vnd.api+json', ...headers }
  return request(`${server.url}/points`, { method, headers: all, agent: false }).on('error', () => undefined)
}

it('writes and reports nothing when a client disconnects while it sends its body', async () => {
  const body = point('half')
  const client = open('POST', { 'content-length': String(body.length) })
  client.write(body.slice(0, body.length / 2))
  while (coming.length === 0) await wait(5)
  await wait(50)
  client.destroy()
  while (coming.some(({ destroyed }) => !destroyed)) await wait(5)
  await wait(50)
  await server
    .post('/points')
    .send(JSON.parse(point('whole')))
    .expect(201)
  expect(await names()).toEqual(['whole'])
  expect(reported).toEqual([])
})

it('commits the whole write when a client disconnects during its transaction', async () => {
  const { arrived } = Waiting
  const client = open('POST')
  client.end(point('wait'))
  while (Waiting.arrived === arrived) await wait(5)
  client.destroy()
  await wait(50)
  Waiting.go()
  await server
    .post('/points')
    .send(JSON.parse(point('next')))
    .expect(201)
  expect(await names()).toEqual(['next', 'wait', 'with it'])
  expect(reported).toEqual([])
})

it('ends the statement and releases the connection when a client disconnects during a long list', async () => {
  const { tablePath } = database.dataSource.getMetadata(Point)
  await database.dataSource.getRepository(Point).insert({ name: 'many' })
  for (let times = 0; times < DOUBLINGS; times += 1)
    await database.dataSource.query(`insert into ${tablePath} (name) select name from ${tablePath}`)
  for (let times = 0; times < 3; times += 1) {
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      get(`${server.url}/points`, { agent: false }, resolve).on('error', reject),
    )
    response.on('error', () => undefined)
    await new Promise((resolve) => response.once('data', resolve))
    response.destroy()
    const { status, body } = await server.get('/points?page[size]=2')
    expect([status, body.data.length]).toEqual([200, 2])
  }
  await server
    .post('/points')
    .send(JSON.parse(point('last')))
    .expect(201)
  expect(reported).toEqual([])
}, 60_000)
