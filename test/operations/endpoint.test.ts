import { Attribute, createJsonApi, Resource, type ResourceClass, ToMany, ToOne } from 'stemma'
import { ChildEntity, Column, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn, TableInheritance } from 'typeorm'
import { openDatabase, type TestDatabase } from '../support/database'
import { errorsOf } from '../support/expectations'
import { ATOMIC, operate } from '../support/operate'
import { insertRow } from '../support/rows'
import { type ServerOptions, startServer, type TestServer } from '../support/server'

// Where operations are sent, how many, and which are allowed.

@Resource('plants', { abstract: true, endpoints: ['getResource', 'createResource', 'deleteResource'] })
@Entity('plants')
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
abstract class Plant {
  @PrimaryGeneratedColumn() id!: number
  @ToOne() @ManyToOne('Plant', 'guests', { nullable: true }) host!: Plant | null
  @ToMany() @OneToMany('Plant', 'host') guests!: Plant[]
  @Attribute() @Column({ type: 'varchar', length: 20 }) name!: string
}

@Resource('trees', { endpoints: ['getResource', 'updateResource'], ifMatch: 'required' })
@ChildEntity()
class Tree extends Plant {}

@Resource('herbs', { endpoints: [] })
@ChildEntity()
class Herb extends Plant {}

const PLANTS: readonly ResourceClass[] = [Plant, Tree, Herb]

let database: TestDatabase
const servers: TestServer[] = []

beforeAll(async () => {
  database = await openDatabase(PLANTS)
})
afterAll(async () => {
  for (const server of servers) await server.close()
  await database.close()
})

async function start(options: Partial<ServerOptions> = {}): Promise<TestServer> {
  const server = await startServer({ dataSource: database.dataSource, resources: PLANTS, ...options })
  servers.push(server)
  return server
}

async function planted(): Promise<string> {
  return String((await insertRow(database.dataSource, Tree, { name: 'Oak' })).id)
}

const add = { op: 'add', data: { type: 'trees', attributes: { name: 'Elm' } } }
const sendTo = (server: TestServer, path: string, ...operations: readonly unknown[]) =>
  server.post(path).send({ 'atomic:operations': operations }).set({ 'content-type': ATOMIC })

describe('the path', () => {
  it('is /operations, also with a slash at its end', async () => {
    const server = await start()
    await sendTo(server, '/operations', add).expect(200)
    await sendTo(server, '/operations/', add).expect(200)
    await sendTo(server, '/operations/1', add).expect(404)
  })

  it('can be another one', async () => {
    const server = await start({ operations: { path: 'bulk' } })
    await sendTo(server, '/bulk', add).expect(200)
    expect((await sendTo(server, '/operations', add)).body.errors[0].code).toBe('url.not-found')
  })

  it('can be none', async () => {
    const server = await start({ operations: 'off' })
    expect((await sendTo(server, '/operations', add)).body.errors[0].code).toBe('url.not-found')
  })

  it('must be one name, and no type may have it', () => {
    const mistakesOf = (operations: unknown) => {
      try {
        createJsonApi({
          dataSource: database.dataSource,
          resources: PLANTS,
          operations: operations as 'off',
          startUp: 'quiet',
        })
      } catch (error) {
        return (error as Error).message.split('\n')
      }
      return []
    }
    expect(mistakesOf({ path: 'trees' })).toEqual([
      "Tree: its public name 'trees' is the path of operations. Give it another name in @Resource, or say in createJsonApi operations: 'off' or operations: { path: '...' }.",
    ])
    expect(mistakesOf({ path: 'a/b', maximum: 0 })).toEqual([
      "createJsonApi: its operations.path is 'a/b'. Give one name without slashes, like 'operations'.",
      'createJsonApi: its operations.maximum is 0. Give a whole number from 1, or null for any number.',
    ])
    expect(mistakesOf({ maximum: 1.5 })).toHaveLength(1)
    expect(mistakesOf({ limit: 5 })).toEqual([
      "createJsonApi: its operations have no 'limit'. Give path, maximum or both, or 'off'.",
    ])
    expect(mistakesOf('on')).toHaveLength(1)
    expect(mistakesOf({ maximum: null })).toEqual([])
  })
})

describe('the number of operations', () => {
  it('is limited, before any of them is looked at', async () => {
    const server = await start({ operations: { maximum: 2 } })
    await operate(server, add, add).expect(200)
    const answer = await operate(server, add, add, { op: 'nonsense' })
    expect([answer.status, errorsOf(answer)]).toEqual([413, ['413 operation.too-many /atomic:operations']])
    expect(answer.body.errors[0].detail).toBe('Expected at most 2 operations, found 3.')
  })

  it('is 100 at most, or any', async () => {
    const many = Array.from({ length: 101 }, () => add)
    await operate(await start(), ...many).expect(413)
    await operate(await start({ operations: { maximum: null } }), ...many).expect(200)
  })
})

describe('an href', () => {
  const removal = (href: string) => ({ op: 'remove', href, meta: { version: '*' } })

  it('is a URL under the path where the API is mounted', async () => {
    const server = await start({ mountPath: '/deep/er' })
    for (const href of ['/deep/er/plants/ID', 'plants/ID', `${server.url}/deep/er/plants/ID`]) {
      const id = await planted()
      const operation = removal(href.replace('ID', id))
      expect([href, (await sendTo(server, '/deep/er/operations', operation)).status]).toEqual([href, 204])
    }
    for (const href of ['/plants/1', '/deep/plants/1', '../plants/1', '/deep/er', `${server.url}/plants/1`]) {
      const answer = await sendTo(server, '/deep/er/operations', removal(href))
      expect([href, errorsOf(answer)]).toEqual([href, ['404 url.not-found /atomic:operations/0/href']])
    }
  })

  it('is as links are', async () => {
    const server = await start({ links: { base: 'https://api.example.com/v1' } })
    for (const href of ['https://api.example.com/v1/plants/ID', '/v1/plants/ID', '/plants/ID', 'plants/ID']) {
      const id = await planted()
      expect([href, (await operate(server, removal(href.replace('ID', id)))).status]).toEqual([href, 204])
    }
    const answer = await operate(server, removal('https://api.example.com/v2/plants/1'))
    expect(errorsOf(answer)).toEqual(['404 url.not-found /atomic:operations/0/href'])
  })
})

describe('an operation', () => {
  it('is allowed where its type or a base of it has the endpoint', async () => {
    const server = await start()
    const herb = { op: 'add', data: { type: 'herbs', lid: 'a', attributes: { name: 'Mint' } } }
    const gone = { op: 'remove', ref: { type: 'herbs', lid: 'a' } }
    await operate(server, herb, gone).expect(200)
    const tree = { type: 'trees', id: await planted(), attributes: { name: 'Ash' } }
    await operate(server, { op: 'update', data: tree, meta: { version: '*' } }).expect(200)
  })

  it('is refused where none has, together with the mistakes of others', async () => {
    const server = await start()
    const id = await planted()
    const answer = await operate(
      server,
      { op: 'update', data: { type: 'herbs', id, attributes: {} } },
      { op: 'update', ref: { type: 'plants', id }, data: { type: 'trees', id } },
      { op: 'update', href: `/plants/${id}`, data: { type: 'trees', id } },
      { op: 'nonsense' },
    )
    expect(errorsOf(answer)).toEqual([
      '403 endpoint.off /atomic:operations/0/data',
      '403 endpoint.off /atomic:operations/1/ref',
      '403 endpoint.off /atomic:operations/2/href',
      '400 document.shape /atomic:operations/3/op',
    ])
  })

  it('is refused of relationships where none has their endpoint', async () => {
    const server = await start()
    const id = await planted()
    const of = (relationship: string) => ({ ref: { type: 'trees', id, relationship } })
    const answer = await operate(
      server,
      { op: 'update', ...of('host'), data: null },
      { op: 'update', ...of('guests'), data: [] },
      { op: 'add', ...of('guests'), data: [] },
      { op: 'remove', ...of('guests'), data: [] },
      { op: 'update', href: `/plants/${id}/relationships/host`, data: null },
    )
    expect(errorsOf(answer)).toEqual([
      '403 endpoint.off /atomic:operations/0/ref/relationship',
      '403 endpoint.off /atomic:operations/1/ref/relationship',
      '403 endpoint.off /atomic:operations/2/ref/relationship',
      '403 endpoint.off /atomic:operations/3/ref/relationship',
      '403 endpoint.off /atomic:operations/4/href',
    ])
  })

  it('says its version where single requests must send If-Match', async () => {
    const server = await start()
    const operation = { op: 'update', data: { type: 'trees', id: await planted(), attributes: { name: 'Ash' } } }
    const answer = await operate(server, operation)
    expect([answer.status, errorsOf(answer)]).toEqual([428, ['428 operation.version-missing /atomic:operations/0']])
  })
})
