import {
  Attribute,
  equals,
  JsonApiError,
  not,
  Resource,
  type ResourceClass,
  type ResourceWrite,
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
import { ref, refs, startApi, using } from '../../support/api'
import { define } from '../../support/define'
import { newResource, resource, toMany, toOne } from '../../support/documents'
import { byTables } from '../../support/lay-tables'
import { operate } from '../../support/operate'
import { setUp } from '../../support/set-up'

// A relationship hook is asked for every link that changes, whichever end of it the client has written.

@Resource('vehicles')
@Entity('vehicles')
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
class Vehicle {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'int', default: 4 }) seats!: number
  @ToOne() @ManyToOne('Person', 'drives', { nullable: true }) driver!: Person | null
  @ToOne() @OneToOne('Engine', 'vehicle', { nullable: true }) @JoinColumn() engine!: Engine | null
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
  @ToMany() @ManyToMany('Club', 'members') @JoinTable({ name: 'club_members' }) clubs!: Club[]
  /** Vehicles know nothing of it. */
  @ToOne() @ManyToOne('Vehicle', { nullable: true }) favourite!: Vehicle | null
}

@Resource('engines')
@Entity('engines')
class Engine {
  @PrimaryGeneratedColumn() id!: number
  @ToOne() @OneToOne('Vehicle', 'engine') vehicle!: Vehicle | null
}

@Resource('clubs')
@Entity('clubs')
class Club {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'varchar', length: 20, default: 'Club' }) name!: string
  @ToMany() @ManyToMany('Person', 'clubs') members!: Person[]
}

@Resource('trips')
@Entity('trips')
class Trip {
  @PrimaryGeneratedColumn() id!: number
  @ToOne() @ManyToOne('Vehicle', { nullable: false, onDelete: 'CASCADE' }) vehicle!: Vehicle
}

const RESOURCES = [Vehicle, Taxi, Person, Engine, Club, Trip]

const HOOKS = ['setToOne', 'setToMany', 'addToMany', 'removeFromMany'] as const
type Hook = (typeof HOOKS)[number]
type Rights = StoredRecord | null | readonly StoredRecord[]

interface Call {
  readonly definition: string
  readonly hook: Hook
  readonly write: ResourceWrite
  readonly name: string
  readonly rights: Rights
}

const calls: Call[] = []
let answer: (call: Call) => unknown

/** `people 2 removeFromMany drives: taxis 1`, in no order. */
const asked = (): readonly string[] => calls.map(describeCall).sort()

function describeCall({ hook, write, name, rights }: Call): string {
  const named = [rights ?? []].flat().map(({ type, id }) => `${type.name} ${id}`)
  return `${write.type.name} ${write.id} ${hook} ${name}: ${named.join(', ') || 'nothing'}`
}

function recorder(resource: ResourceClass) {
  const hooks = HOOKS.map((hook) => [
    hook,
    (write: ResourceWrite, name: string, rights: Rights) => {
      const call = { definition: resource.name, hook, write, name, rights }
      calls.push(call)
      return answer(call)
    },
  ])
  return define<object>(resource, Object.fromEntries(hooks))
}

const api = setUp(() => startApi(RESOURCES, { definitions: [Vehicle, Taxi, Person, Engine, Club, Trip].map(recorder) }))
beforeEach(() => {
  calls.length = 0
  answer = () => undefined
})

async function add(entity: ResourceClass, values: object = {}): Promise<string> {
  return api.add(entity, values)
}

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
    ].sort()
    await api.patch(`/vehicles/${taxi}/relationships/driver`).send(toOne('people', other)).expect(204)
    expect(asked()).toEqual(expected)
    await api.patch(`/taxis/${taxi}/relationships/driver`).send(toOne('people', one)).expect(204)
    calls.length = 0
    await api.post(`/people/${other}/relationships/drives`).send(toMany('vehicles', taxi)).expect(204)
    expect(asked()).toEqual(expected)
    await isLinked(`/taxis/${taxi}/relationships/driver`, other)
  })

  it('asks the members that are removed and added by a replacement, and no others', async () => {
    const person = await add(Person)
    const [kept, removed] = [await add(Taxi, { driver: ref(person) }), await add(Vehicle, { driver: ref(person) })]
    const added = await add(Taxi)
    const replacement = toMany('vehicles', kept, added)
    await api
      .patch(`/people/${person}`)
      .send(resource('people', person, {}, { drives: replacement }))
      .expect(204)
    expect(asked()).toEqual(
      [
        `people ${person} setToMany drives: taxis ${kept}, taxis ${added}`,
        `taxis ${added} setToOne driver: people ${person}`,
        `vehicles ${removed} setToOne driver: nothing`,
      ].sort(),
    )
  })

  it('asks only members about a removal', async () => {
    const person = await add(Person)
    const [member, other] = [await add(Taxi, { driver: ref(person) }), await add(Taxi)]
    await api
      .delete(`/people/${person}/relationships/drives`)
      .send(toMany('taxis', member, other))
      .expect(204)
    expect(asked()).toEqual([
      `people ${person} removeFromMany drives: taxis ${member}, taxis ${other}`,
      `taxis ${member} setToOne driver: nothing`,
    ])
  })

  it('asks nothing of the other end where nothing changes', async () => {
    const person = await add(Person)
    const taxi = await add(Taxi, { driver: ref(person) })
    await api.post(`/people/${person}/relationships/drives`).send(toMany('taxis', taxi)).expect(204)
    await api.patch(`/taxis/${taxi}/relationships/driver`).send(toOne('people', person)).expect(204)
    expect(asked()).toEqual([
      `people ${person} addToMany drives: taxis ${taxi}`,
      `taxis ${taxi} setToOne driver: people ${person}`,
    ])
  })

  it('asks about what is created, with its final values and without an id', async () => {
    const person = await add(Person)
    const sent = newResource('taxis', { seats: 9 }, { driver: toOne('people', person) })
    await api.post('/vehicles').send(sent).expect(201)
    const { write, rights } = calls.find(({ hook }) => hook === 'addToMany') as Call
    expect(write).toMatchObject({ kind: 'addToRelationship', id: person, sent: new Set(), stored: { id: person } })
    expect(write.origin).toMatchObject({ kind: 'create', type: { name: 'taxis' }, id: '' })
    expect(rights).toMatchObject([{ type: { name: 'taxis' }, id: '', instance: { seats: 9 } }])
  })
})

describe('many-to-many', () => {
  it.each(['people', 'clubs'] as const)('asks both ends when %s are written', async (written) => {
    const club = await add(Club)
    const person = await add(Person, { clubs: refs(club) })
    const other = written === 'people' ? await add(Club) : await add(Person)
    const ofPeople = written === 'people'
    const path = ofPeople ? `/people/${person}/relationships/clubs` : `/clubs/${club}/relationships/members`
    const linked = ofPeople ? `clubs ${other} addToMany members: people ${person}` : ''
    await api
      .patch(path)
      .send(toMany(ofPeople ? 'clubs' : 'people', other))
      .expect(204)
    expect(asked()).toEqual(
      ofPeople
        ? [
            `clubs ${club} removeFromMany members: people ${person}`,
            linked,
            `people ${person} setToMany clubs: clubs ${other}`,
          ].sort()
        : [
            `clubs ${club} setToMany members: people ${other}`,
            `people ${person} removeFromMany clubs: clubs ${club}`,
            `people ${other} addToMany clubs: clubs ${club}`,
          ].sort(),
    )
  })

  it('asks each of many for a removal, under its own stored type', async () => {
    const vehicle = await add(Vehicle)
    const [taxi, car] = [await add(Taxi, { pairs: refs(vehicle) }), await add(Vehicle, { pairs: refs(vehicle) })]
    await api
      .delete(`/vehicles/${vehicle}/relationships/pairedWith`)
      .send(toMany('vehicles', taxi, car))
      .expect(204)
    expect(asked()).toEqual(
      [
        `taxis ${taxi} removeFromMany pairs: vehicles ${vehicle}`,
        `vehicles ${car} removeFromMany pairs: vehicles ${vehicle}`,
        `vehicles ${vehicle} removeFromMany pairedWith: taxis ${taxi}, vehicles ${car}`,
      ].sort(),
    )
    expect(calls.map(({ definition }) => definition).sort()).toEqual(['Taxi', 'Vehicle', 'Vehicle'])
  })

  it('does not ask twice for the link of a resource with itself', async () => {
    const taxi = await add(Taxi)
    const relationships = { pairs: toMany('taxis', taxi), pairedWith: toMany('taxis', taxi) }
    await api
      .patch(`/taxis/${taxi}`)
      .send(resource('taxis', taxi, {}, relationships))
      .expect(204)
    expect(asked()).toEqual([
      `taxis ${taxi} setToMany pairedWith: taxis ${taxi}`,
      `taxis ${taxi} setToMany pairs: taxis ${taxi}`,
    ])
  })
})

describe('one-to-one', () => {
  it.each(['vehicles', 'engines'] as const)('asks all four when %s are written', async (written) => {
    const [engine, spare] = [await add(Engine), await add(Engine)]
    const [car, taxi] = [await add(Vehicle, { engine: ref(engine) }), await add(Taxi, { engine: ref(spare) })]
    const path = written === 'vehicles' ? `/vehicles/${car}/relationships/engine` : `/engines/${spare}`
    await api
      .patch(path)
      .send(
        written === 'vehicles'
          ? toOne('engines', spare)
          : resource('engines', spare, {}, { vehicle: toOne('vehicles', car) }),
      )
      .expect(204)
    expect(asked()).toEqual(
      [
        `engines ${engine} setToOne vehicle: nothing`,
        `engines ${spare} setToOne vehicle: vehicles ${car}`,
        `taxis ${taxi} setToOne engine: nothing`,
        `vehicles ${car} setToOne engine: engines ${spare}`,
      ].sort(),
    )
    await isLinked(`/engines/${spare}/relationships/vehicle`, car)
  })

  it.each(['tows', 'towedBy'] as const)('of a type with itself asks all four when %s is written', async (name) => {
    const [first, second] = [await add(Taxi), await add(Vehicle)]
    const [third, fourth] = [await add(Taxi, { tows: ref(first) }), await add(Vehicle, { tows: ref(second) })]
    // Third towed first, fourth second: now third tows second.
    const [left, right] = name === 'tows' ? [third, second] : [second, third]
    await api.patch(`/vehicles/${left}/relationships/${name}`).send(toOne('vehicles', right)).expect(204)
    expect(asked()).toEqual(
      [
        `taxis ${first} setToOne towedBy: nothing`,
        `taxis ${third} setToOne tows: vehicles ${second}`,
        `vehicles ${fourth} setToOne tows: nothing`,
        `vehicles ${second} setToOne towedBy: taxis ${third}`,
      ].sort(),
    )
  })

  it('asks about both ends of a link of a resource with itself once', async () => {
    const taxi = await add(Taxi)
    await api.patch(`/taxis/${taxi}/relationships/tows`).send(toOne('taxis', taxi)).expect(204)
    expect(asked()).toEqual([
      `taxis ${taxi} setToOne towedBy: taxis ${taxi}`,
      `taxis ${taxi} setToOne tows: taxis ${taxi}`,
    ])
  })
})

describe('a deletion', () => {
  it('asks everything that refers to the resource, also what is deleted along', async () => {
    const person = await add(Person)
    const [towed, pair] = [await add(Taxi), await add(Taxi)]
    const taxi = await add(Taxi, { driver: ref(person), tows: ref(towed), pairs: refs(pair) })
    const fan = await add(Person, { favourite: ref(taxi) })
    const trip = await add(Trip, { vehicle: ref(taxi) })
    await api.delete(`/vehicles/${taxi}`).expect(204)
    for (const { write } of calls) expect(write.origin).toMatchObject({ kind: 'delete', id: taxi })
    expect(asked()).toEqual(
      [
        `people ${person} removeFromMany drives: taxis ${taxi}`,
        `people ${fan} setToOne favourite: nothing`,
        `taxis ${pair} removeFromMany pairedWith: taxis ${taxi}`,
        `taxis ${towed} setToOne towedBy: nothing`,
        `trips ${trip} setToOne vehicle: nothing`,
      ].sort(),
    )
  })

  it('is refused by a rule of what refers to the resource, without a pointer', async () => {
    const person = await add(Person)
    await add(Taxi, { driver: ref(person) })
    answer = () => {
      throw new JsonApiError({ title: 'A taxi has a driver.', field: 'driver' })
    }
    const { body } = await api.unchanged(() => api.delete(`/people/${person}`).expect(422).start())
    expect(body.errors).toEqual([{ status: '422', code: 'rule.refused', title: 'A taxi has a driver.' }])
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
    await using(startApi(RESOURCES, { definitions: [definition] }), async (hiding) => {
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
    if (status === 422) expect(body.errors[0]).toMatchObject({ code: 'rule.refused', source: { pointer: '/data' } })
    await isLinked(`/taxis/${taxi}/relationships/driver`, status === 204 ? person : null)
  })
})

describe('the number of statements', () => {
  const replace = async (server: typeof api, size: number) => {
    const person = await server.add(Person)
    const owner = await server.add(Person)
    const added: string[] = []
    for (let count = 0; count < size; count++) {
      await server.add(Taxi, { driver: ref(person) })
      added.push(await server.add(count % 2 === 0 ? Taxi : Vehicle, { driver: ref(owner) }))
    }
    const sent = toMany('vehicles', ...added)
    return (
      await server.statementsOf(() => server.patch(`/people/${person}/relationships/drives`).send(sent).expect(204))
    ).length
  }
  const withRules = (...definitions: readonly ReturnType<typeof define>[]) => startApi(RESOURCES, { definitions })
  const statementsWith = async (...definitions: readonly ReturnType<typeof define>[]) => {
    let [one, many] = [0, 0]
    await using(withRules(...definitions), async (server) => {
      one = await replace(server, 2)
      many = await replace(server, 20)
    })
    expect(many).toBe(one)
    return one
  }

  it('grows by a constant where there are such hooks, and by nothing elsewhere', async () => {
    const none = await statementsWith()
    const unconcerned = await statementsWith(
      define(Person, { setToOne: () => undefined }),
      define(Club, { addToMany: () => [] }),
    )
    const atMembers = await statementsWith(define(Vehicle, { setToOne: () => undefined }))
    const atOwners = await statementsWith(define(Person, { removeFromMany: () => undefined }))
    const added = [unconcerned - none, atMembers - none, atOwners - none]
    // Rows of each table are locked by a statement of their own.
    expect(added).toEqual(byTables({ single: [0, 1, 4], joined: [0, 1, 4], perConcreteType: [0, 2, 7] }))
  })
})
