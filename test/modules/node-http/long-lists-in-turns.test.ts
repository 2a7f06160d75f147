import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Attribute, createJsonApi, Resource, ResourceDefinition, type StoredRecord } from 'stemma'
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm'
import { createDataSource } from '../../support/data-source'
import { DATABASE, openDatabase, openFile, SQLITE_DRIVER, type TestDatabase } from '../../support/database'
import { serveThrough } from '../../support/serve-through'

// Lists that are read while they are sent, from a database that others can use meanwhile.

@Resource('points')
@Entity()
class Point {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) name: string
}

const DOUBLINGS = 17
const LONG = { page: { size: null, maximumSize: null }, totals: 'off' } as const

let database: TestDatabase
beforeAll(async () => {
  database = await (DATABASE === 'sqlite' ? openFile([Point]) : openDatabase([Point]))
  const { dataSource } = database
  const { tablePath } = dataSource.getMetadata(Point)
  await dataSource.getRepository(Point).insert({ name: 'a point' })
  for (let times = 0; times < DOUBLINGS; times += 1)
    await dataSource.query(`insert into ${tablePath} (name) select name from ${tablePath}`)
}, 60_000)
afterAll(() => database.close())

/** Another process: in this one a client could not read while the server is at work. */
async function readElsewhere(url: string): Promise<number> {
  const program = `fetch('${url}').then((answer) => answer.text()).then((text) => console.log(JSON.parse(text).data.length))`
  const child = spawn(process.execPath, ['-e', program])
  const [said] = await once(child.stdout, 'data')
  return Number(String(said))
}

it('serves other requests while a long list is sent to a fast client', async () => {
  const dataSource = await createDataSource(database.place, [Point]).initialize()
  const { listener } = createJsonApi({ dataSource, resources: [Point], startUp: 'quiet', explorer: 'off', ...LONG })
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
      2 ** DOUBLINGS,
    )
    // One each 10 ms; without them all is sent before anybody else has any.
    expect(turns).toBeGreaterThan(4)
  } finally {
    server.closeAllConnections()
    server.close()
    await dataSource.destroy()
  }
}, 30_000)

/** Fails at a resource. */
class Failing extends ResourceDefinition<Point> {
  readonly resource = Point
  static at = ''

  override serialize({ id }: StoredRecord<Point>): undefined {
    if (id === Failing.at) throw new Error('One is broken.')
  }
}

it('returns an error document when a long list fails before the first byte', async () => {
  const reported: unknown[] = []
  const report = (error: unknown) => reported.push(error)
  const options = { resources: [Point], ...LONG, cacheControl: 'no-cache', definitions: [new Failing()], report }
  await serveThrough(database, [Point], {}, options, async (server) => {
    const { body: whole } = await server.get('/points')
    expect(whole.data.length).toBe(2 ** DOUBLINGS)
    Failing.at = whole.data[0].id
    const { status, headers, body } = await server.get('/points')
    expect([status, body.errors[0].code, body.links.self]).toEqual([500, 'server.error', '/points'])
    expect([headers['transfer-encoding'], headers['cache-control']]).toEqual([undefined, undefined])
    expect(reported).toEqual([new Error('One is broken.')])
    // Where rows are read all at once, the first of them are written down by then.
    const isReadAtOnce = DATABASE === 'mariadb' || (DATABASE === 'sqlite' && SQLITE_DRIVER === 'sqlite3')
    await server.request('HEAD', '/points').expect(isReadAtOnce ? 500 : 200)
    Failing.at = whole.data[60_000].id
    await expect(server.get('/points')).rejects.toThrow('aborted')
    expect(reported).toHaveLength(isReadAtOnce ? 3 : 2)
  })
}, 30_000)
