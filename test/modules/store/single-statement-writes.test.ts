import { Attribute, ToMany, ToOne } from 'stemma'
import type { Response } from 'supertest'
import { Column, ManyToOne, OneToMany, PrimaryGeneratedColumn, VersionColumn } from 'typeorm'
import { define, setUp, startApi } from '../../support/api'
import { DATABASE, WRITES_IN_ONE_STATEMENT } from '../../support/database'
import { newResource, toOne } from '../../support/documents'
import { errorsOf, expectError } from '../../support/expectations'
import { operate, resultsOf } from '../../support/operate'
import { StoredResource } from '../../support/resource-decorators'

// A write without hooks is a single statement when the database can return the written row. Its response is that of a write in steps.

@StoredResource('cellars', { clientGeneratedIds: 'allowed' })
class Cellar {
  @PrimaryGeneratedColumn('uuid') id: string
  @Attribute() @Column({ type: 'varchar', length: 20, unique: true }) name: string
  @Attribute({ capabilities: ['view'] }) @VersionColumn() version: number
  @ToMany() @OneToMany('Barrel', 'cellar') barrels: Barrel[]
  @ToOne() @ManyToOne('Cellar', { nullable: true }) under: Cellar | null
}

@StoredResource('barrels')
class Barrel {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 20 }) label: string
  @Attribute() @Column({ type: 'int', default: 7 }) litres: number
  @Attribute() @Column({ type: 'decimal', precision: 10, scale: 2, nullable: true }) price: string | null
  @Attribute() @Column({ type: 'bigint', nullable: true }) number: string | null
  @Attribute() @Column({ type: 'boolean', nullable: true }) isFull: boolean | null
  @ToOne() @ManyToOne('Cellar', 'barrels', { nullable: true }) cellar: Cellar | null
  @ToOne() @ManyToOne('Barrel', { nullable: true }) above: Barrel | null
}

const RESOURCES = [Cellar, Barrel]
const NO_CHANGES = { beforeWrite: () => undefined }
const SHOWN = { prefer: 'return=representation' }
const MISSING = '7b0e0a2c-0000-4000-8000-000000000000'
const OTHER = '8b0e0a2c-0000-4000-8000-000000000000'
const cellar = (id: string) => ({ cellar: toOne('cellars', id) })

const barrel = (attributes: object, relationships: object = {}, id?: string) =>
  newResource('barrels', attributes, relationships, id)

describe.each([
  ['at once', []],
  ['in steps', [define(Barrel, NO_CHANGES), define(Cellar, NO_CHANGES)]],
] as const)('%s', (how, definitions) => {
  const api = setUp(() => startApi(RESOURCES, { definitions, operations: { maxOperations: 150 } }))
  let home: string
  beforeAll(async () => {
    home = await api.add(Cellar, { name: 'Home' })
  })

  const isOne = how === 'at once' && WRITES_IN_ONE_STATEMENT

  async function counted<Value>(sending: () => PromiseLike<Value>): Promise<readonly [Value, number]> {
    const answers: Value[] = []
    const statements = await api.statementsOf(async () => answers.push(await sending()))
    return [answers[0] as Value, statements.length]
  }

  it('POST returns the resource as a GET does', async () => {
    const values = { label: 'Oak', price: '12.50', number: '9007199254740993', isFull: true }
    const [created, count] = await counted(() => api.post('/barrels').send(barrel(values, cellar(home))))
    expect([created.status, count]).toEqual([201, isOne ? 1 : 3])
    const read = await api.get(created.headers.location ?? '')
    expect(created.body.data).toEqual(read.body.data)
    expect(created.body.data.attributes).toEqual({ ...values, litres: 7 })
    expect(tokenOf(created.headers)).toBe(tokenOf(read.headers))
  })

  it('PATCH returns the resource as a GET does', async () => {
    const id = await api.add(Barrel, { label: 'Ash' })
    const body = barrel({ label: 'Elm', price: null }, cellar(home), id)
    const [changed, count] = await counted(() => api.patch(`/barrels/${id}`).send(body).set(SHOWN))
    expect([changed.status, count]).toEqual([200, isOne ? 1 : 4])
    const read = await api.get(`/barrels/${id}`)
    expect(changed.body.data).toEqual(read.body.data)
    expect(tokenOf(changed.headers)).toBe(tokenOf(read.headers))
  })

  it('POST points to every related resource that does not exist', async () => {
    const relationships = { ...cellar(MISSING), above: toOne('barrels', '999') }
    const response = await api.unchanged(() => api.post('/barrels').send(barrel({ label: 'Lost' }, relationships)))
    expect(errorsOf(response)).toEqual([
      '404 related.not-found /data/relationships/cellar/data',
      '404 related.not-found /data/relationships/above/data',
    ])
  })

  it('PATCH writes nothing when the resource or a related resource does not exist', async () => {
    const id = await api.add(Barrel, { label: 'Still' })
    const moved = barrel({ label: 'Moved' }, cellar(MISSING), id)
    const response = await api.unchanged(() => api.patch(`/barrels/${id}`).send(moved))
    expectError(response, 404, '/data/relationships/cellar/data')
    expectError(await api.patch('/barrels/999').send(barrel({ label: 'Unknown' }, {}, '999')), 404)
  })

  const adds = (...data: readonly object[]) => data.map((resource) => ({ op: 'add', ...resource }))

  it('adds of one type with the same fields are one statement, and one for the related resources', async () => {
    const labels = Array.from({ length: 150 }, (_, index) => `Add ${index}`)
    const values = { price: '1.50', number: '9007199254740993', isFull: true, litres: 8 }
    const relationships = { ...cellar(home), above: toOne('barrels', null) }
    const operations = adds(...labels.map((label) => barrel({ label, ...values }, relationships)))
    const [response, count] = await counted(() => operate(api, ...operations))
    // The related resource, and two inserts, since a statement has at most 1000 values. Without `returning` also what was inserted.
    const atOnce = isOne || DATABASE === 'mariadb' ? 3 : 4
    expect(count).toBe(how === 'at once' ? atOnce : 450)
    const results: readonly { data: { id: string; attributes: Barrel } }[] = resultsOf(response)
    expect(results.map(({ data }) => data.attributes.label)).toEqual(labels)
    for (const { data, ...members } of results.slice(-2)) {
      const read = await api.get(`/barrels/${data.id}`)
      expect({ data, ...members }).toEqual({ data: read.body.data, meta: { version: tokenOf(read.headers) } })
    }
  })

  const add = (name: string, under: string | null = null, id?: string) =>
    newResource('cellars', { name }, { under: toOne('cellars', under) }, id)

  it.each([
    ['a repeated value', adds(add('P'), add('Q'), add('P')), '409 constraint.unique @2/data/attributes/name'],
    ['a repeated id', adds(add('P', null, MISSING), add('Q', null, MISSING)), '409 resource.id-exists @1/data/id'],
    ['no target', adds(add('P'), add('Q', MISSING)), '404 related.not-found @1/data/relationships/under/data'],
  ])('one of several adds with %s undoes all, and the error points to it', async (_title, operations, expected) => {
    const response = await api.unchanged(() => operate(api, ...operations))
    expect(errorsOf(response)).toEqual([expected.replace('@', '/atomic:operations/')])
  })

  it('an add refers to a resource of an earlier add by id or local id', async () => {
    const third = { data: { ...add('Third', OTHER).data, lid: 'third' } }
    const fourth = newResource('cellars', { name: 'Fourth' }, { under: { data: { type: 'cellars', lid: 'third' } } })
    const response = await operate(
      api,
      ...adds(add('First', null, MISSING), add('Second', MISSING, OTHER), third, fourth),
    )
    const ids: readonly string[] = resultsOf(response).map(({ data }: { data: { id: string } }) => data.id)
    const under = await Promise.all(ids.map(async (id) => (await api.get(`/cellars/${id}/under`)).body.data?.id))
    expect([...ids.slice(0, 2), ...under]).toEqual([MISSING, OTHER, undefined, ...ids.slice(0, 3)])
    for (const id of ids.toReversed()) await api.delete(`/cellars/${id}`).expect(204)
  })

  it('runs subscribers of transactions', async () => {
    const events: string[] = []
    const { subscribers } = api.dataSource
    subscribers.push({
      beforeTransactionStart: () => void events.push('start'),
      afterTransactionCommit: () => void events.push('commit'),
    })
    const { status } = await api.post('/barrels').send(barrel({ label: 'Elm' }, cellar(home)))
    subscribers.pop()
    expect([status, ...events]).toEqual([201, 'start', 'commit'])
  })

  it('stores all of many concurrent writes', async () => {
    const labels = Array.from({ length: 20 }, (_, index) => `Many ${how} ${index}`)
    const answers = await Promise.all(labels.map((label) => api.post('/barrels').send(barrel({ label }, cellar(home)))))
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(20)
    const { body } = await api.get(`/barrels?filter=startsWith(label,'Many ${how}')&page[size]=50`)
    expect(body.data.map(({ attributes }: { attributes: Barrel }) => attributes.label).sort()).toEqual(labels.sort())
  })
})

describe('triggers of the database', () => {
  const api = setUp(() => startApi(RESOURCES))
  beforeAll(async () => {
    const { tablePath } = api.dataSource.getMetadata(Barrel)
    for (const text of triggersOn(tablePath)) await api.dataSource.query(text)
  })

  it('have run in the responses of POST and PATCH', async () => {
    expect((await api.post('/barrels').send(barrel({ label: 'Oak', litres: 4 }))).body.data.attributes.litres).toBe(8)
    const id = await api.add(Barrel, { label: 'Ash' })
    const sent = barrel({ litres: 5 }, {}, id)
    const changed = await api.patch(`/barrels/${id}`).send(sent).set(SHOWN)
    expect(changed.body.data.attributes.litres).toBe(10)
  })
})

/** Triggers that double values below 8. On MariaDB a trigger can change its own table only before the write. */
function triggersOn(table: string): readonly string[] {
  const events = ['insert', 'update']
  if (DATABASE === 'mariadb')
    return events.map((event) => {
      return `create trigger doubles_${event} before ${event} on ${table} for each row set new.litres = new.litres * 2`
    })
  if (DATABASE === 'sqlite')
    return events.map((event) => {
      const doubled = `update ${table} set litres = new.litres * 2 where id = new.id`
      return `create trigger doubles_${event} after ${event} on ${table} when new.litres < 8 begin ${doubled}; end`
    })
  const doubled = `update ${table} set litres = new.litres * 2 where id = new.id; return null;`
  return [
    `create function ${table}_doubled() returns trigger language plpgsql as $$ begin ${doubled} end $$`,
    `create trigger doubles after insert or update on ${table}
      for each row when (new.litres < 8) execute function ${table}_doubled()`,
  ]
}

/** The part before the dot. */
function tokenOf(headers: Response['headers']): string | undefined {
  return headers.etag?.replace(/^"/, '').split('.')[0]
}
