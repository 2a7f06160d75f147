import { Attribute, ToMany, ToOne } from 'stemma'
import { Column, CreateDateColumn, ManyToOne, OneToMany, PrimaryColumn } from 'typeorm'
import { setUp, startApi } from '../../support/api'
import { DATABASE, DATETIME } from '../../support/database'
import { createResource, toOne } from '../../support/documents'
import { idsOf, includedKeys } from '../../support/expectations'
import { followPages } from '../../support/follow-pages'
import { DerivedResource, HierarchyRoot, StoredResource } from '../../support/resource-decorators'

// The same rows and requests give the same documents on every database. docs/guide/databases.md lists what differs.

/** Compared byte by byte, which is the default of SQLite. */
const EXACT = DATABASE === 'mariadb' ? { collation: 'utf8mb4_bin' } : DATABASE === 'postgres' ? { collation: 'C' } : {}
const DOUBLE = { type: 'double precision' } as const
const GRADES = ['poor', 'good', 'best'] as const

@StoredResource('accounts', { clientGeneratedIds: 'required' })
class Account {
  @PrimaryColumn({ type: 'bigint' }) id: string
  @ToMany() @OneToMany('Sample', 'account') samples: Sample[]
}

@HierarchyRoot('samples', { clientGeneratedIds: 'required' })
class Sample {
  @PrimaryColumn({ type: 'varchar', length: 20, ...EXACT }) id: string
  @Attribute() @Column({ type: 'varchar', length: 40, nullable: true, ...EXACT }) name: string | null
  @Attribute() @Column({ type: 'varchar', length: 40, nullable: true }) loose: string | null
  @Attribute() @Column({ type: 'simple-enum', enum: GRADES, nullable: true }) grade: string | null
  @Attribute() @Column({ ...DATETIME, nullable: true }) seen: Date | null
  @Attribute() @Column({ type: 'date', nullable: true }) day: string | null
  @Attribute() @Column({ type: 'time', nullable: true }) hour: string | null
  @Attribute() @Column({ type: 'decimal', precision: 12, scale: 2, nullable: true }) price: string | null
  @Attribute() @Column({ type: 'bigint', nullable: true }) big: string | null
  @Attribute() @Column({ type: 'int', nullable: true }) count: number | null
  @Attribute() @Column({ ...DOUBLE, nullable: true }) ratio: number | null
  @Attribute() @Column({ type: 'boolean', nullable: true }) flag: boolean | null
  @Attribute() @Column({ type: 'simple-json', nullable: true }) facts: unknown
  @Attribute() @Column({ type: 'simple-array', nullable: true }) words: string[] | null
  @Attribute() @Column({ type: 'uuid', nullable: true }) code: string | null
  @ToOne() @ManyToOne('Account', 'samples', { nullable: true }) account: Account | null
}

/** Queried through `samples`, its columns are computed: rows of other types lack them. */
@DerivedResource('markedSamples')
class MarkedSample extends Sample {
  @Attribute() @Column({ type: 'simple-enum', enum: GRADES, nullable: true }) mark: string | null
  @Attribute() @Column({ type: 'simple-enum', enum: [...GRADES].reverse(), nullable: true }) aim: string | null
  @Attribute() @Column({ type: 'bigint', nullable: true }) total: string | null
  @Attribute() @Column({ type: 'decimal', precision: 12, scale: 2, nullable: true }) cost: string | null
  @Attribute() @Column({ type: 'varchar', length: 40, nullable: true, ...EXACT }) label: string | null
  @Attribute() @Column({ type: 'boolean', nullable: true }) sold: boolean | null
  @Attribute() @Column({ ...DATETIME, nullable: true }) soldAt: Date | null
  @Attribute() @Column({ ...DOUBLE, nullable: true }) weight: number | null
}

/** Has times finer than milliseconds, and times in the format of a column default. */
@StoredResource('events')
class Event {
  @PrimaryColumn({ type: 'int' }) id: number
  @Attribute() @CreateDateColumn(DATABASE === 'postgres' ? { type: 'timestamptz' } : {}) made: Date
  @Attribute() @Column({ ...DATETIME }) kept: Date
}

const A = '9007199254740993'
const B = '9007199254740992'

const EMPTY = {
  ...{ name: null, loose: null, grade: null, seen: null, day: null, hour: null, price: null, big: null, count: null },
  ...{ ratio: null, flag: null, facts: null, words: null, code: null },
}
const UNMARKED = { mark: null, aim: null, total: null, cost: null, label: null, sold: null, soldAt: null, weight: null }
const CODES = ['0b2f3f5e-7d1c-4c59-9c39-2e4d8f1a6b70', 'f0000000-0000-4000-8000-000000000001']

const ROWS = [
  {
    id: 'a',
    ...EMPTY,
    ...{ name: 'ada', loose: 'ada', grade: 'good', seen: '2024-03-10T02:30:00.000Z', day: '2024-02-29' },
    ...{ hour: '23:59:59', price: '12.30', big: A, count: 1, ratio: 0.1, flag: true },
    ...{ words: ['x', 'y'], code: CODES[0] },
    facts: { z: 1, a: [1.5, 'Ä', null], deep: { true: false } },
  },
  {
    id: 'A',
    ...EMPTY,
    ...{ name: 'Ada', loose: 'Ada', grade: 'best', seen: '2024-03-10T02:30:00.001Z', day: '0999-01-01' },
    ...{ hour: '00:00:00', price: '9.30', big: B, count: 2, ratio: 1e-300, flag: false, words: [], code: CODES[1] },
    facts: [],
  },
  {
    id: 'ä',
    ...EMPTY,
    ...{ name: 'Ädä', loose: 'Ädä', grade: 'poor', seen: '2024-11-03T05:30:00.999Z', day: '9999-12-31' },
    ...{ hour: '12:00:00', price: '-0.05', big: '-9223372036854775808', count: -3, ratio: -2.5, facts: '' },
  },
  { id: 'z', ...EMPTY, name: '', loose: '', seen: '2024-11-03T06:30:00.999Z', facts: 0 },
  { id: 'Z', ...EMPTY, name: '🦊 fox', loose: '🦊 fox', seen: '1969-07-20T20:17:40.000Z', big: '9223372036854775807' },
  { id: '🦊', ...EMPTY, name: '\uff21', loose: 'a%_\\', price: '9999999999.99', seen: '2024-07-01T00:00:00.123Z' },
] as const
const [SOLD, SOLD_LATER] = ['2024-03-10T07:30:00.000Z', '2024-03-10T07:30:00.001Z']
const MARKED = [
  { mark: 'good', aim: 'poor', total: A, cost: '1.10', label: 'b', sold: true, soldAt: SOLD, weight: 0.1 },
  { mark: 'poor', aim: 'good', total: B, cost: '10.00', label: 'B', sold: false, soldAt: SOLD_LATER, weight: 2 },
  { ...UNMARKED, mark: 'best', aim: 'best' },
].map((values, index) => ({ id: `m${index + 1}`, ...EMPTY, ...values }))

const api = setUp(() => startApi([Account, Sample, MarkedSample, Event], { toOneLinkage: 'always' }))

beforeAll(async () => {
  for (const id of [A, B]) await createResource(api, 'accounts', undefined, undefined, id).expect(201)
  for (const { id, ...attributes } of ROWS) {
    const account = toOne('accounts', { a: A, A: B }[id as string] ?? null)
    await createResource(api, 'samples', attributes, { account }, id).expect(201)
  }
  for (const { id, ...attributes } of MARKED)
    await createResource(api, 'markedSamples', attributes, undefined, id).expect(201)
})

const byBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))
const idsBy = async (query: string, path = '/samples') => idsOf(await api.get(`${path}?page[size]=100&${query}`))

it('returns every value as it was sent, byte for byte', async () => {
  const { body } = await api.get('/samples?sort=id&page[size]=100') // anchor: R/J-03, R/J-04, R/J-07
  const shown = body.data.map(({ id, attributes }: { id: string; attributes: object }) => ({ id, ...attributes }))
  const sorted = [...ROWS, ...MARKED].sort((one, other) => byBytes(one.id, other.id))
  expect(JSON.stringify(shown)).toBe(JSON.stringify(sorted))
})

// [sort key, the ids of rows with a value, ascending]
it.each([
  ['name', 'z A a ä 🦊 Z'],
  ['grade', 'ä a A'],
  ['seen', 'Z a A 🦊 ä z'],
  ['day', 'A a ä'],
  ['hour', 'A ä a'],
  ['price', 'ä A a 🦊'],
  ['big', 'ä A a Z'],
  ['count', 'ä a A'],
  ['ratio', 'ä A a'],
  ['flag', 'A a'],
  // MariaDB sorts the type `uuid` by its parts in another order.
  ...(DATABASE === 'mariadb' ? [] : [['code', 'a A']]),
  ['account.id', 'A a'],
  ['mark', 'm2 m1 m3'],
  ['aim', 'm3 m2 m1'],
  ['total', 'm2 m1'],
  ['cost', 'm1 m2'],
  ['label', 'm2 m1'],
  ['sold', 'm2 m1'],
  ['soldAt', 'm1 m2'],
  ['weight', 'm1 m2'],
])('sorts by %s with null last in both directions, and pages by cursors in that order', async (key, expected) => {
  const all = [...ROWS, ...MARKED].map(({ id }) => id)
  const having = expected.split(' ')
  const lacking = all.filter((id) => !having.includes(id)).sort(byBytes)
  expect(await idsBy(`sort=${key}`)).toBe([...having, ...lacking].join(' '))
  expect(await idsBy(`sort=-${key}`)).toBe([...having.toReversed(), ...lacking].join(' '))
  const pages = await followPages(api, `/samples?sort=${key}&page[size]=2`, 'next')
  expect(pages.flat().map((each) => each.split(' ')[1])).toEqual([...having, ...lacking])
})

it.each([
  ["equals(loose,'ada')", 'a'],
  ["equals(loose,'ADA')", ''],
  ["equals(loose,'')", 'z'],
  ["any(loose,'ada','fox','🦊 fox')", 'Z a'],
  ["endsWith(loose,'ä')", 'ä'],
  ["startsWith(loose,'🦊')", 'Z'],
  ["lessThan(name,'a')", 'A z'],
  ["equals(seen,'2024-03-10T02:30:00.001Z')", 'A'],
  ["lessOrEqual(seen,'2024-03-10T02:30:00.000Z')", 'Z a'],
  ["greaterThan(seen,'2024-11-03T05:30:00.999Z')", 'z'],
  ["equals(day,'0999-01-01')", 'A'],
  ["lessThan(hour,'12:00')", 'A'],
  ["equals(price,'9999999999.99')", '🦊'],
  ["lessThan(price,'9.301')", 'A ä'],
  [`greaterThan(big,'${B}')`, 'Z a'],
  [`any(big,'${A}','-9223372036854775808')`, 'a ä'],
  ["equals(ratio,'1e-300')", 'A'],
  ["lessThan(grade,'poor')", ''],
  ["isType(,markedSamples,equals(mark,'good'))", 'm1'],
  ["isType(,markedSamples,greaterThan(mark,'poor'))", 'm1 m3'],
  ['isType(,markedSamples,equals(mark,aim))', 'm3'],
  ['isType(,markedSamples,lessThan(mark,aim))', 'm2'],
  [`isType(,markedSamples,equals(total,'${A}'))`, 'm1'],
  ["isType(,markedSamples,equals(cost,'10'))", 'm2'],
  ["isType(,markedSamples,equals(label,'B'))", 'm2'],
  ["isType(,markedSamples,equals(sold,'false'))", 'm2'],
  ["isType(,markedSamples,equals(soldAt,'2024-03-10T07:30:00.001Z'))", 'm2'],
  ["isType(,markedSamples,lessThan(weight,'1'))", 'm1'],
])('filters by %s', async (filter, expected) => {
  expect(await idsBy(`sort=id&filter=${encodeURIComponent(filter)}`)).toBe(expected)
})

it.each([
  ['a', 200],
  ['A', 200],
  ['🦊', 200],
  ['b', 404],
  ['Ä', 404],
])('compares the id %s exactly, and returns %i', async (id, status) => {
  const { data } = (await api.get(`/samples/${encodeURIComponent(id)}`).expect(status)).body
  expect(data?.id).toBe(status === 200 ? id : undefined)
})

it('keeps all digits of an id', async () => {
  const all = await api.get(`/accounts?include=samples&sort=id`)
  expect([idsOf(all), includedKeys(all)]).toEqual([`${B} ${A}`, ['samples A', 'samples a']])
  expect(includedKeys(await api.get('/samples/a?include=account'))).toEqual([`accounts ${A}`])
  expect(idsOf(await api.get(`/accounts/${A}/samples`))).toBe('a')
})

describe('times finer than milliseconds', () => {
  const kept = new Date('2024-03-10T02:30:00.000Z')
  const made = {
    sqlite: '2024-03-10 02:30:00',
    postgres: '2024-03-10 02:30:00.000456+00',
    mariadb: '2024-03-10 02:30:00.000456',
  }[DATABASE]

  beforeAll(async () => {
    await api.add(Event, { id: 1, kept, made: () => `'${made}'` })
    await api.add(Event, { id: 2, kept, made: kept })
    await api.add(Event, { id: 3, kept, made: new Date(kept.getTime() + 1) })
    await api.add(Event, { id: 4, kept, made: new Date('9999-12-31T23:59:59.999Z') })
  })

  it.each([
    ["equals(made,'2024-03-10T02:30:00Z')", '1 2'],
    ["any(made,'2024-03-10T02:30:00Z','2024-03-10T02:30:00.001Z')", '1 2 3'],
    ["lessThan(made,'2024-03-10T02:30:00Z')", ''],
    ["lessOrEqual(made,'2024-03-10T02:30:00Z')", '1 2'],
    ["greaterThan(made,'2024-03-10T02:30:00Z')", '3 4'],
    ["greaterOrEqual(made,'2024-03-10T02:30:00Z')", '1 2 3 4'],
    ["greaterOrEqual(made,'2024-03-10T02:30:00.001Z')", '3 4'],
    ["equals(made,'9999-12-31T23:59:59.999Z')", '4'],
    ["lessOrEqual(made,'9999-12-31T23:59:59.999Z')", '1 2 3 4'],
    ["greaterThan(made,'9999-12-31T23:59:59.999Z')", ''],
    ['equals(made,kept)', '1 2'],
    ['greaterThan(made,kept)', '3 4'],
    ['greaterOrEqual(kept,made)', '1 2'],
    ["not(equals(made,'2024-03-10T02:30:00Z'))", '3 4'],
  ])('are filtered by %s', async (filter, expected) => {
    expect(await idsBy(`filter=${encodeURIComponent(filter)}`, '/events')).toBe(expected)
  })

  it('are found again by the value that is shown', async () => {
    await api.add(Event, { id: 5, kept })
    const { made } = (await api.get('/events/5')).body.data.attributes
    expect(await idsBy(`filter=equals(made,'${made}')`, '/events')).toBe('5')
    expect(await idsBy(`filter=lessThan(made,'${made}')`, '/events')).toBe('1 2 3')
  })
})
