import { Attribute, equals, not, type ResourceClass, ToMany, ToOne } from 'stemma'
import { Column, ManyToMany, ManyToOne, OneToMany, OneToOne, PrimaryGeneratedColumn } from 'typeorm'
import { define, ref, refs, setUp, startApi, useApi } from '../../support/api'
import { newResource, toMany, toOne, updateResource } from '../../support/documents'
import {
  DerivedResource,
  HierarchyRoot,
  OwnerManyToMany,
  OwnerOneToOne,
  StoredResource,
} from '../../support/resource-decorators'
import { byLayout } from '../../support/table-layout'
import { type Call, describeLinkCall, recorder, refuse } from './support/recorder'

// A relationship hook is asked for every link that changes, whichever end of it the client has written.
// ids/composite-ids-in-relationships.test.ts compares the calls with the links before and after, for all kinds of relationships.

@HierarchyRoot('vehicles')
class Vehicle {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'int', default: 4 }) seats!: number
  @ToOne() @ManyToOne('Person', 'drives', { nullable: true }) driver!: Person | null
  @ToOne() @OwnerOneToOne('Vehicle', 'towedBy', { nullable: true }) tows!: Vehicle | null
  @ToOne() @OneToOne('Vehicle', 'tows') towedBy!: Vehicle | null
  @ToMany() @OwnerManyToMany('Vehicle', 'pairedWith', 'vehicle_pairs') pairs!: Vehicle[]
  @ToMany() @ManyToMany('Vehicle', 'pairs') pairedWith!: Vehicle[]
}

@DerivedResource('taxis')
class Taxi extends Vehicle {}

@StoredResource('people')
class Person {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'varchar', length: 20, default: 'Eve' }) name!: string
  @ToMany() @OneToMany('Vehicle', 'driver') drives!: Vehicle[]
  /** Vehicles know nothing of it. */
  @ToOne() @ManyToOne('Vehicle', { nullable: true }) favourite!: Vehicle | null
}

@StoredResource('trips')
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
  expect(asked.map(describeLinkCall).sort()).toEqual(expected.toSorted())
}

const reported: unknown[] = []
const expectReported = (...hooks: readonly string[]) =>
  expect(reported.map(String)).toEqual(hooks.map((hook) => expect.stringMatching(`${hook} .* class Definition`)))

const answerOnLinks = (call: Call) => (call.relationship === undefined ? undefined : answer(call))
const api = setUp(() =>
  startApi(RESOURCES, {
    definitions: RESOURCES.map((each) => recorder(each, calls, answerOnLinks)),
    onError: (error) => reported.push(error),
  }),
)
beforeEach(() => {
  for (const list of [calls, reported]) list.length = 0
  answer = () => undefined
})

const add = (entity: ResourceClass, values: object = {}) => api.add(entity, values)

async function isLinked(path: string, id: string | null): Promise<void> {
  const { body } = await api.get(path).expect(200)
  expect([body.data].flat().map((each) => each?.id ?? null)).toEqual([id])
}

it('asks about what is created, with its final values and without an id', async () => {
  const person = await add(Person)
  const sent = newResource('taxis', { seats: 9 }, { driver: toOne('people', person) })
  await api.post('/vehicles').send(sent).expect(201)
  const { write, related } = calls.find(({ hook }) => hook === 'addToMany') as Call
  expect(write).toMatchObject({ kind: 'addToRelationship', id: person, previous: { id: person } })
  expect(write.sentFields).toEqual(new Set())
  expect(write.origin).toMatchObject({ kind: 'create', type: { name: 'taxis' }, id: '' })
  expect(related).toMatchObject([{ type: { name: 'taxis' }, id: '', instance: { seats: 9 } }])
})

it('asks about a link of a resource with itself with its final values', async () => {
  const taxi = await add(Taxi)
  const { data } = newResource('taxis', { seats: 9 }, { tows: { data: { type: 'taxis', lid: 'me' } } })
  await api
    .post('/vehicles')
    .send({ data: { ...data, lid: 'me' } })
    .expect(201)
  await updateResource(api, 'taxis', taxi, { seats: 9 }, { tows: toOne('taxis', taxi) }).expect(204)
  const [created, updated] = calls.filter(({ relationship }) => relationship === 'towedBy')
  expect(created).toMatchObject({
    write: { id: '', values: { seats: 9 } },
    related: { id: '', instance: { seats: 9 } },
  })
  expect(created?.write.previous).toBeUndefined()
  expect(updated).toMatchObject({ write: { values: { seats: 9 } }, related: { id: taxi, instance: { seats: 9 } } })
  expect(updated?.write.previous).toMatchObject({ id: taxi, instance: { seats: 4 } })
  for (const hook of ['beforeWrite', 'afterWrite'] as const) {
    const writes = calls.filter((call) => call.hook === hook).map(({ write }) => write)
    const towed = writes.map(({ id, values }) => ({ tows: { id, instance: values } }))
    expect(writes.map(({ relationships }) => relationships)).toMatchObject(towed)
    expect(writes).toMatchObject([{ values: { seats: 9 } }, { values: { seats: 9 } }])
  }
})

it.each(['tows', 'towedBy'] as const)(
  'asks all four ends of one-to-one relationships of a type with itself when %s is written',
  async (name) => {
    const [first, second] = [await add(Taxi), await add(Vehicle)]
    const [third, fourth] = [await add(Taxi, { tows: ref(first) }), await add(Vehicle, { tows: ref(second) })]
    // Third towed first, fourth second: now third tows second.
    const [left, related] = name === 'tows' ? [third, second] : [second, third]
    await api.patch(`/vehicles/${left}/relationships/${name}`).send(toOne('vehicles', related)).expect(204)
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
  const links = { pairs: itself, pairedWith: itself, tows: toOne('taxis', taxi) }
  await updateResource(api, 'taxis', taxi, {}, links).expect(204)
  expectAsked(
    `taxis ${taxi} setToMany pairedWith: taxis ${taxi}`,
    `taxis ${taxi} setToMany pairs: taxis ${taxi}`,
    `taxis ${taxi} setToOne towedBy: taxis ${taxi}`,
    `taxis ${taxi} setToOne tows: taxis ${taxi}`,
  )
})

it('asks of a deletion everything that refers to the resource, also what is deleted along', async () => {
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

describe('a rule of the other end', () => {
  it('the hook of the other end also runs for resources that the client does not see', async () => {
    const definition = define(Person, { filter: () => not(equals('name', 'Hidden')), removeFromMany: () => refuse() })
    await useApi(startApi(RESOURCES, { definitions: [definition] }), async (hiding) => {
      const person = await hiding.add(Person, { name: 'Hidden' })
      const taxi = await hiding.add(Taxi, { driver: ref(person) })
      await hiding.unchanged(() => hiding.delete(`/taxis/${taxi}`).expect(422).start())
      const unlink = () => hiding.patch(`/taxis/${taxi}/relationships/driver`).send({ data: null }).expect(422)
      await hiding.unchanged(() => unlink().start())
    })
  })

  it.each([
    ['the same record', 204, (related: unknown) => related],
    ['its identifier', 204, (_rights: unknown, id: string) => ({ type: 'people', id })],
    ['another id', 422, (_rights: unknown, _id: string, id: string) => ({ type: 'people', id })],
    ['another type', 422, (_rights: unknown, id: string) => ({ type: 'vehicles', id })],
    ['text', 500, () => 'x'],
  ] as const)('that returns %s leads to %i', async (_choice, status, choose) => {
    const [person, other] = [await add(Person), await add(Person)]
    const taxi = await add(Taxi)
    answer = ({ write, related }) => (write.type.name === 'taxis' ? choose(related, person, other) : undefined)
    const path = `/people/${person}/relationships/drives`
    const { body } = await api.post(path).send(toMany('taxis', taxi)).expect(status)
    if (status === 422) expect(body.errors[0]).toMatchObject({ code: 'rule.rejected', source: { pointer: '/data' } })
    expectReported(...(status === 500 ? ['setToOne hook of taxis'] : []))
    await isLinked(`/taxis/${taxi}/relationships/driver`, status === 204 ? person : null)
  })

  it.each([true, ['1']])('is a server error when addToMany returns %j', async (choice) => {
    const [person, taxi] = [await add(Person), await add(Taxi)]
    answer = ({ write }) => (write.type.name === 'people' ? choice : undefined)
    const send = () => api.patch(`/taxis/${taxi}/relationships/driver`).send(toOne('people', person)).expect(500)
    await api.unchanged(() => send().start())
    expectReported('addToMany hook of people')
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
