import { Attribute, entityManagerOf, Resource, ResourceDefinition, type ResourceWrite, ToOne } from 'stemma'
import { Column, type ColumnOptions, Entity, Index, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm'
import { startApi, type TestApi } from '../../support/api'
import { DATABASE } from '../../support/database'
import { newResource, resource, toOne } from '../../support/documents'
import { errorsOf } from '../../support/expectations'
import { operate } from '../../support/operate'
import { Badge, Member, Task, TEAMS, Team } from '../../support/writing-models'

// What the database refuses is a mistake of the client, at a place in the body; never a 500.

let api: TestApi

/** Gives values that only the database can refuse: what clients send is looked at before. */
let forced: object | undefined
class Careless extends ResourceDefinition<Team> {
  override readonly resource = Team
  override beforeWrite() {
    return forced
  }
}

beforeAll(async () => {
  api = await startApi(TEAMS, { definitions: [new Careless()] })
  // TypeORM makes no checks here.
  if (DATABASE === 'mariadb')
    await api.dataSource.query('alter table teams add constraint team_budget check (budget >= 0)')
  await api.add(Team, { name: 'Taken' })
  await api.add(Member, { name: 'Ann', nickname: 'ann' })
})
afterAll(() => api.close())
beforeEach(() => {
  forced = undefined
})

let count = 0
const addTeam = () => api.add(Team, { name: `Team ${++count}` })

describe('a value that has to be the only one', () => {
  it.each([
    ['teams', { name: 'Taken' }, '/data/attributes/name'],
    ['members', { name: 'Bob', nickname: 'ann' }, '/data/attributes/nickname'],
  ])('of %s is 409 when it is taken, on create and on update', async (type, attributes, pointer) => {
    const id = type === 'teams' ? await addTeam() : await api.add(Member, { name: 'Bob' })
    for (const sending of [
      () => api.post(`/${type}`).send(newResource(type, attributes)),
      () => api.patch(`/${type}/${id}`).send(resource(type, id, attributes)),
    ]) {
      const { status, body } = await api.unchanged(sending)
      expect([status, body.errors]).toMatchObject([409, [{ code: 'constraint.unique', source: { pointer } }]])
    }
  })

  it('may be its own again, and null any number of times', async () => {
    const id = await addTeam()
    const own = resource('teams', id, { name: `Team ${count}` })
    await api.patch(`/teams/${id}`).send(own).expect(204)
    for (const _ of [1, 2]) {
      const body = newResource('members', { name: 'Bob', nickname: null })
      await api.post('/members').send(body).expect(201)
    }
  })

  it('that a rule has given points to what is in the body', async () => {
    forced = { name: 'Taken' }
    const { status, body } = await api.unchanged(() => api.post('/teams').send(newResource('teams', { name: 'Free' })))
    expect([status, body.errors]).toMatchObject([409, [{ source: { pointer: '/data/attributes/name' } }]])
    const id = await addTeam()
    const other = await api.unchanged(() => api.patch(`/teams/${id}/relationships/tags`).send({ data: [] }))
    expect([other.status, other.body.errors]).toMatchObject([409, [{ source: { pointer: '/data' } }]])
  })
})

describe('a value that is not allowed', () => {
  it.each([
    ['a check', { budget: -1 }, 'constraint.check'],
    ['null', { name: null }, 'constraint.not-null'],
  ])('by the database is 422: %s', async (_what, values, code) => {
    forced = values
    const attributes = { name: 'New', budget: 1 }
    const [name] = Object.keys(values)
    const id = await addTeam()
    for (const sending of [
      () => api.post('/teams').send(newResource('teams', attributes)),
      () => api.patch(`/teams/${id}`).send(resource('teams', id, attributes)),
    ]) {
      const { status, body } = await api.unchanged(sending)
      expect([status, body.errors]).toMatchObject([422, [{ code, source: { pointer: `/data/attributes/${name}` } }]])
    }
  })

  it('by a check is 422 also when the client has sent it', async () => {
    const body = newResource('teams', { name: 'New', budget: -1 })
    const { status, body: document } = await api.unchanged(() => api.post('/teams').send(body))
    expect([status, document.errors]).toMatchObject([422, [{ source: { pointer: '/data/attributes/budget' } }]])
  })

  it.each([
    ['a text that is too long', { name: 'x'.repeat(21) }],
    ['a number that is too large', { budget: 2 ** 40 }],
  ])('because it does not fit is 422: %s', async (_what, values) => {
    forced = values
    const body = newResource('teams', { name: `Team ${++count}` })
    // SQLite keeps texts of any length, and large numbers in every column of integers.
    if (DATABASE === 'sqlite') return expect((await api.post('/teams').send(body)).status).toBe(201)
    const { status, body: document } = await api.unchanged(() => api.post('/teams').send(body))
    expect([status, document.errors]).toMatchObject([422, [{ code: 'constraint.range' }]])
  })
})

describe('a number that a client sends', () => {
  const post = (budget: string) => {
    const rawBody = `{"data":{"type":"teams","attributes":{"name":"Number ${++count}","budget":${budget}}}}`
    return api.post('/teams').send(rawBody)
  }

  it.each(['0', '2147483647', '-0', '1e3', '10.0'])('can be %s', async (budget) => {
    const { status, body } = await post(budget)
    expect([status, body.data.attributes.budget]).toEqual([201, Number(budget) || 0])
  })

  // Integers of SQLite have 64 bits, of which JSON numbers can hold 53 exactly.
  const tooLarge = DATABASE === 'sqlite' ? ['9007199254740992'] : ['2147483648', '-2147483649']
  it.each([...tooLarge, '1e30', '1e400', '-1e400', '0.5', '1e-7', '"5"', 'true', '[]', '{}', '""'])(
    'can not be %s',
    async (budget) => {
      const { status, body } = await api.unchanged(() => post(budget))
      const source = { pointer: '/data/attributes/budget' }
      expect([status, body.errors]).toMatchObject([422, [{ code: 'attribute.value', source }]])
    },
  )
})

describe('a row that others refer to', () => {
  it('is not deleted where they need it: 409, without a pointer', async () => {
    const id = await addTeam()
    await api.add(Task, { title: 'Dig', team: { id } })
    const { status, body } = await api.unchanged(() => api.delete(`/teams/${id}`))
    expect([status, body.errors.length, body.errors[0].source]).toEqual([409, 1, undefined])
    expect(body.errors[0].code).toBe('constraint.reference')
  })

  it('is deleted where they can be without it, and they are emptied', async () => {
    const id = await addTeam()
    const ann = await api.add(Member, { name: 'Ann', team: { id } })
    const part = await api.add(Team, { name: `Part ${++count}`, whole: { id } })
    await api.delete(`/teams/${id}`).expect(204)
    expect((await api.get(`/members/${ann}/relationships/team`)).body.data).toBeNull()
    expect((await api.get(`/teams/${part}/relationships/whole`)).body.data).toBeNull()
  })

  it('is kept with all that could have been emptied when one needs it', async () => {
    const id = await addTeam()
    await api.add(Member, { name: 'Ann', team: { id } })
    await api.add(Task, { title: 'Dig', team: { id } })
    expect((await api.unchanged(() => api.delete(`/teams/${id}`))).status).toBe(409)
  })
})

describe('a row that a rule takes away under the request', () => {
  class Thief extends ResourceDefinition<Badge> {
    override readonly resource = Badge
    override async beforeWrite(write: ResourceWrite<Badge>) {
      await entityManagerOf(write).delete(Member, { name: 'Gone' })
    }
  }

  it('is missing where it was to be linked, and all is undone', async () => {
    const thieves = await startApi(TEAMS, { definitions: [new Thief()] })
    const id = await thieves.add(Member, { name: 'Gone' })
    const holder = toOne('members', id)
    const body = newResource('badges', undefined, { holder })
    const { status, body: document } = await thieves.unchanged(() => thieves.post('/badges').send(body))
    // SQLite does not say which foreign key was broken, nor on which side.
    expect(status).toBe(DATABASE === 'sqlite' ? 409 : 404)
    expect(document.errors[0].code).toBe(DATABASE === 'sqlite' ? 'constraint.reference' : 'related.not-found')
    await thieves.close()
  })
})

describe('several columns that have to be unique together', () => {
  @Resource('slots')
  @Entity('slots')
  @Unique(['tenant', 'slug', 'language'])
  class Slot {
    @PrimaryGeneratedColumn() id!: number
    @Attribute({ capabilities: [] }) @Column({ type: 'varchar', length: 20, default: 'ours' }) tenant!: string
    @Attribute() @Column({ type: 'varchar', length: 20 }) slug!: string
    @Attribute() @Column({ type: 'varchar', length: 20 }) language!: string
  }

  let slots: TestApi
  beforeAll(async () => {
    slots = await startApi([Slot])
    await slots.add(Slot, { slug: 'a', language: 'en' })
  })
  afterAll(() => slots.close())

  it.each([
    ['slug', { slug: 'b', language: 'en' }, { slug: 'a' }],
    ['language', { slug: 'a', language: 'fr' }, { language: 'en' }],
  ])('point to what was sent of them: %s', async (name, stored, attributes) => {
    const id = await slots.add(Slot, stored)
    const { status, body } = await slots.unchanged(() =>
      slots.patch(`/slots/${id}`).send(resource('slots', id, attributes)),
    )
    expect([status, body.errors]).toMatchObject([
      409,
      [{ code: 'constraint.unique', source: { pointer: `/data/attributes/${name}` } }],
    ])
  })

  it('tell nothing of those that clients do not know', async () => {
    const attributes = { slug: 'a', language: 'en' }
    const { body } = await slots.unchanged(() => slots.post('/slots').send(newResource('slots', attributes)))
    expect(body.errors[0]).toMatchObject({
      detail: "Another resource has this value already. ('slug', 'language')",
      source: { pointer: '/data/attributes/slug' },
    })
  })
})

// Types that only PostgreSQL has: it knows best what they take.
const onPostgres = DATABASE === 'postgres' ? describe : describe.skip
onPostgres('a value that only the database can look at', () => {
  const column = (type: string) => ({ type, nullable: true }) as ColumnOptions

  @Resource('hosts')
  @Entity('hosts')
  class Host {
    @PrimaryGeneratedColumn() id!: number
    @Attribute() @Column(column('inet')) address!: string | null
    @Attribute() @Column(column('macaddr')) card!: string | null
    @Attribute() @Index({ unique: true }) @Column(column('text')) key!: string | null
  }

  it.each([
    ['address', 'nowhere', '/data/attributes/address'],
    ['card', 'x', '/data/attributes/card'],
    // Longer than an index can take, also when it is compressed.
    ['key', Array.from({ length: 20_000 }, (_, index) => (index * 7919).toString(36)).join(''), undefined],
  ])('is 422: %s', async (name, value, pointer) => {
    const hosts = await startApi([Host])
    const { status, body } = await hosts.unchanged(() =>
      hosts.post('/hosts').send(newResource('hosts', { [name]: value })),
    )
    expect([status, body.errors[0].code, body.errors[0].source?.pointer]).toEqual([422, 'constraint.range', pointer])
    await hosts.close()
  })
})

// MariaDB has no such constraints, and SQLite has them of foreign keys only.
const onDeferring = DATABASE === 'mariadb' ? describe.skip : describe
onDeferring('a constraint that is deferred to the end of the transaction', () => {
  @Resource('rooms')
  @Entity('rooms')
  class Room {
    @PrimaryGeneratedColumn() id: number
  }
  @Resource('chairs')
  @Entity('chairs')
  @Unique('chair_place', ['place'], { deferrable: 'INITIALLY DEFERRED' })
  class Chair {
    @PrimaryGeneratedColumn() id: number
    @Attribute() @Column({ type: 'int' }) place: number
    @ToOne() @ManyToOne('Room', { nullable: false, deferrable: 'INITIALLY DEFERRED' }) room: Room
  }

  let rooms: TestApi
  beforeAll(async () => {
    rooms = await startApi([Room, Chair])
    await rooms.add(Room)
    for (const place of [1, 2]) await rooms.add(Chair, { place, room: 1 })
  })
  afterAll(() => rooms?.close())

  const move = (id: string, place: number) => resource('chairs', id, { place })

  it('refuses as any other', async () => {
    const deleted = await rooms.unchanged(() => rooms.delete('/rooms/1'))
    expect(errorsOf(deleted)).toEqual(['409 constraint.reference'])
    const moved = await rooms.unchanged(() => rooms.patch('/chairs/1').send(move('1', 2)))
    expect(errorsOf(moved)).toEqual(['409 constraint.unique /data/attributes/place'])
    const operation = { op: 'remove', ref: { type: 'rooms', id: '1' } }
    const operated = await rooms.unchanged(() => operate(rooms, { op: 'update', ...move('1', 3) }, operation))
    expect(errorsOf(operated)).toEqual(['409 constraint.reference'])
  })

  it('lets several operations do what none may do alone', async () => {
    const moves = [move('1', 2), move('2', 1)].map((each) => ({ op: 'update', ...each }))
    const { status } = await operate(rooms, ...moves)
    // SQLite looks at what is unique at once.
    expect(status).toBe(DATABASE === 'postgres' ? 204 : 409)
  })
})
