import fc from 'fast-check'
import { Attribute, equals, has, not, Resource, type ResourceDefinition, ToMany, ToOne } from 'stemma'
import {
  ChildEntity,
  Column,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  VersionColumn,
  VirtualColumn,
} from 'typeorm'
import { define, setUp, startApi, useApi } from '../../support/api'
import { DATABASE } from '../../support/database'
import { toOne } from '../../support/documents'
import { errorsOf } from '../../support/expectations'
import { operate, operateWith } from '../../support/operate'
import { HierarchyRoot, StoredResource } from '../../support/resource-decorators'
import type { Layout } from '../../support/table-layout'

// Consecutive operations of one kind share their statements. The result is that of the same operations one by one, which a hook causes.

const uuid = (index: number) => `7b0e0a2c-0000-4000-8000-${String(index).padStart(12, '0')}`

@HierarchyRoot('media', { abstract: true, clientGeneratedIds: 'allowed' })
abstract class Medium {
  @PrimaryGeneratedColumn('uuid') id: string
  @Attribute() @Column({ type: 'varchar', length: 20 }) title: string
  @Attribute() @Column({ type: 'varchar', length: 20, nullable: true, unique: true }) code: string | null
  @Attribute({ capabilities: ['view'] }) @VersionColumn() version: number
  @ToOne() @ManyToOne('Shelf', 'media', { nullable: true }) shelf: Shelf | null
}

@Resource('books')
@ChildEntity('book')
class Book extends Medium {
  @Attribute() @Column({ type: 'int', nullable: true }) pages: number | null
  @Attribute() @Column({ type: 'bigint', nullable: true }) number: string | null
  @ToOne() @ManyToOne('Book', { nullable: true }) sequelOf: Book | null
}

@Resource('films')
@ChildEntity('film')
class Film extends Medium {
  @Attribute() @Column({ type: 'int', nullable: true }) minutes: number | null
}

@StoredResource('shelves')
class Shelf {
  @PrimaryColumn('int') id: number
  @Attribute() @Column({ type: 'varchar', length: 20 }) label: string
  @ToMany() @OneToMany('Medium', 'shelf') media: Medium[]
  @ToMany() @ManyToMany('Book') @JoinTable({ name: 'run_shelved' }) books: Book[]
}

const RESOURCES = [Medium, Book, Film, Shelf]
const LAYOUTS: readonly Layout[] = ['single', 'joined', 'tablePerConcreteClass']
const SEEN = not(equals('label', 'hidden'))
const VISIBLE = define(Shelf, { filter: () => SEEN })
const book = (index: number) => ({ type: 'books', id: uuid(index) })
const link = (relationship: string, member: number): object => {
  return { op: 'add', ref: { type: 'shelves', id: '1', relationship }, data: [book(member)] }
}
const range = <Value>(count: number, map: (index: number) => Value) => Array.from({ length: count }, (_, i) => map(i))

describe.each(LAYOUTS)('statements with tables %s', (tables) => {
  const limits = { limits: { identifiers: 2000 }, operations: { maxOperations: 2000 } }
  const api = setUp(() => startApi(RESOURCES, { tables, definitions: [VISIBLE], ...limits }))
  beforeAll(async () => {
    for (const id of [1, 2]) await api.add(Shelf, { id, label: 'seen' })
  })

  const countOf = async (...operations: readonly object[]) =>
    (await api.statementsOf(async () => expect(errorsOf(await operate(api, ...operations))).toEqual([]))).length

  const add = (index: number): object => {
    const attributes = { title: `T${index}`, pages: index, code: `C${index}` }
    return { op: 'add', data: { ...book(index), attributes, relationships: { shelf: toOne('shelves', '1') } } }
  }
  const update = (index: number): object => {
    const relationships = { shelf: toOne('shelves', '2') }
    return {
      op: 'update',
      data: { ...book(index), attributes: { title: `U${index}`, pages: 1 }, relationships },
    }
  }

  it('are as many for 90 operations of one kind as for 30', async () => {
    const few = range(30, (index) => index)
    const many = range(90, (index) => 100 + index)
    const kinds = [add, update, (index: number) => link('media', index), (index: number) => link('books', index)]
    for (const operation of kinds) {
      const count = await countOf(...few.map(operation))
      expect(count).toBeLessThanOrEqual(8)
      expect(await countOf(...many.map(operation))).toBe(count)
    }
    const { body } = await api.get(`/books/${uuid(150)}?include=shelf`)
    expect(body.data.attributes).toMatchObject({ title: 'U150', code: 'C150', pages: 1, version: 3 })
    expect(body.included).toMatchObject([{ type: 'shelves', id: '1' }])
  })

  it('are as many for 1,000 members as for one', async () => {
    const members = (from: number, count: number) => ({ data: range(count, (index) => book(from + index)) })
    await countOf(...range(1000, (index) => add(1000 + index)))
    for (const relationship of ['media', 'books']) {
      const path = `/shelves/2/relationships/${relationship}`
      const countOfPost = async (body: object) =>
        (await api.statementsOf(async () => expect((await api.post(path).send(body)).status).toBe(204))).length
      expect(await countOfPost(members(1000, 1000))).toBe(await countOfPost(members(100, 1)))
    }
  })
})

describe.each(LAYOUTS)('results with tables %s', (tables) => {
  const options = { tables, definitions: [VISIBLE] }
  const together = setUp(() => startApi(RESOURCES, options))
  const hook = { beforeWrite: () => undefined }
  const hooked = [define(Book, hook), define(Film, hook), define(Shelf, { ...hook, filter: () => SEEN })]
  const oneByOne = setUp(() => startApi(RESOURCES, { ...options, definitions: hooked }))
  beforeAll(async () => {
    for (const api of [together, oneByOne]) {
      for (const id of [1, 2, 3]) await api.add(Shelf, { id, label: id === 3 ? 'hidden' : 'seen' })
      for (const index of range(10, (index) => index)) await api.add(Book, { id: uuid(index), title: 'old' })
    }
  })

  const values = {
    title: fc.constantFrom('a', 'b'),
    code: fc.constantFrom(null, null, null, null, 'x', 'y'),
    pages: fc.constantFrom(null, 1, 2),
    number: fc.constantFrom('9007199254740993', '1'),
  }
  /** The first ten books exist. */
  const index = fc.nat(12)
  const shelf = fc.nat(30).map((id) => String(id < 27 ? 1 + (id % 2) : id - 24))
  const linked = {
    shelf: fc.option(shelf).map((id) => toOne('shelves', id)),
    sequelOf: fc.option(fc.nat(9)).map((each) => toOne('books', each === null ? null : uuid(each))),
  }
  const fieldsOf = <Fields extends object>(fields: Fields) => fc.subarray(Object.keys(fields) as (keyof Fields)[])
  const resources = (chosen: readonly (keyof typeof values)[], links: readonly (keyof typeof linked)[]) => {
    const pick = (all: object, names: readonly string[]) =>
      fc.record(Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name))))
    return fc.record({ index, added, attributes: pick(values, chosen), relationships: pick(linked, links) })
  }
  const added = fc.integer({ min: 10, max: 200 })
  const kinds: Readonly<Record<string, (resource: { index: number; added: number }) => object>> = {
    add: ({ added, index: _, ...rest }) => ({ op: 'add', data: { ...book(added), ...rest } }),
    update: ({ index, added: _, ...rest }) => ({ op: 'update', data: { ...book(index), ...rest } }),
    media: ({ index }) => link('media', index),
    books: ({ index }) => link('books', index),
  }
  const series = fc
    .tuple(fc.constantFrom(...Object.keys(kinds)), fieldsOf(values), fieldsOf(linked))
    .chain(([kind, chosen, links]) => {
      const all = kind === 'add' ? [...new Set([...chosen, 'title' as const])] : chosen
      const operationOf = (resource: { index: number; added: number }) => kinds[kind]?.(resource) ?? {}
      return fc.array(resources(all, links).map(operationOf), { minLength: 1, maxLength: 5 })
    })
  const requests = fc.array(series, { minLength: 1, maxLength: 3 }).map((all) => all.flat())

  it('equal those of the same operations one by one', async () => {
    const statuses = new Set<number>()
    const check = fc.asyncProperty(requests, fc.boolean(), async (operations, isShown) => {
      const headers = isShown ? { prefer: 'return=representation' } : {}
      const [first, second] = [together, oneByOne].map((api) => operateWith(api, headers, ...operations))
      const [one, other] = [await first, await second]
      statuses.add(one?.status ?? 0)
      expect([one?.status, one?.body]).toEqual([other?.status, other?.body])
      // The names of the tables differ.
      const [rows, expected] = [await together.contents(), await oneByOne.contents()].map((all) =>
        Object.values(Object(all)),
      )
      expect(rows).toEqual(expected)
    })
    await fc.assert(check, { seed: 1, numRuns: 50, endOnFailure: true })
    expect([...statuses].sort()).toEqual([200, 204, 404, 409])
  }, 120_000)

  it('do not depend on the case of a UUID in an id', async () => {
    const title = { op: 'update', data: { ...book(0), attributes: { title: 'old' } } }
    for (const api of [together, oneByOne]) {
      const { version } = (await api.get(`/books/${uuid(0)}`)).body.data.attributes
      const shouting = { ...book(0), id: uuid(0).toUpperCase(), attributes: { title: 'new' } }
      await operate(api, title, { op: 'update', data: shouting, meta: { version: `v${version}` } }).expect(200)
    }
  })
})

const transformer = { to: (text: string) => text, from: (text: string) => (text === 'bad' ? { count: 1n } : text) }

@StoredResource('groups', { clientGeneratedIds: 'allowed' })
class Group {
  @PrimaryColumn('int') id: number
  @Attribute() @Column({ type: 'varchar', length: 20, transformer }) name: string
  @ToMany() @OneToMany('Person', 'group') people: Person[]
  @ToMany() @ManyToMany('Person') @JoinTable({ name: 'run_guests' }) guests: Person[]
}

@StoredResource('people', { table: 'run_person', clientGeneratedIds: 'allowed' })
class Person {
  @PrimaryColumn('int') id: number
  @Attribute() @Column({ type: 'varchar', length: 20 }) name: string
  @Attribute({ capabilities: ['view', 'filter'] }) @VersionColumn() version: number
  @ToOne({ linkage: 'always' }) @ManyToOne('Group', 'people', { nullable: true }) group: Group | null
}

@StoredResource('ticks', { table: 'run_tick', clientGeneratedIds: 'allowed' })
class Tick {
  @PrimaryColumn('int') id: number
  @Attribute() @Column({ type: 'varchar', length: 20 }) name: string
  @Attribute() @VirtualColumn({ type: 'int', query: () => 'select count(*) from run_tick' }) count: number
}

describe('a run is done one by one', () => {
  const add = (type: string, id: string, name: string, relationships: object = {}): object => {
    return { op: 'add', data: { type, id, attributes: { name }, relationships } }
  }
  const update = (id: string, name: string): object => {
    return { op: 'update', data: { type: 'people', id, attributes: { name } }, meta: { version: '*' } }
  }
  const link = (relationship: string, id: string): object => {
    return { op: 'add', ref: { type: 'groups', id: '1', relationship }, data: [{ type: 'people', id }] }
  }
  const key = equals('name', 'key')
  const group = { group: toOne('groups', '1') }
  const rules = {
    group: [define(Person, { filter: () => has('group.people', key) })],
    linkage: [define(Group, { filter: () => has('people', key) })],
    version: [define(Person, { filter: () => equals('version', 1) })],
    name: [define(Person, { filter: () => not(equals('name', 'x')) })],
  }
  const TRIGGER = "create trigger renames after insert on run_guests begin update run_person set name = 'x'; end"
  const MISSING = /related\.not-found.*operations\/1\/data\/0/

  type Case = [string, ResourceDefinition[], object[], RegExp]
  // Other databases need the schema in statements.
  const onSqlite: Case[] = [
    ['a virtual column', [], [add('ticks', '1', 'a'), add('ticks', '2', 'b')], /"count":1.*"count":2/],
    ['a trigger', rules.name, [link('guests', '1'), link('guests', '2')], MISSING],
  ]

  it.each<Case>([
    ...(DATABASE === 'sqlite' ? onSqlite : []),
    ['a rule', rules.group, [add('people', '4', 'a', group), add('people', '5', 'key', group)], /\[{},{"data"/],
    ['linkage', rules.linkage, [update('1', 'a'), update('2', 'key')], /"data":null.*"type":"groups"/],
    ['a transformer', [], [add('groups', '2', 'a'), add('groups', '3', 'bad')], /server\.error/],
    ['a version', rules.version, [link('people', '3'), link('people', '3')], MISSING],
  ])('if %s could see the others, or fail', async (cause, definitions, operations, expected) => {
    await useApi(startApi([Group, Person, Tick], { definitions, onError: () => {} }), async (api) => {
      if (cause === 'a trigger') await api.dataSource.query(TRIGGER)
      await api.add(Group, { id: 1, name: 'one' })
      for (const id of [1, 2, 3]) await api.add(Person, { id, name: 'old', group: id === 3 ? null : { id: 1 } })
      const before = await api.contents()
      const { status, text } = await operate(api, ...operations)
      expect(text).toMatch(expected)
      if (status !== 200) expect(await api.contents()).toEqual(before)
    })
  })
})
