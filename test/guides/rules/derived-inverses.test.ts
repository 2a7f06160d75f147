import { ToMany, ToOne } from 'stemma'
import { ManyToMany, ManyToOne, OneToMany, OneToOne, PrimaryGeneratedColumn } from 'typeorm'
import { ref, refs, setUp, startApi } from '../../support/api'
import { newResource, resource, toMany, toOne, updateResource } from '../../support/documents'
import { operate, toOperation } from '../../support/operate'
import { DerivedResource, HierarchyRoot, OwnerManyToMany, OwnerOneToOne } from '../../support/resource-decorators'
import { type Call, describeLinkCall, recorder, refuse } from './support/recorder'

// The types of a hierarchy can each declare the inverse of a relationship to their base. The stored type of a related resource decides.

@HierarchyRoot('vehicles')
class Vehicle {
  @PrimaryGeneratedColumn() id!: number
  @ToOne() @ManyToOne('Human', 'drives', { nullable: true }) driver!: Human | null
}

@DerivedResource('taxis')
class Taxi extends Vehicle {
  @ToOne() @OwnerOneToOne('Human', '', { nullable: true }) owner!: Human | null
  @ToOne() @OwnerOneToOne('Human', '', { nullable: true }) guard!: Human | null
  @ToMany() @OwnerManyToMany('Human', '', 'fans') fans!: Human[]
}

@HierarchyRoot('humans', { abstract: true })
abstract class Human {
  @PrimaryGeneratedColumn() id!: number
  @ToOne() @OwnerOneToOne('Taxi', '', { nullable: true }) seat!: Taxi | null
}

@DerivedResource('adults', { abstract: true })
abstract class Adult extends Human {
  @ToOne() @OneToOne('Taxi', 'owner') owns!: Taxi | null
}

@DerivedResource('men')
class Man extends Adult {
  @ToMany() @OneToMany('Taxi', 'driver') drives!: Taxi[]
  @ToOne() @OneToOne('Taxi', 'guard') guards!: Taxi | null
  @ToMany() @ManyToMany('Taxi', 'fans') likes!: Taxi[]
}

@DerivedResource('women')
class Woman extends Adult {
  @ToMany() @OneToMany('Vehicle', 'driver') rides!: Vehicle[]
  @ToOne() @OneToOne('Taxi', 'guard') protects!: Taxi | null
  @ToMany() @ManyToMany('Taxi', 'fans') loves!: Taxi[]
}

/** Has two relationships for each link. */
@DerivedResource('pilots')
class Pilot extends Human {
  @ToMany() @OneToMany('Vehicle', 'driver') flies!: Vehicle[]
  @ToMany() @OneToMany('Taxi', 'driver') cabs!: Taxi[]
  @ToOne() @OneToOne('Taxi', 'guard') keeps!: Taxi | null
  @ToOne() @OneToOne('Taxi', 'guard') holds!: Taxi | null
  @ToMany() @ManyToMany('Taxi', 'fans') admires!: Taxi[]
  @ToMany() @ManyToMany('Taxi', 'fans') adores!: Taxi[]
}

@DerivedResource('children')
class Child extends Human {}

const RESOURCES = [Vehicle, Taxi, Human, Adult, Man, Woman, Pilot, Child]
const calls: Call[] = []
let isRefused = false
const answer = ({ write }: Call) =>
  write.origin !== undefined && isRefused ? refuse({ field: 'x', source: { pointer: '/x' } }) : undefined
const definitions = [Man, Woman, Pilot].map((each) => recorder(each, calls, answer))
const api = setUp(() => startApi(RESOURCES, { definitions }))

const PLACES = ['WOMAN', 'MAN', 'PILOT', 'CHILD', 'TAXI', 'CAB', 'VAN'] as const
type Ids = Readonly<Record<(typeof PLACES)[number], string>>

/** The woman has all links to the taxi, the pilot to the cab, the man to another, and the van has no driver. */
async function insertAll(): Promise<Ids> {
  const [MAN, WOMAN, CHILD] = [await api.add(Man), await api.add(Woman), await api.add(Child)]
  const linksTo = (id: string) => ({ driver: ref(id), owner: ref(id), guard: ref(id), fans: refs(id) })
  const PILOT = await api.add(Pilot)
  const [TAXI, CAB] = [await api.add(Taxi, linksTo(WOMAN)), await api.add(Taxi, linksTo(PILOT))]
  await api.add(Taxi, linksTo(MAN))
  isRefused = false
  await updateResource(api, 'women', WOMAN, {}, { seat: toOne('taxis', TAXI) }).expect(204)
  calls.length = 0
  return { MAN, WOMAN, PILOT, CHILD, TAXI, CAB, VAN: await api.add(Vehicle) }
}

const withIds = (text: string, ids: Ids) =>
  PLACES.reduce((replaced, place) => replaced.replaceAll(place, ids[place]), text)

/** `women removeFromMany rides: TAXI`, sorted. */
const asked = ({ MAN, WOMAN, PILOT, TAXI, CAB }: Ids) =>
  calls
    .filter(({ relationship, write }) => relationship !== undefined && write.origin !== undefined)
    .map((call) => describeLinkCall(call).replace(`men ${MAN} `, 'men ').replace(`women ${WOMAN} `, 'women '))
    .map((text) => text.replace(`pilots ${PILOT} `, 'pilots ').replace('pilots  ', 'pilots '))
    .map((text) => text.replace(`taxis ${TAXI}`, 'TAXI').replace(`taxis ${CAB}`, 'CAB'))
    .sort()

const [LOSES, TAKES] = ['women removeFromMany rides: TAXI', 'men addToMany drives: TAXI']
const [MAN, MEN] = [toOne('men', 'MAN'), toMany('men', 'MAN')]
const [TAXI, TAXIS, CABS] = [toOne('taxis', 'TAXI'), toMany('taxis', 'TAXI'), toMany('taxis', 'CAB')]
const LIKES = 'men addToMany likes: TAXI'
const [IN_FLIES, IN_CABS] = ['pilots addToMany flies: TAXI', 'pilots addToMany cabs: TAXI']

const WRITES: readonly (readonly [request: string, body: object, ...asked: string[]])[] = [
  ['PATCH /taxis/TAXI/relationships/driver', MAN, LOSES, TAKES],
  ['PATCH /vehicles/TAXI/relationships/driver', MAN, LOSES, TAKES],
  ['PATCH /taxis/TAXI/relationships/driver', { data: null }, LOSES],
  ['PATCH /taxis/TAXI/relationships/driver', toOne('children', 'CHILD'), LOSES],
  ['PATCH /vehicles/VAN/relationships/driver', MAN],
  ['PATCH /taxis/TAXI', resource('taxis', 'TAXI', {}, { driver: MAN }), LOSES, TAKES],
  ['PATCH /vehicles/TAXI', resource('taxis', 'TAXI', {}, { driver: MAN }), LOSES, TAKES],
  ['POST /taxis', newResource('taxis', {}, { driver: MAN }), 'men addToMany drives: taxis '],
  ['POST /taxis/TAXI/relationships/fans', MEN, LIKES],
  ['DELETE /taxis/TAXI/relationships/fans', toMany('women', 'WOMAN'), 'women removeFromMany loves: TAXI'],
  ['PATCH /taxis/TAXI/relationships/fans', MEN, LIKES, 'women removeFromMany loves: TAXI'],
  ['PATCH /taxis/TAXI/relationships/guard', MAN, 'men setToOne guards: TAXI', 'women setToOne protects: nothing'],
  ['PATCH /taxis/TAXI/relationships/owner', MAN, 'men setToOne owns: TAXI', 'women setToOne owns: nothing'],
  ['POST /men/MAN/relationships/drives', TAXIS, LOSES],
  ['PATCH /men/MAN/relationships/drives', TAXIS, LOSES],
  ['POST /men', newResource('men', {}, { drives: TAXIS }), LOSES],
  ['PATCH /men/MAN/relationships/guards', TAXI, 'women setToOne protects: nothing'],
  ['POST /children', newResource('children', {}, { seat: TAXI }), 'women setToOne seat: nothing'],
  ['PATCH /taxis/TAXI/relationships/driver', toOne('pilots', 'PILOT'), LOSES, IN_FLIES, IN_CABS],
  ['POST /pilots/PILOT/relationships/flies', TAXIS, LOSES, IN_CABS],
  ['POST /pilots/PILOT/relationships/flies', toMany('vehicles', 'VAN')],
  ['POST /humans/PILOT/relationships/cabs', TAXIS, LOSES, IN_FLIES],
  ['PATCH /pilots/PILOT/relationships/cabs', TAXIS, LOSES, IN_FLIES, 'pilots removeFromMany flies: CAB'],
  ['DELETE /pilots/PILOT/relationships/flies', CABS, 'pilots removeFromMany cabs: CAB'],
  ['PATCH /pilots/PILOT/relationships/keeps', TAXI, 'women setToOne protects: nothing', 'pilots setToOne holds: TAXI'],
  ['PATCH /pilots/PILOT/relationships/holds', { data: null }, 'pilots setToOne keeps: nothing'],
  ['POST /pilots/PILOT/relationships/admires', TAXIS, 'pilots addToMany adores: TAXI'],
  ['DELETE /pilots/PILOT/relationships/adores', CABS, 'pilots removeFromMany admires: CAB'],
  ['POST /pilots', newResource('pilots', {}, { cabs: TAXIS }), LOSES, IN_FLIES],
  ['PATCH /pilots/PILOT', resource('pilots', 'PILOT', {}, { cabs: CABS, flies: CABS })],
  ...['/taxis/TAXI', '/vehicles/TAXI'].map((path) => {
    const cleared = ['owns', 'protects', 'seat'].map((name) => `women setToOne ${name}: nothing`)
    return [`DELETE ${path}`, {}, LOSES, 'women removeFromMany loves: TAXI', ...cleared] as const
  }),
]

const SENT = (['request', 'operation'] as const).flatMap((kind) =>
  WRITES.map(([request, body, ...expected]) => [kind, request, body, expected] as const),
)

it.each(SENT)('asks the inverse of each stored type about the %s %s with %j', async (kind, request, body, expected) => {
  const ids = await insertAll()
  const [method = '', path = ''] = withIds(request, ids).split(' ')
  const sent = JSON.parse(withIds(JSON.stringify(body), ids))
  const send = async () =>
    kind === 'request' ? api.request(method, path).send(sent) : operate(api, toOperation(method, path, sent, 'href'))
  if (expected.length > 0) {
    isRefused = true
    // A deletion sends nothing that an error could point to.
    const inData = ['/data', ...Object.keys(sent.data?.relationships ?? {}).slice(0, 1)].join('/relationships/')
    const pointer = `${kind === 'operation' ? '/atomic:operations/0' : ''}${'data' in sent ? inData : ''}`
    const error = { status: '422', code: 'rule.rejected', title: 'No.', ...(pointer && { source: { pointer } }) }
    expect((await api.unchanged(send)).body.errors).toEqual([error])
    isRefused = false
    calls.length = 0
  }
  expect((await send()).status).toBeLessThan(300)
  expect(asked(ids)).toEqual(expected.toSorted())
})

it('asks about each of several operations that could run together', async () => {
  const ids = await insertAll()
  const adding = { op: 'add', ref: { type: 'taxis', id: ids.TAXI, relationship: 'fans' } }
  const create = { op: 'add', ...newResource('taxis', {}, { driver: toOne('men', ids.MAN) }) }
  const members = [toMany('children', ids.CHILD), toMany('men', ids.MAN)].map((each) => ({ ...adding, ...each }))
  await operate(api, create, create, ...members).expect(200)
  expect(asked(ids)).toEqual(['men addToMany drives: taxis ', 'men addToMany drives: taxis ', LIKES])
})

it('returns the resource when a write of a relationship changes another one of its own', async () => {
  const { PILOT, TAXI } = await insertAll()
  const { body } = await updateResource(api, 'pilots', PILOT, {}, { cabs: toMany('taxis', TAXI) }).expect(200)
  expect(body.data).toMatchObject({ type: 'pilots', id: PILOT })
})
