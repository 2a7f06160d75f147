import { Attribute, type ResourceWrite, ToOne } from 'stemma'
import { Column, type ColumnOptions, Index, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm'
import { define, setUp, startApi, startApiOn, useApi } from '../../support/api'
import { DATABASE } from '../../support/database'
import { newResource, resource, toOne } from '../../support/documents'
import { errorsOf, expectError } from '../../support/expectations'
import { operate } from '../../support/operate'
import { StoredResource } from '../../support/resource-decorators'
import { Member, TEAMS, Team } from '../../support/writing-models'

// Constraints of the database: an error points to the field in the request, and is never a 500.

const api = setUp(() => startApi(TEAMS, { definitions: [define(Team, { beforeWrite: () => forced })] }))

/** Sets values that requests cannot contain, because they are validated. */
let forced: object | undefined

beforeAll(async () => {
  // TypeORM creates no check constraints here.
  if (DATABASE === 'mariadb')
    await api.dataSource.query('alter table teams add constraint team_budget check (budget >= 0)')
  await api.add(Team, { name: 'Taken' })
  await api.add(Member, { name: 'Ann', nickname: 'ann' })
})
beforeEach(() => {
  forced = undefined
})

let count = 0
const addTeam = () => api.add(Team, { name: `Team ${++count}` })
const post = (attributes: object, type = 'teams', to = api) => to.post(`/${type}`).send(newResource(type, attributes))
const patch = (id: string, attributes: object, type = 'teams', to = api) =>
  to.patch(`/${type}/${id}`).send(resource(type, id, attributes))

describe('a unique constraint', () => {
  it.each([
    ['teams', { name: 'Taken' }, '/data/attributes/name'],
    ['members', { name: 'Bob', nickname: 'ann' }, '/data/attributes/nickname'],
  ])('returns 409 for a taken value of %s, on create and on update', async (type, attributes, pointer) => {
    const id = type === 'teams' ? await addTeam() : await api.add(Member, { name: 'Bob' })
    for (const request of [() => post(attributes, type), () => patch(id, attributes, type)])
      expectError(await api.unchanged(request), 409, pointer, 'constraint.unique')
  })

  it('allows the own value again, and null any number of times', async () => {
    const id = await addTeam()
    await patch(id, { name: `Team ${count}` }).expect(204)
    for (const _ of [1, 2]) await post({ name: 'Bob', nickname: null }, 'members').expect(201)
  })

  it('points to what the request contains when a rule set the value', async () => {
    forced = { name: 'Taken' }
    expectError(await api.unchanged(() => post({ name: 'Free' })), 409, '/data/attributes/name')
    const path = `/teams/${await addTeam()}/relationships/tags`
    expectError(await api.unchanged(() => api.patch(path).send({ data: [] })), 409, '/data')
  })
})

describe('another constraint of a column', () => {
  it.each([
    ['a check', { budget: -1 }, 'constraint.check'],
    ['not null', { name: null }, 'constraint.not-null'],
  ])('returns 422 for a value of a rule: %s', async (_what, values, code) => {
    forced = values
    const [name] = Object.keys(values)
    const id = await addTeam()
    const attributes = { name: 'New', budget: 1 }
    for (const request of [() => post(attributes), () => patch(id, attributes)])
      expectError(await api.unchanged(request), 422, `/data/attributes/${name}`, code)
  })

  it.each([
    ['a text that is too long', { name: 'x'.repeat(21) }],
    ['a number that is too large', { budget: 2 ** 40 }],
  ])('returns 422 for %s', async (_what, values) => {
    forced = values
    const send = () => post({ name: `Team ${++count}` })
    // SQLite keeps texts of any length, and large numbers in every column of integers.
    if (DATABASE === 'sqlite') await send().expect(201)
    else expect(errorsOf(await api.unchanged(send))).toEqual([expect.stringContaining('422 constraint.range')])
  })
})

describe('a unique constraint of several columns', () => {
  @StoredResource('slots')
  @Unique(['tenant', 'slug', 'language'])
  class Slot {
    @PrimaryGeneratedColumn() id!: number
    @Attribute({ capabilities: [] }) @Column({ type: 'varchar', length: 20, default: 'ours' }) tenant!: string
    @Attribute() @Column({ type: 'varchar', length: 20 }) slug!: string
    @Attribute() @Column({ type: 'varchar', length: 20 }) language!: string
  }

  const slots = setUp(() => startApi([Slot]))
  beforeAll(() => slots.add(Slot, { slug: 'a', language: 'en' }))

  it.each([
    ['slug', { slug: 'b', language: 'en' }, { slug: 'a' }],
    ['language', { slug: 'a', language: 'fr' }, { language: 'en' }],
  ])('points to the sent attribute %s', async (name, stored, attributes) => {
    const id = await slots.add(Slot, stored)
    const response = await slots.unchanged(() => patch(id, attributes, 'slots', slots))
    expectError(response, 409, `/data/attributes/${name}`, 'constraint.unique')
  })

  it('does not name attributes that clients cannot see', async () => {
    const response = await slots.unchanged(() => post({ slug: 'a', language: 'en' }, 'slots', slots))
    expectError(response, 409, '/data/attributes/slug')
    expect(response.body.errors[0].detail).toBe("Another resource already has this value. ('slug', 'language')")
  })

  it('does not name attributes that a rule hides from this client, even if the client sent such a name', async () => {
    const fields = (names: ReadonlySet<string>) => [...names].filter((name) => name !== 'language')
    const beforeWrite = ({ values }: ResourceWrite<Slot>) => (values.slug === 'b' ? {} : { language: 'en' })
    const options = { definitions: [define(Slot, { fields, beforeWrite })], unknownFields: 'ignore' } as const
    await useApi(startApi([Slot], { ...options, onError: () => undefined }), async (hiding) => {
      await hiding.add(Slot, { slug: 'a', language: 'en' })
      const { body } = await hiding.unchanged(() => post({ language: 'fr', slug: 'a' }, 'slots', hiding))
      const source = { pointer: '/data/attributes/slug' }
      expect(body.errors).toMatchObject([{ detail: "Another resource already has this value. ('slug')", source }])
      // The rule provides no value, which is no mistake of the client.
      expect(errorsOf(await hiding.unchanged(() => post({ slug: 'b' }, 'slots', hiding)))).toEqual(['500 server.error'])
    })
  })
})

// Column types of PostgreSQL that only the database validates.
const onPostgres = DATABASE === 'postgres' ? describe : describe.skip
onPostgres('a value that only the database validates', () => {
  const column = (type: string) => ({ type, nullable: true }) as ColumnOptions

  @StoredResource('hosts')
  class Host {
    @PrimaryGeneratedColumn() id!: number
    @Attribute() @Column(column('inet')) address!: string | null
    @Attribute() @Column(column('macaddr')) card!: string | null
    @Attribute() @Index({ unique: true }) @Column(column('text')) key!: string | null
  }

  it.each([
    ['address', 'nowhere', '/data/attributes/address'],
    ['card', 'x', '/data/attributes/card'],
    // Longer than an index entry, even when it is compressed.
    ['key', Array.from({ length: 20_000 }, (_, index) => (index * 7919).toString(36)).join(''), undefined],
  ])('returns 422 for %s', (name, value, pointer) =>
    useApi(startApi([Host]), async (hosts) => {
      const response = await hosts.unchanged(() => post({ [name]: value }, 'hosts', hosts))
      expectError(response, 422, pointer, 'constraint.range')
    }),
  )
})

// MariaDB has no such constraints, and SQLite has them for foreign keys only.
const onDeferring = DATABASE === 'mariadb' ? describe.skip : describe
onDeferring('a constraint that is deferred to the end of the transaction', () => {
  @StoredResource('rooms')
  class Room {
    @PrimaryGeneratedColumn() id: number
  }
  @StoredResource('chairs')
  @Unique('chair_place', ['place'], { deferrable: 'INITIALLY DEFERRED' })
  class Chair {
    @PrimaryGeneratedColumn() id: number
    @Attribute() @Column({ type: 'int' }) place: number
    @ToOne() @ManyToOne('Room', { nullable: false, deferrable: 'INITIALLY DEFERRED' }) room: Room
  }

  const rooms = setUp(() => startApi([Room, Chair]))
  beforeAll(async () => {
    await rooms.add(Room)
    for (const place of [1, 2]) await rooms.add(Chair, { place, room: 1 })
  })

  const move = (id: string, place: number) => ({ op: 'update', ...resource('chairs', id, { place }) })

  it('returns the errors of other constraints', async () => {
    expect(errorsOf(await rooms.unchanged(() => rooms.delete('/rooms/1')))).toEqual(['409 constraint.reference'])
    const moved = await rooms.unchanged(() => patch('1', { place: 2 }, 'chairs', rooms))
    expect(errorsOf(moved)).toEqual(['409 constraint.unique /data/attributes/place'])
    const remove = { op: 'remove', ref: { type: 'rooms', id: '1' } }
    const operated = await rooms.unchanged(() => operate(rooms, move('1', 3), remove))
    expect(errorsOf(operated)).toEqual(['409 constraint.reference'])
  })

  it('names no attribute that a rule hides from this client', async () => {
    const hidden = define(Chair, { fields: () => ['room'], prepareWrite: () => ({ place: 2 }) })
    await useApi(startApiOn(rooms, { resources: [Room, Chair], definitions: [hidden] }), async (hiding) => {
      const sent = newResource('chairs', {}, { room: toOne('rooms', '1') })
      const { body } = await hiding.unchanged(() => hiding.post('/chairs').send(sent))
      expect(body.errors).toMatchObject([{ status: '409', detail: 'Another resource already has this value.' }])
    })
  })

  it('allows atomic operations that violate it in between', async () => {
    const { status } = await operate(rooms, move('1', 2), move('2', 1))
    // SQLite checks unique constraints at once.
    expect(status).toBe(DATABASE === 'postgres' ? 204 : 409)
  })
})
