import { Attribute, equals, not, Resource, ResourceDefinition, ToMany, ToOne } from 'stemma'
import {
  ChildEntity,
  Column,
  Entity,
  JoinColumn,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryGeneratedColumn,
  TableInheritance,
} from 'typeorm'
import { startApi, type TestApi } from '../support/api'
import { updateRows } from '../support/rows'

// To-one relationships can have linkage in every document, at no statement: what stands at the other end comes along with the row.

@Resource('people', { abstract: true })
@Entity()
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
abstract class Person {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) name: string
  @ToOne() @ManyToOne('Person', { onDelete: 'SET NULL' }) boss: Person | null
  /** The key lies in the desk. */
  @ToOne() @OneToOne('Desk', 'owner') desk: Desk | null
}

@Resource('clerks')
@ChildEntity()
class Clerk extends Person {
  @ToOne({ linkage: 'included' }) @ManyToOne('Person', { onDelete: 'SET NULL' }) friend: Person | null
}

@Resource('guards')
@ChildEntity()
class Guard extends Person {
  @ToOne() @ManyToOne('Desk', 'guards', { onDelete: 'SET NULL' }) watched: Desk | null
}

@Resource('desks')
@Entity()
class Desk {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) room: string
  @ToOne() @OneToOne('Person', 'desk', { onDelete: 'SET NULL' }) @JoinColumn() owner: Person | null
  @ToMany() @OneToMany('Guard', 'watched') guards: Guard[]
}

@Resource('tickets')
@Entity()
class Ticket {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'int', default: 1 }) seat: number
  @ToOne() @ManyToOne('Person', { onDelete: 'SET NULL' }) holder: Person | null
}

/** The room that nobody is to know of, and the guard. */
let hiddenRoom = 'secret'
let hiddenGuard = 'nobody'

class DeskDefinition extends ResourceDefinition<Desk> {
  readonly resource = Desk
  override filter() {
    return not(equals('room', hiddenRoom))
  }
}

class GuardDefinition extends ResourceDefinition<Guard> {
  readonly resource = Guard
  override filter() {
    return not(equals('name', hiddenGuard))
  }
}

let api: TestApi

beforeAll(async () => {
  api = await startApi([Person, Clerk, Guard, Desk, Ticket], {
    toOneLinkage: 'always',
    definitions: [new DeskDefinition(), new GuardDefinition()],
  })
  await api.add(Clerk, { name: 'Ada' })
  await api.add(Guard, { name: 'Bob', boss: { id: 1 } })
  await api.add(Clerk, { name: 'Cid', boss: { id: 2 }, friend: { id: 1 } })
  await api.add(Desk, { room: 'hall', owner: { id: 1 } })
  await api.add(Desk, { room: 'secret', owner: { id: 2 } })
  await updateRows(api.dataSource, [Guard, 2], { watched: { id: 2 } })
})

afterAll(() => api.close())

/** `boss=guards 2 desk=null`; what has no `data` is left out. */
function linksOf({
  relationships,
}: {
  relationships: Record<string, { data?: { type: string; id: string } | null }>
}): string {
  const shown = Object.entries(relationships).flatMap(([name, { data }]) =>
    data === undefined ? [] : [`${name}=${data === null ? 'null' : `${data.type} ${data.id}`}`],
  )
  return shown.sort().join(' ')
}

it('names what stands at the other end by its stored type, wherever the key lies', async () => {
  const { body } = await api.get('/people?sort=id')
  expect(body.data.map(linksOf)).toEqual([
    'boss=null desk=desks 1',
    'boss=clerks 1 desk=null watched=null',
    'boss=guards 2 desk=null',
  ])
})

it.each([
  ['one resource', '/people/3', 1],
  ['a page', '/people?sort=-boss.name', 1],
  ['related resources', '/desks/1/guards', 2],
  ['included resources', '/people/3?include=boss', 2],
])('costs no statement: %s', async (_what, path, count) => {
  expect(await api.statementsOf(() => api.get(path))).toHaveLength(count)
})

it('is of included resources as well', async () => {
  const { body } = await api.get('/people/3?include=boss.boss')
  expect(body.included.map(linksOf)).toEqual(['boss=clerks 1 desk=null watched=null', 'boss=null desk=desks 1'])
})

it('shows no more than an include would: rules hold, and capabilities of fieldsets', async () => {
  expect(linksOf((await api.get('/guards/2')).body.data)).toBe('boss=clerks 1 desk=null watched=null')
  expect(linksOf((await api.get('/guards/2?fields[guards]=boss')).body.data)).toBe('boss=clerks 1')
})

it('is asked of the rules anew for every request', async () => {
  hiddenRoom = 'none'
  expect(linksOf((await api.get('/guards/2')).body.data)).toBe('boss=clerks 1 desk=desks 2 watched=desks 2')
  hiddenRoom = 'secret'
  expect(linksOf((await api.get('/guards/2')).body.data)).toBe('boss=clerks 1 desk=null watched=null')
})

it('is asked of the rules of one of the types that may stand there', async () => {
  const id = await api.add(Ticket, { holder: { id: 2 } })
  const holder = async () => linksOf((await api.get(`/tickets/${id}`)).body.data)
  expect(await holder()).toBe('holder=guards 2')
  hiddenGuard = 'Bob'
  expect(await holder()).toBe('holder=null')
  hiddenGuard = 'nobody'
  expect(await holder()).toBe('holder=guards 2')
})

it('is left out where a relationship says so, unless it is included', async () => {
  expect(linksOf((await api.get('/clerks/3')).body.data)).toBe('boss=guards 2 desk=null')
  expect(linksOf((await api.get('/clerks/3?include=friend')).body.data)).toBe('boss=guards 2 desk=null friend=clerks 1')
})

it('is in the answer to a write', async () => {
  const relationships = { boss: { data: { type: 'guards', id: '2' } } }
  const data = { type: 'clerks', attributes: { name: 'Dan' }, relationships }
  expect(linksOf((await api.post('/people').send({ data })).body.data)).toBe('boss=guards 2 desk=null')
})

it('is in the answer to a write of nothing but attributes', async () => {
  const created = await api.post('/tickets').send({ data: { type: 'tickets', attributes: { seat: 7 } } })
  expect(linksOf(created.body.data)).toBe('holder=null')
  const id = String(await api.add(Ticket, { holder: { id: 2 } }))
  const prefer = 'return=representation'
  const changed = await api
    .patch(`/tickets/${id}`)
    .send({ data: { type: 'tickets', id, attributes: { seat: 8 } } })
    .set({ prefer })
  expect(linksOf(changed.body.data)).toBe('holder=guards 2')
})
