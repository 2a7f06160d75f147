import { Attribute, ToOne } from 'stemma'
import { BeforeInsert, Column, JoinColumn, ManyToOne, OneToOne, PrimaryColumn } from 'typeorm'
import { define, setUp, startApi } from '../../support/api'
import { createResource, newResource, toOne, updateResource } from '../../support/documents'
import { operateWith } from '../../support/operate'
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
const headersOf = (client: string) => (client === '' ? {} : { 'x-client': client })
const create = (client: string, type: string, id: string | undefined, relationships = {}, attributes = {}) =>
  createResource(api, type, attributes, relationships, id).set(headersOf(client))
const mismatchOf = (field: string) => ({
  code: 'resource.id-mismatch',
  detail: `'${field}' and the server give different values for one part of the id.`,
})

it.each([
  ['nl', 'items', 'nl~7', ['it~8']],
  ['', 'items', undefined, ['nl~8', 'undefined~8']],
  ['', 'parcels', 'nl~7', ['it~8']],
  ['nl', 'rooms', 'it~7', []],
  ['', 'rooms', undefined, ['nl~8']],
  ['', 'badges', 'nl~7', ['it~8']],
  ['', 'profiles', undefined, ['it']],
])('for the client %j, an id of %s may be %s, but not %j', async (client, type, valid, invalid) => {
  if (valid !== undefined) expect((await create(client, type, valid).expect(201)).body.data.id).toBe(valid)
  for (const id of invalid) {
    const { body } = await api.unchanged(() => create(client, type, id).expect(422).start())
    const known = { status: '422', ...mismatchOf('id'), source: { pointer: '/data/id' } }
    expect(body.errors).toEqual([expect.objectContaining(known)])
    const operated = await operateWith(api, headersOf(client), { op: 'add', ...newResource(type, {}, {}, id) })
    expect(operated.body.errors).toEqual([expect.objectContaining(mismatchOf('id'))])
  }
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
  const source = { pointer: '/data/relationships/twin' }
  expect(body.errors).toEqual([expect.objectContaining({ ...mismatchOf('twin'), source })])
})
