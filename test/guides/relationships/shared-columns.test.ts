import { setTimeout as wait } from 'node:timers/promises'
import { JsonApiError, ToMany, ToOne } from 'stemma'
import { Column, DeleteDateColumn, JoinColumn, ManyToOne, OneToMany, OneToOne, PrimaryColumn } from 'typeorm'
import { define, setUp, startApi, type TestApi } from '../../support/api'
import { deferred } from '../../support/deferred'
import { resource, toMany, toOne } from '../../support/documents'
import { expectError, singleError } from '../../support/expectations'
import { operate } from '../../support/operate'
import { StoredResource } from '../../support/resource-decorators'
import { startServer } from '../../support/server'

// Relationships whose foreign keys share a column: a write of one never changes another.

@StoredResource('countries', { clientGeneratedIds: 'required' })
class Country {
  @PrimaryColumn({ type: 'varchar', length: 2 }) id: string
  @ToMany() @OneToMany('Letter', 'origin') letters: unknown[]
  @ToMany() @OneToMany('Badge', 'origin') made: unknown[]
  @ToMany() @OneToMany('Badge', 'owner') owned: unknown[]
}

/** Has keys like a country. */
@StoredResource('towns', { clientGeneratedIds: 'required' })
class Town {
  @PrimaryColumn({ type: 'varchar', length: 2 }) id: string
}

@StoredResource('clients', { clientGeneratedIds: 'required' })
class Client {
  @PrimaryColumn({ type: 'varchar', length: 2 }) country: string
  @PrimaryColumn({ type: 'int' }) number: number
  @ToMany() @OneToMany('Parcel', 'sender') sent: unknown[]
}

const inCountry = () => JoinColumn({ name: 'country' })
const clientBy = (number: string) =>
  JoinColumn([
    { name: 'country', referencedColumnName: 'country' },
    { name: number, referencedColumnName: 'number' },
  ])

@StoredResource('parcels', { clientGeneratedIds: 'required' })
class Parcel {
  @PrimaryColumn({ type: 'varchar', length: 8 }) id: string
  @Column({ type: 'varchar', length: 2, nullable: true }) country: string | null
  @ToOne() @ManyToOne('Client', 'sent', { nullable: true }) @clientBy('senderNumber') sender: Client | null
  @ToOne() @ManyToOne('Client', { nullable: true }) @clientBy('receiverNumber') receiver: Client | null
}

abstract class Written {
  @PrimaryColumn({ type: 'varchar', length: 8 }) id: string
  @Column({ type: 'varchar', length: 2, nullable: true }) country: string | null
  @ToOne() @ManyToOne('Client', { nullable: true }) @clientBy('writerNumber') writer: Client | null
}

/** The key of one relationship is a part of another's. Deleted softly. */
@StoredResource('letters', { clientGeneratedIds: 'required' })
class Letter extends Written {
  @DeleteDateColumn() goneAt: Date | null
  @ToOne() @ManyToOne('Country', 'letters', { nullable: true }) @inCountry() origin: Country | null
}

/** Only one of both is a relationship of the API. */
@StoredResource('cards', { clientGeneratedIds: 'required' })
class Card extends Written {
  @ManyToOne('Country', { nullable: true }) @inCountry() origin: Country | null
}

/** One-to-one, and deleted softly. */
@StoredResource('anthems', { clientGeneratedIds: 'required' })
class Anthem extends Written {
  @DeleteDateColumn() goneAt: Date | null
  @ToOne() @OneToOne('Country', { nullable: true }) @inCountry() of: Country | null
}

const inCountryOrTown = { nullable: true, createForeignKeyConstraints: false }

/** All relationships have the same key, and a write is a single statement. */
@StoredResource('badges', { clientGeneratedIds: 'required' })
class Badge {
  @PrimaryColumn({ type: 'varchar', length: 8 }) id: string
  @ToOne() @ManyToOne('Country', 'made', { nullable: true }) @inCountry() origin: Country | null
  @ToOne() @ManyToOne('Country', 'owned', inCountryOrTown) @inCountry() owner: Country | null
  @ToOne() @ManyToOne('Town', inCountryOrTown) @inCountry() keeper: Town | null
}

const RESOURCES = [Country, Town, Client, Parcel, Letter, Card, Anthem, Badge]
const api = setUp(() => startApi(RESOURCES, { toOneLinkage: 'always' }))
const client = (id: string | null) => toOne('clients', id)
const country = (id: string | null) => toOne('countries', id)

const write = (method: string, type: string, id: string, relationships: object) =>
  api
    .request(method, method === 'POST' ? `/${type}` : `/${type}/${id}`)
    .send(resource(type, id, undefined, relationships))

const linkageOf = async (path: string): Promise<Record<string, string | null>> => {
  const relationships: Record<string, { data?: { id: string } | null }> = (await api.get(path)).body.data.relationships
  const linked = Object.entries(relationships).filter(([, { data }]) => data !== undefined)
  return Object.fromEntries(linked.map(([name, { data }]) => [name, data?.id ?? null]))
}

const expectRefused = async (writing: () => ReturnType<TestApi['request']>, pointer: string): Promise<void> => {
  expectError(await api.unchanged(writing), 422, pointer, 'resource.id-mismatch')
}

beforeAll(async () => {
  for (const id of ['NO', 'SE']) await api.post('/countries').send(country(id))
  await api.post('/towns').send(toOne('towns', 'SE'))
  for (const id of ['NO~1', 'NO~2', 'SE~1', 'SE~2']) await api.post('/clients').send(client(id))
})

beforeEach(async () => {
  await api.delete('/parcels/p')
  await write('POST', 'parcels', 'p', { sender: client('NO~1'), receiver: client('NO~2') })
})

/** `set('parcels p', 'sender', client(null))` */
const set = (row: string, name: string, linkage: object, method = 'PATCH') =>
  api.request(method, `/${row.replace(' ', '/')}/relationships/${name}`).send(linkage)

it('writes both relationships when they agree on the shared column', async () => {
  expect(await linkageOf('/parcels/p')).toEqual({ sender: 'NO~1', receiver: 'NO~2' })
  await set('parcels p', 'receiver', client('NO~1')).expect(204)
  const both = { receiver: client('SE~2'), sender: client('SE~1') }
  await write('PATCH', 'parcels', 'p', both).expect(204)
  expect(await linkageOf('/parcels/p')).toEqual({ sender: 'SE~1', receiver: 'SE~2' })
})

it.each(['POST', 'PATCH'])('refuses %s of two relationships that disagree', async (method) => {
  const id = method === 'POST' ? 'new' : 'p'
  const relationships = { sender: client('NO~1'), receiver: client('SE~2') }
  await expectRefused(() => write(method, 'parcels', id, relationships), '/data/relationships/receiver')
})

it('refuses two relationships with the same key that disagree', async () => {
  await write('POST', 'badges', 'b', { origin: country('NO'), owner: country('NO') }).expect(201)
  const both = { origin: country('NO'), owner: country('SE') }
  await expectRefused(() => write('POST', 'badges', 'new', both), '/data/relationships/owner')
  await expectRefused(() => write('PATCH', 'badges', 'b', both), '/data/relationships/owner')
})

const refuseSweden = (name: string, { id }: { id: string }) => {
  if (id === 'SE') throw new JsonApiError({ status: 422, code: 'refused', title: 'No.', detail: 'No.', field: name })
}
const refusingAtRow = (relationship: string) =>
  define(Badge, { setToOne: (_write, name, to) => (name === relationship && to ? refuseSweden(name, to) : undefined) })
const refusingAtEnd = define(Country, {
  addToMany: (it, name) => (name === 'owned' ? refuseSweden(name, it) : undefined),
})

it.each([
  ['the row', refusingAtRow('owner')],
  ['the row, without an inverse and to another type,', refusingAtRow('keeper')],
  ['the other end', refusingAtEnd],
])('asks the rules of a relationship at %s if a write changes it by the same key', async (_end, definition) => {
  await write('POST', 'badges', 'r', { origin: country('NO') })
  const setup = { dataSource: api.dataSource, resources: RESOURCES, operations: {} }
  const server = await startServer({ ...setup, definitions: [definition] })
  const update = resource('badges', 'r', undefined, { origin: country('SE') })
  const create = resource('badges', 'new', undefined, { origin: country('SE') })
  const requests: [pointer: string, method: string, path: string, body: object][] = [
    ['/data/relationships/origin', 'PATCH', '/badges/r', update],
    ['/data/relationships/origin', 'POST', '/badges', create],
    ['/data', 'PATCH', '/badges/r/relationships/origin', country('SE')],
    ['/data', 'PATCH', '/countries/SE/relationships/made', toMany('badges', 'r')],
    ['/data', 'POST', '/countries/SE/relationships/made', toMany('badges', 'r')],
  ]
  for (const [pointer, method, path, body] of requests)
    expectError(await api.unchanged(() => server.request(method, path).send(body)), 422, pointer, 'refused')
  for (const operation of [
    { op: 'update', ...update },
    { op: 'add', ...create },
  ]) {
    const response = await api.unchanged(() => operate(server, operation, operation))
    expectError(response, 422, '/atomic:operations/0/data/relationships/origin', 'refused')
  }
  await server.patch('/badges/r/relationships/origin').send(country(null)).expect(204)
  await api.delete('/badges/r')
  await server.close()
})

it('returns the resource if a write changes another relationship with the same key', async () => {
  const { body } = await write('PATCH', 'badges', 'b', { origin: country('SE') }).expect(200)
  expect(body.data.relationships).toMatchObject({ origin: country('SE'), owner: country('SE') })
  const all = { origin: country('SE'), owner: country('SE'), keeper: toOne('towns', 'SE') }
  await write('PATCH', 'badges', 'b', all).expect(204)
  await write('PATCH', 'countries', 'SE', { made: toMany('badges', 'b') }).expect(200)
})

it('refuses a change of one that would change the other', async () => {
  const alone = { receiver: client('SE~1') }
  await expectRefused(() => write('PATCH', 'parcels', 'p', alone), '/data/relationships/receiver')
  await expectRefused(() => set('parcels p', 'receiver', client('SE~1')), '/data')
})

it('accepts any value while the other one is empty', async () => {
  await set('parcels p', 'sender', client(null)).expect(204)
  await set('parcels p', 'receiver', client('SE~1')).expect(204)
  expect(await linkageOf('/parcels/p')).toEqual({ sender: null, receiver: 'SE~1' })
  const emptied = { sender: client('NO~2'), receiver: client(null) }
  await write('PATCH', 'parcels', 'p', emptied).expect(204)
  expect(await linkageOf('/parcels/p')).toEqual({ sender: 'NO~2', receiver: null })
})

it('refuses the change from the other end as well', async () => {
  const members = toMany('parcels', 'p')
  await expectRefused(() => set('clients SE~1', 'sent', members, 'POST'), '/data')
  await expectRefused(() => set('clients SE~1', 'sent', members), '/data')
  await set('clients NO~2', 'sent', members, 'POST').expect(204)
  expect(await linkageOf('/parcels/p')).toEqual({ sender: 'NO~2', receiver: 'NO~2' })
  await set('clients NO~2', 'sent', members, 'DELETE').expect(204)
  expect(await linkageOf('/parcels/p')).toEqual({ sender: null, receiver: 'NO~2' })
})

describe('a foreign key that is part of another', () => {
  beforeAll(() => write('POST', 'letters', 'l', { origin: country('NO'), writer: client('NO~1') }))

  it.each([
    ['origin', country('SE')],
    ['origin', country(null)],
    ['writer', client('SE~1')],
  ])('cannot be changed alone: %s to %j', async (name, linkage) => {
    await expectRefused(() => api.patch(`/letters/l/relationships/${name}`).send(linkage), '/data')
    await expectRefused(() => write('PATCH', 'letters', 'l', { [name]: linkage }), `/data/relationships/${name}`)
  })

  it('cannot be removed or moved from the other end', async () => {
    const members = toMany('letters', 'l')
    await expectRefused(() => set('countries NO', 'letters', members, 'DELETE'), '/data')
    await expectRefused(() => set('countries NO', 'letters', { data: [] }), '/data')
    await expectRefused(() => set('countries SE', 'letters', members, 'POST'), '/data')
  })

  it('can be changed together with it', async () => {
    const both = { origin: country('SE'), writer: client('SE~2') }
    await write('PATCH', 'letters', 'l', both).expect(204)
    expect(await linkageOf('/letters/l')).toEqual({ origin: 'SE', writer: 'SE~2' })
    await set('letters l', 'writer', client('SE~1')).expect(204)
    await set('letters l', 'writer', client(null)).expect(204)
    await set('letters l', 'origin', country('NO')).expect(204)
    expect(await linkageOf('/letters/l')).toEqual({ origin: 'NO', writer: null })
  })
})

it('protects a relation that is no relationship of the API', async () => {
  await api.add(Card, { id: 'c', country: 'NO' })
  await expectRefused(() => set('cards c', 'writer', client('SE~1')), '/data')
  await set('cards c', 'writer', client('NO~1')).expect(204)
})

it('refuses a change that contradicts a concurrent write', async () => {
  await write('PATCH', 'parcels', 'p', { sender: client(null), receiver: client(null) })
  const { promise: isWritten, resolve } = deferred()
  const slowly = define(Parcel, {
    async afterWrite() {
      resolve()
      await wait(300)
    },
  })
  const slow = await startServer({ dataSource: api.dataSource, resources: RESOURCES, definitions: [slowly] })
  const received = slow.patch('/parcels/p/relationships/receiver').send(client('NO~2')).start()
  await isWritten
  const sent = set('clients SE~1', 'sent', toMany('parcels', 'p'), 'POST').start()
  const [first, second] = await Promise.all([received, sent])
  await slow.close()
  expect([first.status, singleError(second).code]).toEqual([204, 'resource.id-mismatch'])
  expect(await linkageOf('/parcels/p')).toEqual({ sender: null, receiver: 'NO~2' })
})

it('ignores rows that are deleted softly', async () => {
  await write('POST', 'letters', 'gone', { origin: country('SE'), writer: client('SE~1') })
  await expectRefused(() => set('countries SE', 'letters', { data: [] }), '/data')
  await api.delete('/letters/gone').expect(204)
  expect((await api.unchanged(() => set('countries SE', 'letters', { data: [] }))).status).toBe(204)
})

it('refuses to replace a one-to-one partner whose key has a shared column', async () => {
  await write('POST', 'anthems', 'a', { of: country('NO'), writer: client('NO~1') })
  await expectRefused(() => write('POST', 'anthems', 'b', { of: country('NO') }), '/data/relationships/of')
  await write('POST', 'anthems', 'b', {}).expect(201)
  await expectRefused(() => set('anthems b', 'of', country('NO')), '/data')
  await set('anthems a', 'writer', client(null))
  await set('anthems b', 'of', country('NO')).expect(204)
  expect([await linkageOf('/anthems/a'), await linkageOf('/anthems/b')]).toEqual([
    { of: null, writer: null },
    { of: 'NO', writer: null },
  ])
})

it('replaces a one-to-one partner that is deleted softly', async () => {
  await write('POST', 'anthems', 'old', { of: country('SE'), writer: client('SE~1') })
  await api.delete('/anthems/old')
  await write('POST', 'anthems', 'new', { of: country('SE') }).expect(201)
})
