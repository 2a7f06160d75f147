import { ToMany, ToOne } from 'stemma'
import { JoinColumn, ManyToOne, OneToMany, PrimaryColumn } from 'typeorm'
import { ref, setUp, startApi } from '../../support/api'
import { newResource, resource, toMany, toOne } from '../../support/documents'
import { DerivedResource, HierarchyRoot, StoredResource } from '../../support/resource-decorators'
import { type Call, describeLinkCall, recorder } from './support/recorder'

// Several relationships are stored in the same column, and the types of a hierarchy declare different other ends of them. The owner of a taxi is
// no relationship of the API, only its other ends are.

const inHolder = () => JoinColumn({ name: 'holder' })
const LOOSE = { nullable: true, createForeignKeyConstraints: false }

@StoredResource('taxis', { clientGeneratedIds: 'required' })
class Taxi {
  @PrimaryColumn({ type: 'int' }) id: number
  @ToOne() @ManyToOne('Human', 'drives', LOOSE) @inHolder() driver: Human | null
  @ToOne() @ManyToOne('Human', 'steers', LOOSE) @inHolder() pilot: Human | null
  @ManyToOne('Human', { nullable: true }) owner: Human | null
  @ToOne() @ManyToOne('Garage', LOOSE) @inHolder() garage: Garage | null
}

@HierarchyRoot('humans', { abstract: true })
abstract class Human {
  @PrimaryColumn({ type: 'int' }) id: number
}

@DerivedResource('men', { clientGeneratedIds: 'required' })
class Man extends Human {
  @ToMany() @OneToMany('Taxi', 'driver') drives: Taxi[]
  @ToMany() @OneToMany('Taxi', 'driver') moves: Taxi[]
  @ToMany() @OneToMany('Taxi', 'owner') owns: Taxi[]
  @ToMany() @OneToMany('Taxi', 'owner') rents: Taxi[]
}

@DerivedResource('women', { clientGeneratedIds: 'required' })
class Woman extends Human {
  @ToMany() @OneToMany('Taxi', 'pilot') steers: Taxi[]
  @ToMany() @OneToMany('Taxi', 'owner') keeps: Taxi[]
}

@StoredResource('garages', { clientGeneratedIds: 'required' })
class Garage {
  @PrimaryColumn({ type: 'int' }) id: number
}

const calls: Call[] = []
const reported: unknown[] = []
let answer: (call: Call) => unknown
const api = setUp(() =>
  startApi([Taxi, Human, Man, Woman, Garage], {
    definitions: [Taxi, Man, Woman].map((each) =>
      recorder(each, calls, (call) => (call.relationship === undefined ? undefined : answer(call))),
    ),
    onError: (error) => reported.push(error),
  }),
)

beforeAll(async () => {
  answer = () => undefined
  for (const [type, id] of ['men 1', 'women 2', 'men 3', 'garages 1'].map((each) => each.split(' ')))
    await api.post(`/${type}`).send({ data: { type, id } }).expect(201)
})

/** Man 1 has a garage with the same key, woman 2 has taxi 5, and man 3 has nothing. */
beforeEach(async () => {
  answer = () => undefined
  for (const id of ['5', '6']) await api.delete(`/taxis/${id}`)
  await api.add(Taxi, { id: 5, driver: ref('2'), pilot: ref('2'), owner: ref('2') })
  for (const list of [calls, reported]) list.length = 0
})

const asked = () => calls.filter(({ relationship }) => relationship !== undefined).map(describeLinkCall)

const LOSES = 'women 2 removeFromMany steers: taxis 5'
const KEEPS = 'women 2 removeFromMany keeps: taxis 5'
const GAINS = ['men 1 addToMany drives: taxis 5', 'men 1 addToMany moves: taxis 5']
const SET = ['driver', 'pilot'].map((name) => `taxis 5 setToOne ${name}: men 1`)
const PARKED = 'taxis 5 setToOne garage: garages 1'
const TAXIS = toMany('taxis', '5')

it.each<[request: string, body: object, ...asked: string[]]>([
  ['PATCH /taxis/5/relationships/driver', toOne('men', '1'), LOSES, ...GAINS, ...SET, PARKED],
  ['PATCH /taxis/5/relationships/pilot', toOne('men', '1'), LOSES, ...GAINS, ...SET, PARKED],
  ['PATCH /taxis/5', resource('taxis', '5', {}, { driver: toOne('men', '1') }), LOSES, ...GAINS, ...SET, PARKED],
  ['PATCH /taxis/5/relationships/garage', toOne('garages', '1'), LOSES, ...GAINS, ...SET, PARKED],
  [
    'POST /men/1/relationships/owns',
    TAXIS,
    KEEPS,
    ...['owns', 'rents'].map((name) => `men 1 addToMany ${name}: taxis 5`),
  ],
  ['POST /men/1/relationships/drives', TAXIS, LOSES, ...GAINS, ...SET, PARKED],
  [
    'POST /taxis',
    { data: { ...newResource('taxis', {}, { driver: toOne('men', '3') }).data, id: '6' } },
    'men 3 addToMany drives: taxis 6',
    'men 3 addToMany moves: taxis 6',
    'taxis 6 setToOne driver: men 3',
    'taxis 6 setToOne pilot: men 3',
  ],
  [
    'DELETE /women/2/relationships/steers',
    TAXIS,
    LOSES,
    ...['driver', 'pilot'].map((name) => `taxis 5 setToOne ${name}: nothing`),
  ],
])('asks once about each relationship that changes: %s', async (request, body, ...expected) => {
  const [method = '', path = ''] = request.split(' ')
  expect((await api.request(method, path).send(body)).status).toBeLessThan(300)
  expect(asked().sort()).toEqual(expected.toSorted())
})

it('checks what the hook of a relationship in the same column returns', async () => {
  const set = () => api.unchanged(() => api.patch('/taxis/5/relationships/driver').send(toOne('men', '1')))
  for (const other of [{ type: 'men', id: '3' }, { type: 'women', id: '1' }, null]) {
    answer = ({ relationship }) => (relationship === 'pilot' ? other : undefined)
    expect((await set()).body.errors).toEqual([
      expect.objectContaining({ status: '422', code: 'rule.rejected', source: { pointer: '/data' } }),
    ])
  }
  expect(reported).toEqual([])
  answer = ({ relationship }) => (relationship === 'pilot' ? 'man' : undefined)
  expect((await set()).status).toBe(500)
  expect(reported.map(String)).toEqual([expect.stringContaining('setToOne')])
  answer = ({ relationship }) => (relationship === 'pilot' ? { type: 'humans', id: '1' } : undefined)
  await api.patch('/taxis/5/relationships/driver').send(toOne('men', '1')).expect(204)
})
