import { Attribute, equals, type ResourceClass, ToMany, ToOne } from 'stemma'
import { Column, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import { closeAfterAll, define, setUp } from '../../support/api'
import { openDatabase } from '../../support/database'
import { updateResource } from '../../support/documents'
import { errorsOf, outcomeOf } from '../../support/expectations'
import { ATOMIC, operate, operateWith, resultsOf } from '../../support/operate'
import { DerivedResource, HierarchyRoot, StoredResource } from '../../support/resource-decorators'
import { insertRow } from '../../support/rows'
import { type ServerOptions, startServer, type TestServer } from '../../support/server'

@HierarchyRoot('plants', { abstract: true, endpoints: ['getResource', 'createResource', 'deleteResource'] })
abstract class Plant {
  @PrimaryGeneratedColumn() id!: number
  @ToOne() @ManyToOne('Plant', 'guests', { nullable: true }) host!: Plant | null
  @ToMany() @OneToMany('Plant', 'host') guests!: Plant[]
  @Attribute() @Column({ type: 'varchar', length: 20 }) name!: string
}

@DerivedResource('trees', { endpoints: ['getResource', 'updateResource'], ifMatch: 'required' })
class Tree extends Plant {}

@DerivedResource('herbs', { endpoints: [] })
class Herb extends Plant {}

/** Has no endpoint, and no base with one. */
@StoredResource('stones', { endpoints: [] })
class Stone {
  @PrimaryGeneratedColumn() id!: number
}

const RESOURCES: readonly ResourceClass[] = [Plant, Tree, Herb, Stone]
const database = setUp(() => openDatabase(RESOURCES))
const keep = closeAfterAll()
const start = (options: Partial<ServerOptions> = {}) =>
  keep(startServer({ dataSource: database.dataSource, resources: RESOURCES, ...options }))

async function addTree(): Promise<string> {
  return String((await insertRow(database.dataSource, Tree, { name: 'Oak' })).id)
}

const add = { op: 'add', data: { type: 'trees', attributes: { name: 'Elm' } } }
const sendTo = (server: TestServer, path: string, ...operations: readonly unknown[]) =>
  server.post(path).send({ 'atomic:operations': operations }).set({ 'content-type': ATOMIC })

it.each<readonly [options: Partial<ServerOptions>, path: string, expected: string]>([
  [{}, '/operations', '200'],
  [{}, '/operations/', '200'],
  [{}, '/operations/1', '404 url.not-found'],
  [{ operations: { path: 'bulk' } }, '/bulk', '200'],
  [{ operations: { path: 'bulk' } }, '/operations', '404 url.not-found'],
  [{ operations: false }, '/operations', '404 url.not-found'],
])('with the options %j POST %s returns %s', async (options, path, expected) => {
  expect(outcomeOf(await sendTo(await start(options), path, add))).toBe(expected)
})

describe('operations.maxOperations', () => {
  it('limits the number of operations before any of them is read', async () => {
    const server = await start({ operations: { maxOperations: 2 } })
    await operate(server, add, add).expect(200)
    const response = await operate(server, add, add, { op: 'nonsense' })
    expect(outcomeOf(response)).toBe('413 operation.too-many /atomic:operations')
    expect(response.body.errors[0].detail).toBe('Expected at most 2 operations, found 3.')
  }) // anchor: O/R-09

  it('is 100 by default, and null for any number', async () => {
    const many = Array.from({ length: 101 }, () => add)
    const server = await start()
    await operate(server, ...many.slice(1)).expect(200)
    expect(outcomeOf(await operate(server, ...many))).toBe('413 operation.too-many /atomic:operations')
    await operate(await start({ operations: { maxOperations: null } }), ...many).expect(200)
  }) // anchor: O/R-30
})

describe('href', () => {
  const remove = (href: string) => ({ op: 'remove', href, meta: { version: '*' } })

  it('is a URL under the path where the API is mounted', async () => {
    const server = await start({ mountPath: '/deep/er' })
    for (const href of ['/deep/er/plants/ID', 'plants/ID', `${server.url}/deep/er/plants/ID`]) {
      const response = await sendTo(server, '/deep/er/operations', remove(href.replace('ID', await addTree())))
      expect([href, response.status]).toEqual([href, 204])
    }
    for (const href of ['/plants/1', '/deep/plants/1', '../plants/1', '/deep/er', `${server.url}/plants/1`]) {
      const response = await sendTo(server, '/deep/er/operations', remove(href))
      expect([href, outcomeOf(response)]).toEqual([href, '404 url.not-found /atomic:operations/0/href'])
    }
  })

  it('is a URL as in the links of documents', async () => {
    const server = await start({ links: { base: 'https://api.example.com/v1' } })
    for (const href of ['https://api.example.com/v1/plants/ID', '/v1/plants/ID', '/plants/ID', 'plants/ID']) {
      const response = await operate(server, remove(href.replace('ID', await addTree())))
      expect([href, response.status]).toEqual([href, 204])
    }
    const response = await operate(server, remove('https://api.example.com/v2/plants/1'))
    expect(outcomeOf(response)).toBe('404 url.not-found /atomic:operations/0/href')
  })
})

describe('an operation', () => {
  const server = setUp(() => startServer({ dataSource: database.dataSource, resources: RESOURCES }))
  let id: string
  beforeAll(async () => {
    id = await addTree()
  })

  it('is allowed when its type or a base of it has the endpoint', async () => {
    const herb = { op: 'add', data: { type: 'herbs', lid: 'a', attributes: { name: 'Mint' } } }
    await operate(server, herb, { op: 'remove', ref: { type: 'herbs', lid: 'a' } }).expect(200)
    const tree = { type: 'trees', id, attributes: { name: 'Ash' } }
    await operate(server, { op: 'update', data: tree, meta: { version: '*' } }).expect(200)
  }) // anchor: O/HO-01

  it('returns links only for endpoints of the stored type', async () => {
    const herb = { op: 'add', data: { type: 'herbs', attributes: { name: 'Mint' } } }
    const [{ data }] = resultsOf(await operate(server, herb))
    expect(data).toEqual({ type: 'herbs', id: data.id, attributes: { name: 'Mint' } })
  }) // anchor: O/HO-03, O/R-05

  it('is refused when neither has the endpoint, with the errors of all operations', async () => {
    const of = (relationship: string) => ({ ref: { type: 'trees', id, relationship } })
    const refused: readonly [operation: object, place: string][] = [
      [{ op: 'add', data: { type: 'stones' } }, 'data/type'],
      [{ op: 'update', data: { type: 'herbs', id, attributes: {} } }, 'data'],
      [{ op: 'update', ref: { type: 'plants', id }, data: { type: 'trees', id } }, 'ref'],
      [{ op: 'update', href: `/plants/${id}`, data: { type: 'trees', id } }, 'href'],
      [{ op: 'update', ...of('host'), data: null }, 'ref/relationship'],
      [{ op: 'update', ...of('guests'), data: [] }, 'ref/relationship'],
      [{ op: 'add', ...of('guests'), data: [] }, 'ref/relationship'],
      [{ op: 'remove', ...of('guests'), data: [] }, 'ref/relationship'],
      [{ op: 'update', href: `/plants/${id}/relationships/host`, data: null }, 'href'],
    ]
    const operations = refused.map(([operation]) => operation)
    const errors = refused.map(([, place], index) => `403 endpoint.disabled /atomic:operations/${index}/${place}`)
    const response = await operate(server, ...operations, { op: 'nonsense' })
    expect(errorsOf(response)).toEqual([...errors, '400 document.shape /atomic:operations/9/op'])
  }) // anchor: O/HO-02, O/R-25

  it('an operation and a single request return 428 without the version that ifMatch requires', async () => {
    const response = await operate(server, { op: 'update', data: { type: 'trees', id, attributes: { name: 'Ash' } } })
    expect(outcomeOf(response)).toBe('428 operation.precondition-missing /atomic:operations/0')
    const alone = await updateResource(server, 'trees', id, { name: 'Ash' })
    expect(outcomeOf(alone)).toBe('428 precondition.missing If-Match')
  })

  it('returns {} for a resource that a rule hides, and applies no return=representation', async () => {
    const hidden = await start({ definitions: [define(Tree, { filter: () => equals('name', 'Oak') })] })
    const update = { op: 'update', data: { type: 'trees', id: await addTree(), attributes: { name: 'Elm' } } }
    for (const operations of [[add], [add, add], [{ ...update, meta: { version: '*' } }]]) {
      const { body, headers } = await operateWith(hidden, { prefer: 'return=representation' }, ...operations)
      expect([body['atomic:results'], headers['preference-applied']]).toEqual([operations.map(() => ({})), undefined])
    }
    expect(resultsOf(await operate(hidden, add))).toEqual([{}])
  })
})
