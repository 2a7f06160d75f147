import { Attribute, equals, not, ToMany, ToOne } from 'stemma'
import { Column, JoinColumn, ManyToOne, OneToMany, OneToOne, PrimaryGeneratedColumn } from 'typeorm'
import { define, setUp, startApi } from '../../support/api'
import { createResource, newResource, toOne, updateResource } from '../../support/documents'
import { keysOf } from '../../support/expectations'
import { DerivedResource, HierarchyRoot, StoredResource } from '../../support/resource-decorators'
import { updateRows } from '../../support/rows'

// { toOneLinkage: 'always' }: the linkage of to-one relationships comes with the row, at no further statement.

@HierarchyRoot('people', { abstract: true })
abstract class Person {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) name: string
  @ToOne() @ManyToOne('Person', { onDelete: 'SET NULL' }) boss: Person | null
  /** The key lies in the desk. */
  @ToOne() @OneToOne('Desk', 'owner') desk: Desk | null
}

@DerivedResource('clerks')
class Clerk extends Person {
  @ToOne({ linkage: 'included' }) @ManyToOne('Person', { onDelete: 'SET NULL' }) friend: Person | null
}

@DerivedResource('guards')
class Guard extends Person {
  @ToOne() @ManyToOne('Desk', 'guards', { onDelete: 'SET NULL' }) watched: Desk | null
}

@StoredResource('desks')
class Desk {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) room: string
  @ToOne() @OneToOne('Person', 'desk', { onDelete: 'SET NULL' }) @JoinColumn() owner: Person | null
  @ToMany() @OneToMany('Guard', 'watched') guards: Guard[]
}

@StoredResource('tickets')
class Ticket {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'int', default: 1 }) seat: number
  @ToOne() @ManyToOne('Person', { onDelete: 'SET NULL' }) holder: Person | null
}

/** The definitions hide this guard, and a desk. */
let hiddenGuard = 'none'
const deskRules = define(Desk, { filter: () => not(equals('room', 'secret')) })
const guardRules = define(Guard, { filter: () => not(equals('name', hiddenGuard)) })
const options = { toOneLinkage: 'always', definitions: [deskRules, guardRules] } as const
const api = setUp(() => startApi([Person, Clerk, Guard, Desk, Ticket], options))

beforeAll(async () => {
  await api.add(Clerk, { name: 'Ada' })
  await api.add(Guard, { name: 'Bob', boss: { id: 1 } })
  await api.add(Clerk, { name: 'Cid', boss: { id: 2 }, friend: { id: 1 } })
  await api.add(Desk, { room: 'hall', owner: { id: 1 } })
  await api.add(Desk, { room: 'secret', owner: { id: 2 } })
  await updateRows(api.dataSource, [Guard, 2], { watched: { id: 1 } })
})

type Linking = Readonly<{ relationships: Readonly<Record<string, { readonly data?: object | null }>> }>

/** The relationships with linkage: `boss=guards 2 desk=null`. */
function linkageOf({ relationships }: Linking): string {
  return Object.entries(relationships)
    .filter(([, { data }]) => data !== undefined)
    .map(([name, { data }]) => `${name}=${keysOf(data).join() || null}`)
    .sort()
    .join(' ')
}
const linkageAt = async (path: string) => linkageOf((await api.get(path)).body.data)
const ADA = 'boss=null desk=desks 1'
const BOB = 'boss=clerks 1 desk=null watched=desks 1'
const CID = 'boss=guards 2 desk=null'

it('names related resources by their stored type, wherever the key is', async () => {
  expect((await api.get('/people?sort=id')).body.data.map(linkageOf)).toEqual([ADA, BOB, CID])
})

it('is given for included resources', async () => {
  expect((await api.get('/people/3?include=boss.boss')).body.included.map(linkageOf)).toEqual([BOB, ADA])
})

it.each([
  ['one resource', '/people/3', 1],
  ['a page', '/people?sort=-boss.name', 1],
  ['related resources', '/desks/1/guards', 2],
  ['included resources', '/people/3?include=boss', 2],
])('costs no statement for %s', async (_what, path, count) => {
  expect(await api.statementsOf(() => api.get(path))).toHaveLength(count)
})

it('obeys filters of rules and fieldsets', async () => {
  expect(await linkageAt('/guards/2')).toBe(BOB)
  expect(await linkageAt('/guards/2?fields[guards]=boss')).toBe('boss=clerks 1')
})

it('asks the rules of the stored type of the related resource with every request', async () => {
  const path = `/tickets/${await api.add(Ticket, { holder: { id: 2 } })}`
  expect(await linkageAt(path)).toBe('holder=guards 2')
  hiddenGuard = 'Bob'
  expect(await linkageAt(path)).toBe('holder=null')
  hiddenGuard = 'none'
  expect(await linkageAt(path)).toBe('holder=guards 2')
})

it('is left out where a relationship says so, unless it is included', async () => {
  expect(await linkageAt('/clerks/3')).toBe(CID)
  expect(await linkageAt('/clerks/3?include=friend')).toBe(`${CID} friend=clerks 1`)
})

it('is in the response to a write, of attributes alone as well', async () => {
  const clerk = newResource('clerks', { name: 'Dan' }, { boss: toOne('guards', '2') })
  expect(linkageOf((await api.post('/people').send(clerk)).body.data)).toBe(CID)
  expect(linkageOf((await createResource(api, 'tickets', { seat: 7 })).body.data)).toBe('holder=null')
  const id = await api.add(Ticket, { holder: { id: 2 } })
  const changed = await updateResource(api, 'tickets', id, { seat: 8 }).set({ prefer: 'return=representation' })
  expect(linkageOf(changed.body.data)).toBe('holder=guards 2')
})
