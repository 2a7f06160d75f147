import { Attribute, ToOne } from 'stemma'
import { BeforeInsert, Column, JoinColumn, ManyToOne, OneToOne, PrimaryColumn } from 'typeorm'
import { define, setUp, startApi } from '../../support/api'
import { createResource, newResource, toOne, updateResource } from '../../support/documents'
import { operate } from '../../support/operate'
import { StoredResource } from '../../support/resource-decorators'

// Parts of a composite key that the client may not write. The server sets them, whatever the id of the client contains.

const Tenants = PrimaryColumn({ type: 'varchar', length: 9 })

@StoredResource('tenants', { clientGeneratedIds: 'required' })
class Tenant {
  @Tenants id!: string
}

@StoredResource('items', { clientGeneratedIds: 'allowed' })
class Item {
  @Attribute({ capabilities: [] }) @Tenants secret!: string
  @Attribute() @PrimaryColumn({ type: 'int' }) number!: number
  @Column({ type: 'int', nullable: true }) twinNumber!: number | null
  /** Shares a column with the key. */
  @ToOne()
  @ManyToOne('Item', { nullable: true })
  @JoinColumn([
    { name: 'secret', referencedColumnName: 'secret' },
    { name: 'twinNumber', referencedColumnName: 'number' },
  ])
  twin!: Item | null
}

@StoredResource('parcels', { clientGeneratedIds: 'allowed' })
class Parcel {
  @PrimaryColumn({ type: 'varchar', length: 9, default: 'nl' }) tenantId!: string
  @PrimaryColumn({ type: 'int' }) number!: number
  @ToOne({ capabilities: ['view'] }) @ManyToOne('Tenant') @JoinColumn({ name: 'tenantId' }) tenant!: Tenant
}

@StoredResource('rooms', { clientGeneratedIds: 'allowed' })
class Room {
  @Tenants ownerId!: string
  @Attribute() @PrimaryColumn({ type: 'int' }) number!: number
  @ToOne() @ManyToOne('Tenant', { nullable: false }) @JoinColumn({ name: 'ownerId' }) owner!: Tenant
}

@StoredResource('badges', { clientGeneratedIds: 'allowed' })
class Badge {
  @Attribute({ capabilities: ['view'] }) @Tenants tenant!: string
  @PrimaryColumn({ type: 'int' }) number!: number
  @BeforeInsert() set(): void {
    this.tenant = 'nl'
  }
}

@StoredResource('profiles', { clientGeneratedIds: 'required' })
class Profile {
  @Tenants ownerId!: string
  @ToOne({ capabilities: ['view'] }) @OneToOne('Tenant') @JoinColumn({ name: 'ownerId' }) owner!: Tenant
}

type Client = string | undefined
const definitions = [
  define<Item, Client>(Item, { prepareWrite: ({ context }) => (context === undefined ? {} : { secret: context }) }),
  define<Room, Client>(Room, {
    fields: (names, client) => [...names].filter((name) => client === 'nl' || name !== 'owner'),
  }),
]
const resources = [Tenant, Item, Parcel, Room, Badge, Profile]
const api = setUp(() => startApi(resources, { definitions, context: (request) => request.get('x-client') }))
beforeAll(async () => {
  await api.add(Tenant, { id: 'nl' })
  await api.add(Tenant, { id: 'it' })
  await api.add(Item, { secret: 'it', number: 1 })
})
const create = (client: string, type: string, id: string | undefined, relationships = {}, attributes = {}) =>
  createResource(api, type, attributes, relationships, id).set(client === '' ? {} : { 'x-client': client })

it.each([
  ['nl', 'items', 'nl~7'],
  ['', 'parcels', 'nl~7'],
  ['nl', 'rooms', 'it~7'],
  ['', 'badges', 'nl~7'],
])('an id may contain the part that the server sets: for %j POST of %s with id %s', async (client, type, id) => {
  expect((await create(client, type, id).expect(201)).body.data.id).toBe(id)
})

it.each([
  ['nl', 'items', 'it~8'],
  ['', 'items', 'nl~8'],
  ['', 'items', 'undefined~8'],
  ['', 'parcels', 'it~8'],
  ['', 'rooms', 'nl~8'],
  ['', 'badges', 'it~8'],
  ['', 'profiles', 'it'],
])('an id may contain no other part: for %j POST of %s with id %s', async (client, type, id) => {
  const { body } = await api.unchanged(() => create(client, type, id).expect(422).start())
  const detail = "'id' and the server give different values for one part of the id."
  const known = { status: '422', code: 'resource.id-mismatch', detail, source: { pointer: '/data/id' } }
  expect(body.errors).toEqual([expect.objectContaining(known)])
  const operation = { op: 'add', ...newResource(type, {}, {}, id) }
  const { body: inOperation } = await operate(api, operation).set(client === '' ? {} : { 'x-client': client })
  expect(inOperation.errors).toEqual([expect.objectContaining({ code: 'resource.id-mismatch', detail })])
})

it('an update by a rule does not reveal the name of the part', async () => {
  const send = () => updateResource(api, 'items', 'it~1').set({ 'x-client': 'nl' }).expect(422).start()
  const { body } = await api.unchanged(send)
  const detail = 'Expected values that keep the id: a rule would change a part of it.'
  expect(body.errors).toEqual([expect.objectContaining({ detail, source: { pointer: '/data/id' } })])
})

it.each(['nl', ''])('a relationship that shares its column does not write the part, for %j', async (client) => {
  const twin = { twin: toOne('items', 'it~1') }
  const { body } = await api.unchanged(() =>
    create(client, 'items', undefined, twin, { number: 9 }).expect(422).start(),
  )
  const detail = "'twin' and the server give different values for one part of the id."
  const source = { pointer: '/data/relationships/twin' }
  expect(body.errors).toEqual([expect.objectContaining({ code: 'resource.id-mismatch', detail, source })])
})
