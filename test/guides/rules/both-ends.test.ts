import {
  Attribute,
  equals,
  JsonApiError,
  not,
  Resource,
  type ResourceClass,
  type StoredRecord,
  ToMany,
  ToOne,
} from 'stemma'
import {
  ChildEntity,
  Column,
  Entity,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryGeneratedColumn,
  TableInheritance,
} from 'typeorm'
import { define, ref, refs, setUp, startApi, useApi } from '../../support/api'
import { newResource, resource, toMany, toOne, updateResource } from '../../support/documents'
import { operate } from '../../support/operate'
import { byLayout } from '../../support/table-layout'
import { type Call, recorder } from './support/recorder'

// A relationship hook is asked for every link that changes, whichever end of it the client has written.
// ids/composite-ids-in-relationships.test.ts compares the calls with the links before and after, for all kinds of relationships.

@Resource('vehicles')
@Entity('vehicles')
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
class Vehicle {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'int', default: 4 }) seats!: number
  @ToOne() @ManyToOne('Person', 'drives', { nullable: true }) driver!: Person | null
  @ToOne() @OneToOne('Vehicle', 'towedBy', { nullable: true }) @JoinColumn() tows!: Vehicle | null
  @ToOne() @OneToOne('Vehicle', 'tows') towedBy!: Vehicle | null
  @ToMany()
  @ManyToMany('Vehicle', 'pairedWith')
  @JoinTable({ name: 'vehicle_pairs', joinColumn: { name: 'oneId' }, inverseJoinColumn: { name: 'otherId' } })
  pairs!: Vehicle[]
  @ToMany() @ManyToMany('Vehicle', 'pairs') pairedWith!: Vehicle[]
}

@Resource('taxis')
@ChildEntity()
class Taxi extends Vehicle {}

@Resource('people')
@Entity('people')
class Person {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'varchar', length: 20, default: 'Eve' }) name!: string
  @ToMany() @OneToMany('Vehicle', 'driver') drives!: Vehicle[]
  /** Vehicles know nothing of it. */
  @ToOne() @ManyToOne('Vehicle', { nullable: true }) favourite!: Vehicle | null
}

@Resource('trips')
@Entity('trips')
class Trip {
  @PrimaryGeneratedColumn() id!: number
  @ToOne() @ManyToOne('Vehicle', { nullable: false, onDelete: 'CASCADE' }) vehicle!: Vehicle
}

const RESOURCES = [Vehicle, Taxi, Person, Trip]

const calls: Call[] = []
let answer: (call: Call) => unknown

/** `people 2 removeFromMany drives: taxis 1`, in no order. */
const expectAsked = (...expected: readonly string[]) => {
  const asked = calls.filter(({ relationship }) => relationship !== undefined)
  expect(asked.map(describeCall).sort()).toEqual(expected.toSorted())
}

function describeCall({ hook, write, relationship, rights }: Call): string {
  const named = ([rights ?? []].flat() as StoredRecord[]).map(({ type, id }) => `${type.name} ${id}`)
  return `${write.type.name} ${write.id} ${hook} ${relationship}: ${named.join(', ') || 'nothing'}`
}

const answerOnLinks = (call: Call) => (call.relationship === undefined ? undefined : answer(call))
const api = setUp(() =>
  startApi(RESOURCES, { definitions: RESOURCES.map((each) => recorder(each, calls, answerOnLinks)) }),
)
beforeEach(() => {
  calls.length = 0
  answer = () => undefined
})

const add = (entity: ResourceClass, values: object = {}) => api.add(entity, values)

async function isLinked(path: string, id: string | null): Promise<void> {
  const { body } = await api.get(path).expect(200)
  expect([body.data].flat().map((each) => each?.id ?? null)).toEqual([id])
}

describe('one-to-many', () => {
  it('asks the member and the owner, whichever of them is written', async () => {
    const [one, other] = [await add(Person), await add(Person)]
    const taxi = await add(Taxi, { driver: ref(one) })
    const expected = [
      `people ${one} removeFromMany drives: taxis ${taxi}`,
      `people ${other} addToMany drives: taxis ${taxi}`,
      `taxis ${taxi} setToOne driver: people ${other}`,
    ]
    await api.patch(`/vehicles/${taxi}/relationships/driver`).send(toOne('people', other)).expect(204)
    expectAsked(...expected)
    await api.patch(`/taxis/${taxi}/relationships/driver`).send(toOne('people', one)).expect(204)
    calls.length = 0
    await api.post(`/people/${other}/relationships/drives`).send(toMany('vehicles', taxi)).expect(204)
    expectAsked(...expected)
    await isLinked(`/taxis/${taxi}/relationships/driver`, other)
  })

  it('asks about what is created, with its final values and without an id', async () => {
    const person = await add(Person)
    const sent = newResource('taxis', { seats: 9 }, { driver: toOne('people', person) })
    await api.post('/vehicles').send(sent).expect(201)
    const { write, rights } = calls.find(({ hook }) => hook === 'addToMany') as Call
    expect(write).toMatchObject({
      kind: 'addToRelationship',
      id: person,
      sentFields: new Set(),
      previous: { id: person },
    })
    expect(write.origin).toMatchObject({ kind: 'create', type: { name: 'taxis' }, id: '' })
    expect(rights).toMatchObject([{ type: { name: 'taxis' }, id: '', instance: { seats: 9 } }])
  })
})

it('asks each of many members for a removal, under its own stored type', async () => {
  const vehicle = await add(Vehicle)
  const [taxi, car] = [await add(Taxi, { pairs: refs(vehicle) }), await add(Vehicle, { pairs: refs(vehicle) })]
  const pairs = toMany('vehicles', taxi, car)
  await api.delete(`/vehicles/${vehicle}/relationships/pairedWith`).send(pairs).expect(204)
  expectAsked(
    `taxis ${taxi} removeFromMany pairs: vehicles ${vehicle}`,
    `vehicles ${car} removeFromMany pairs: vehicles ${vehicle}`,
    `vehicles ${vehicle} removeFromMany pairedWith: taxis ${taxi}, vehicles ${car}`,
  )
  const definitions = calls.filter(({ hook }) => hook === 'removeFromMany').map(({ definition }) => definition)
  expect(definitions.sort()).toEqual(['Taxi', 'Vehicle', 'Vehicle'])
})

it.each(['tows', 'towedBy'] as const)(
  'asks all four ends of one-to-one relationships of a type with itself when %s is written',
  async (name) => {
    const [first, second] = [await add(Taxi), await add(Vehicle)]
    const [third, fourth] = [await add(Taxi, { tows: ref(first) }), await add(Vehicle, { tows: ref(second) })]
    // Third towed first, fourth second: now third tows second.
    const [left, right] = name === 'tows' ? [third, second] : [second, third]
    await api.patch(`/vehicles/${left}/relationships/${name}`).send(toOne('vehicles', right)).expect(204)
    expectAsked(
      `taxis ${first} setToOne towedBy: nothing`,
      `taxis ${third} setToOne tows: vehicles ${second}`,
      `vehicles ${fourth} setToOne tows: nothing`,
      `vehicles ${second} setToOne towedBy: taxis ${third}`,
    )
  },
)

it('asks once about each end of a link of a resource with itself', async () => {
  const taxi = await add(Taxi)
  const itself = toMany('taxis', taxi)
  await updateResource(
    api,
    'taxis',
    taxi,
    {},
    { pairs: itself, pairedWith: itself, tows: toOne('taxis', taxi) },
  ).expect(204)
  expectAsked(
    `taxis ${taxi} setToMany pairedWith: taxis ${taxi}`,
    `taxis ${taxi} setToMany pairs: taxis ${taxi}`,
    `taxis ${taxi} setToOne towedBy: taxis ${taxi}`,
    `taxis ${taxi} setToOne tows: taxis ${taxi}`,
  )
})

describe('a deletion', () => {
  it('asks everything that refers to the resource, also what is deleted along', async () => {
    const person = await add(Person)
    const [towed, pair] = [await add(Taxi), await add(Taxi)]
    const taxi = await add(Taxi, { driver: ref(person), tows: ref(towed), pairs: refs(pair) })
    const fan = await add(Person, { favourite: ref(taxi) })
    const trip = await add(Trip, { vehicle: ref(taxi) })
    await api.delete(`/vehicles/${taxi}`).expect(204)
    for (const { write } of calls.filter(({ relationship }) => relationship))
      expect(write.origin).toMatchObject({ kind: 'delete', id: taxi })
    expectAsked(
      `people ${person} removeFromMany drives: taxis ${taxi}`,
      `people ${fan} setToOne favourite: nothing`,
      `taxis ${pair} removeFromMany pairedWith: taxis ${taxi}`,
      `taxis ${towed} setToOne towedBy: nothing`,
      `trips ${trip} setToOne vehicle: nothing`,
    )
  })

  it('is refused by a rule of what refers to the resource, without a pointer', async () => {
    const person = await add(Person)
    await add(Taxi, { driver: ref(person) })
    answer = () => {
      throw new JsonApiError({ title: 'A taxi has a driver.', field: 'driver' })
    }
    const { body } = await api.unchanged(() => api.delete(`/people/${person}`).expect(422).start())
    expect(body.errors).toEqual([{ status: '422', code: 'rule.rejected', title: 'A taxi has a driver.' }])
  })
})

describe('a rule of the other end', () => {
  const refuseAt = (type: string, title = 'No.') => {
    answer = ({ write }) => {
      if (write.type.name === type) throw new JsonApiError({ title, field: 'driver', source: { pointer: '/data/x' } })
    }
  }

  it.each([
    ['a relationship endpoint', '/data'],
    ['an update', '/data/relationships/drives'],
    ['an operation', '/atomic:operations/0/data/relationships/drives'],
  ] as const)('refuses %s with a pointer to what was sent', async (kind, pointer) => {
    const person = await add(Person)
    await add(Taxi, { driver: ref(person) })
    refuseAt('taxis')
    const change = resource('people', person, {}, { drives: { data: [] } })
    const send = () => {
      if (kind === 'an update') return api.patch(`/people/${person}`).send(change)
      if (kind === 'an operation') return operate(api, { op: 'update', ...change })
      return api.patch(`/people/${person}/relationships/drives`).send({ data: [] })
    }
    const { body, status } = await api.unchanged(() => send().start())
    expect([status, body.errors]).toMatchObject([422, [{ title: 'No.', source: { pointer } }]])
  })

  it('refuses a create, of which nothing is kept', async () => {
    const taxi = await add(Taxi)
    refuseAt('taxis')
    const sent = newResource('people', {}, { drives: toMany('taxis', taxi) })
    const { body } = await api.unchanged(() => api.post('/people').send(sent).expect(422).start())
    expect(body.errors[0].source).toEqual({ pointer: '/data/relationships/drives' })
  })

  it('is asked of resources that the client does not see', async () => {
    const definition = define(Person, {
      filter: () => not(equals('name', 'Hidden')),
      removeFromMany: () => {
        throw new JsonApiError({ title: 'No.' })
      },
    })
    await useApi(startApi(RESOURCES, { definitions: [definition] }), async (hiding) => {
      const person = await hiding.add(Person, { name: 'Hidden' })
      const taxi = await hiding.add(Taxi, { driver: ref(person) })
      await hiding.unchanged(() => hiding.delete(`/taxis/${taxi}`).expect(422).start())
      await hiding.unchanged(() => {
        return hiding.patch(`/taxis/${taxi}/relationships/driver`).send(toOne('people', null)).expect(422).start()
      })
    })
  })

  it.each([
    ['the same', 204],
    ['something else', 422],
  ] as const)('that returns %s leads to %i', async (choice, status) => {
    const [person, other] = [await add(Person), await add(Person)]
    const taxi = await add(Taxi)
    answer = ({ write, rights }) => {
      if (write.type.name !== 'taxis') return undefined
      return choice === 'the same' ? rights : { type: 'people', id: other }
    }
    const path = `/people/${person}/relationships/drives`
    const { body } = await api.post(path).send(toMany('taxis', taxi)).expect(status)
    if (status === 422) expect(body.errors[0]).toMatchObject({ code: 'rule.rejected', source: { pointer: '/data' } })
    await isLinked(`/taxis/${taxi}/relationships/driver`, status === 204 ? person : null)
  })
})

it('needs a constant number of statements more where there are such hooks, and none elsewhere', async () => {
  const statementsWith = async (...definitions: readonly ReturnType<typeof define>[]) => {
    const counts: number[] = []
    await useApi(startApi(RESOURCES, { definitions }), async (server) => {
      for (const size of [2, 20]) {
        const [person, owner] = [await server.add(Person), await server.add(Person)]
        const added: string[] = []
        for (let count = 0; count < size; count++) {
          await server.add(Taxi, { driver: ref(person) })
          added.push(await server.add(count % 2 === 0 ? Taxi : Vehicle, { driver: ref(owner) }))
        }
        const sent = toMany('vehicles', ...added)
        const replacing = () => server.patch(`/people/${person}/relationships/drives`).send(sent).expect(204)
        counts.push((await server.statementsOf(replacing)).length)
      }
    })
    expect(counts[1]).toBe(counts[0])
    return counts[0] ?? 0
  }
  const none = await statementsWith()
  const hooks = { setToOne: () => undefined }
  const unconcerned = await statementsWith(define(Person, hooks), define(Trip, hooks))
  const atMembers = await statementsWith(define(Vehicle, hooks))
  const atOwners = await statementsWith(define(Person, { removeFromMany: () => undefined }))
  const added = [unconcerned - none, atMembers - none, atOwners - none]
  // Rows of each table are locked by a statement of their own.
  expect(added).toEqual(byLayout({ single: [0, 1, 4], joined: [0, 1, 4], tablePerConcreteClass: [0, 2, 7] }))
})
