import { ConfigurationError, createJsonApi, ToMany, ToOne } from 'stemma'
import { Column, DeleteDateColumn, JoinColumn, ManyToOne, OneToMany, OneToOne, PrimaryColumn } from 'typeorm'
import { define, setUp, startApi, type TestApi } from '../../support/api'
import { createResource, resource, toMany, toOne } from '../../support/documents'
import { expectError, singleError } from '../../support/expectations'
import { createPause } from '../../support/overlapping-writes'
import { StoredResource } from '../../support/resource-decorators'
import { startServer } from '../../support/server'

// Relationships whose foreign keys share a column: a write of one never changes another.

@StoredResource('countries', { clientGeneratedIds: 'required' })
class Country {
  @PrimaryColumn({ type: 'varchar', length: 2 }) id: string
  @ToMany() @OneToMany('Letter', 'origin') letters: unknown[]
  @ToMany() @OneToMany('Badge', 'origin') badges: unknown[]
  @ToMany() @OneToMany('Medal', 'origin') medals: unknown[]
  @ToMany() @OneToMany('Medal', 'owner') owned: unknown[]
  @ToMany() @OneToMany('Seal', 'origin') sealed: unknown[]
  @ToMany({ capabilities: ['view'] }) @OneToMany('Seal', 'owner') seals: unknown[]
}

@StoredResource('clients', { clientGeneratedIds: 'required' })
class Client {
  @PrimaryColumn({ type: 'varchar', length: 2 }) country: string
  @PrimaryColumn({ type: 'int' }) number: number
  @ToMany() @OneToMany('Parcel', 'sender') sent: unknown[]
}

/** A second relation with the same foreign key. */
const SECOND = { nullable: true, createForeignKeyConstraints: false }
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

/** Both relationships have the same key, and a write is a single statement. */
@StoredResource('badges', { clientGeneratedIds: 'required' })
class Badge {
  @PrimaryColumn({ type: 'varchar', length: 8 }) id: string
  @ToOne() @ManyToOne('Country', 'badges', { nullable: true }) @inCountry() origin: Country | null
  @ToOne() @ManyToOne('Country', SECOND) @inCountry() owner: Country | null
}

/** Both relations have the same key, and only one of them is a relationship of the API. */
@StoredResource('medals', { clientGeneratedIds: 'required' })
class Medal {
  @PrimaryColumn({ type: 'varchar', length: 8 }) id: string
  @ToOne() @ManyToOne('Country', 'medals', { nullable: true }) @inCountry() origin: Country | null
  @ManyToOne('Country', 'owned', SECOND) @inCountry() owner: unknown
}

/** Both relationships have the same key, and clients can write only one of them. */
@StoredResource('seals', { clientGeneratedIds: 'required' })
class Seal {
  @PrimaryColumn({ type: 'varchar', length: 8 }) id: string
  @ToOne() @ManyToOne('Country', 'sealed', { nullable: true }) @inCountry() origin: Country | null
  @ToOne({ capabilities: ['view'] }) @ManyToOne('Country', 'seals', SECOND) @inCountry() owner: Country | null
}

/** A part of a required key is the key of another relationship. */
abstract class Owned {
  @PrimaryColumn({ type: 'varchar', length: 8 }) id: string
  @ToOne({ required: true }) @ManyToOne('Client') @clientBy('ownerNumber') owner: Client
}
@StoredResource('coins', { clientGeneratedIds: 'required' })
class Coin extends Owned {
  @ToOne() @ManyToOne('Country') @inCountry() origin: Country | null
}
@StoredResource('flags', { clientGeneratedIds: 'required' })
class Flag extends Owned {
  @ToOne() @ManyToOne('Country', { onDelete: 'SET NULL' }) @inCountry() origin: Country | null
}

const RESOURCES = [Country, Client, Parcel, Letter, Card, Anthem, Badge, Medal, Seal, Coin, Flag]
const api = setUp(() => startApi(RESOURCES, { toOneLinkage: 'always' }))
const client = (id: string | null) => toOne('clients', id)
const country = (id: string | null) => toOne('countries', id)

const write = (method: string, type: string, id: string, relationships: object) => {
  const path = method === 'POST' ? `/${type}` : `/${type}/${id}`
  return api.request(method, path).send(resource(type, id, undefined, relationships))
}

const linkedIds = async (path: string): Promise<Record<string, string | null>> => {
  const relationships: Record<string, { data?: { id: string } | null }> = (await api.get(path)).body.data.relationships
  const linked = Object.entries(relationships).filter(([, { data }]) => data !== undefined)
  return Object.fromEntries(linked.map(([name, { data }]) => [name, data?.id ?? null]))
}

const expectMismatch = async (writing: () => ReturnType<TestApi['request']>, pointer: string): Promise<void> => {
  expectError(await api.unchanged(writing), 422, pointer, 'resource.id-mismatch')
}

beforeAll(async () => {
  for (const id of ['NO', 'SE', 'FI']) await api.post('/countries').send(country(id))
  for (const id of ['NO~1', 'NO~2', 'SE~1', 'SE~2', 'FI~1']) await api.post('/clients').send(client(id))
})

beforeEach(async () => {
  await api.delete('/parcels/p')
  await write('POST', 'parcels', 'p', { sender: client('NO~1'), receiver: client('NO~2') })
})

/** `set('parcels p', 'sender', client(null))` */
const set = (row: string, name: string, linkage: object, method = 'PATCH') =>
  api.request(method, `/${row.replace(' ', '/')}/relationships/${name}`).send(linkage)

it('writes both relationships when they agree on the shared column', async () => {
  expect(await linkedIds('/parcels/p')).toEqual({ sender: 'NO~1', receiver: 'NO~2' })
  await set('parcels p', 'receiver', client('NO~1')).expect(204)
  const both = { receiver: client('SE~2'), sender: client('SE~1') }
  await write('PATCH', 'parcels', 'p', both).expect(204)
  expect(await linkedIds('/parcels/p')).toEqual({ sender: 'SE~1', receiver: 'SE~2' })
})

it.each(['POST', 'PATCH'])('refuses %s of two relationships that disagree', async (method) => {
  const id = method === 'POST' ? 'new' : 'p'
  const relationships = { sender: client('NO~1'), receiver: client('SE~2') }
  await expectMismatch(() => write(method, 'parcels', id, relationships), '/data/relationships/receiver')
})

it('refuses two relationships with the same key that disagree', async () => {
  await write('POST', 'badges', 'b', { origin: country('NO'), owner: country('NO') }).expect(201)
  const both = { origin: country('NO'), owner: country('SE') }
  await expectMismatch(() => write('POST', 'badges', 'new', both), '/data/relationships/owner')
  await expectMismatch(() => write('PATCH', 'badges', 'b', both), '/data/relationships/owner')
})

it('refuses a change of one that would change the other', async () => {
  const alone = { receiver: client('SE~1') }
  await expectMismatch(() => write('PATCH', 'parcels', 'p', alone), '/data/relationships/receiver')
  await expectMismatch(() => set('parcels p', 'receiver', client('SE~1')), '/data')
})

it('accepts any value while the other one is empty', async () => {
  await set('parcels p', 'sender', client(null)).expect(204)
  await set('parcels p', 'receiver', client('SE~1')).expect(204)
  expect(await linkedIds('/parcels/p')).toEqual({ sender: null, receiver: 'SE~1' })
  const emptied = { sender: client('NO~2'), receiver: client(null) }
  await write('PATCH', 'parcels', 'p', emptied).expect(204)
  expect(await linkedIds('/parcels/p')).toEqual({ sender: 'NO~2', receiver: null })
})

it('refuses the change from the other end as well', async () => {
  const members = toMany('parcels', 'p')
  await expectMismatch(() => set('clients SE~1', 'sent', members, 'POST'), '/data')
  await expectMismatch(() => set('clients SE~1', 'sent', members), '/data')
  await set('clients NO~2', 'sent', members, 'POST').expect(204)
  expect(await linkedIds('/parcels/p')).toEqual({ sender: 'NO~2', receiver: 'NO~2' })
  await set('clients NO~2', 'sent', members, 'DELETE').expect(204)
  expect(await linkedIds('/parcels/p')).toEqual({ sender: null, receiver: 'NO~2' })
})

describe('a foreign key that is part of another', () => {
  beforeAll(() => write('POST', 'letters', 'l', { origin: country('NO'), writer: client('NO~1') }))

  it.each([
    ['origin', country('SE')],
    ['origin', country(null)],
    ['writer', client('SE~1')],
  ])('cannot be changed alone: %s to %j', async (name, linkage) => {
    await expectMismatch(() => api.patch(`/letters/l/relationships/${name}`).send(linkage), '/data')
    await expectMismatch(() => write('PATCH', 'letters', 'l', { [name]: linkage }), `/data/relationships/${name}`)
  })

  it('cannot be removed or moved from the other end', async () => {
    const members = toMany('letters', 'l')
    await expectMismatch(() => set('countries NO', 'letters', members, 'DELETE'), '/data')
    await expectMismatch(() => set('countries NO', 'letters', { data: [] }), '/data')
    await expectMismatch(() => set('countries SE', 'letters', members, 'POST'), '/data')
  })

  it('can be changed together with it', async () => {
    const both = { origin: country('SE'), writer: client('SE~2') }
    await write('PATCH', 'letters', 'l', both).expect(204)
    expect(await linkedIds('/letters/l')).toEqual({ origin: 'SE', writer: 'SE~2' })
    await set('letters l', 'writer', client('SE~1')).expect(204)
    await set('letters l', 'writer', client(null)).expect(204)
    await set('letters l', 'origin', country('NO')).expect(204)
    expect(await linkedIds('/letters/l')).toEqual({ origin: 'NO', writer: null })
  })
})

it('protects a relation that is no relationship of the API', async () => {
  await api.add(Card, { id: 'c', country: 'NO' })
  await expectMismatch(() => set('cards c', 'writer', client('SE~1')), '/data')
  await set('cards c', 'writer', client('NO~1')).expect(204)
})

it('refuses a change that contradicts a concurrent write', async () => {
  await write('PATCH', 'parcels', 'p', { sender: client(null), receiver: client(null) })
  const { begun: isWritten, pause } = createPause(api.dataSource)
  const definitions = [define(Parcel, { afterWrite: pause })]
  const slow = await startServer({ dataSource: api.dataSource, resources: RESOURCES, definitions })
  const received = slow.patch('/parcels/p/relationships/receiver').send(client('NO~2')).start()
  await isWritten
  const sent = set('clients SE~1', 'sent', toMany('parcels', 'p'), 'POST').start()
  const [first, second] = await Promise.all([received, sent])
  await slow.close()
  expect([first.status, singleError(second).code]).toEqual([204, 'resource.id-mismatch'])
  expect(await linkedIds('/parcels/p')).toEqual({ sender: null, receiver: 'NO~2' })
})

it('ignores rows that are deleted softly', async () => {
  await write('POST', 'letters', 'gone', { origin: country('SE'), writer: client('SE~1') })
  await expectMismatch(() => set('countries SE', 'letters', { data: [] }), '/data')
  await api.delete('/letters/gone').expect(204)
  expect((await api.unchanged(() => set('countries SE', 'letters', { data: [] }))).status).toBe(204)
})

it('refuses to replace a one-to-one partner whose key has a shared column', async () => {
  await write('POST', 'anthems', 'a', { of: country('NO'), writer: client('NO~1') })
  await expectMismatch(() => write('POST', 'anthems', 'b', { of: country('NO') }), '/data/relationships/of')
  await write('POST', 'anthems', 'b', {}).expect(201)
  await expectMismatch(() => set('anthems b', 'of', country('NO')), '/data')
  await set('anthems a', 'writer', client(null))
  await set('anthems b', 'of', country('NO')).expect(204)
  expect(await linkedIds('/anthems/a')).toEqual({ of: null, writer: null })
  expect(await linkedIds('/anthems/b')).toEqual({ of: 'NO', writer: null })
})

it('replaces a one-to-one partner that is deleted softly', async () => {
  await write('POST', 'anthems', 'old', { of: country('SE'), writer: client('SE~1') })
  await api.delete('/anthems/old')
  await write('POST', 'anthems', 'new', { of: country('SE') }).expect(201)
})

it.each(['coins', 'flags'])('refuses to delete a resource whose id is a part of a required key: %s', async (type) => {
  await write('POST', type, 'x', { origin: country('FI'), owner: client('FI~1') }).expect(201)
  expectError(await api.unchanged(() => api.delete('/countries/FI')), 409, undefined, 'constraint.reference')
  await api.delete(`/${type}/x`).expect(204)
})

describe('relationships with the same key', () => {
  beforeAll(() => write('POST', 'badges', 'same', { origin: country('NO'), owner: country('NO') }))

  it('return the resource if a write of one changes another', async () => {
    const { body } = await write('PATCH', 'badges', 'same', { origin: country('SE') }).expect(200)
    expect(body.data.relationships).toMatchObject({ origin: country('SE'), owner: country('SE') })
    const both = { origin: country('NO'), owner: country('NO') }
    await write('PATCH', 'badges', 'same', both).expect(204)
  })

  it.each([
    ['the row', define(Badge, { setToOne: () => undefined }), /Badge\.(origin|owner): .* Badge\.(owner|origin) is/],
    ['the other end', define(Country, { addToMany: () => undefined }), /Country\.badges: .* Badge\.owner is/],
    ['a row with one of them', define(Medal, { setToOne: () => undefined }), /Medal\.origin: .* Country\.owned is/],
  ])('are refused at start-up if one has hooks at %s and another can be written', (_end, definition, location) => {
    const start = () => createJsonApi({ dataSource: api.dataSource, resources: RESOURCES, definitions: [definition] })
    expect(start).toThrow(ConfigurationError)
    expect(start).toThrow(/a definition has hooks for it, but .* is stored in the same columns/)
    expect(start).toThrow(location)
  })

  it('can have hooks if clients can write only one of them', async () => {
    const asked: unknown[] = []
    const rule = define(Seal, { setToOne: (_write, name, related) => void asked.push([name, related?.id]) })
    const server = await startServer({ dataSource: api.dataSource, resources: RESOURCES, definitions: [rule] })
    await createResource(server, 'seals', undefined, { origin: country('NO') }, 's').expect(201)
    await server.close()
    for (const name of ['origin', 'owner']) expect(asked).toContainEqual([name, 'NO'])
  })

  it('refuses two to-many relationships that disagree', async () => {
    for (const id of ['m', 'n']) await write('POST', 'medals', id, {}).expect(201)
    const [both, m] = [toMany('medals', 'm', 'n'), toMany('medals', 'm')]
    const disagreeing = { medals: both, owned: m }
    await expectMismatch(() => write('PATCH', 'countries', 'NO', disagreeing), '/data/relationships/owned')
    await expectMismatch(() => write('POST', 'countries', 'DK', disagreeing), '/data/relationships/owned')
    await write('PATCH', 'countries', 'NO', { medals: both, owned: both }).expect(204)
    expect((await api.get('/countries/NO/relationships/owned')).body.data.length).toBe(2)
  })
})
