import { Attribute, type ConfigurationWarning, equals, ToMany, ToOne } from 'stemma'
import { Column, ManyToOne, OneToMany, PrimaryGeneratedColumn, type ValueTransformer } from 'typeorm'
import { define, setUp, startApi } from '../../support/api'
import { DATABASE, DATETIME } from '../../support/database'
import { createResource, toOne, updateResource } from '../../support/documents'
import { expectError, resourceKeys, singleError } from '../../support/expectations'
import { ACCEPT, fetchPage, followPages } from '../../support/follow-pages'
import { DerivedResource, HierarchyRoot, StoredResource } from '../../support/resource-decorators'

// Embedded objects. Their members have columns of their own, and are filtered and sorted by like attributes.

const reversed: ValueTransformer = {
  to: (text: string | null) => text && [...text].reverse().join(''),
  from: (text: string | null) => text && [...text].reverse().join(''),
}

class Spot {
  @Column({ type: 'decimal', precision: 8, scale: 2, nullable: true }) north: string | null
  @Column({ type: 'bigint', nullable: true, name: 'the number' }) number: string | null
}

class Address {
  @Column({ type: 'varchar', length: 20, nullable: true }) city: string | null
  @Column({ type: 'boolean', nullable: true, name: 'is old' }) isOld: boolean | null
  @Column({ ...DATETIME, nullable: true }) since: Date | null
  @Column({ type: 'simple-enum', enum: ['poor', 'good', 'best'], nullable: true }) state: string | null
  @Column({ type: 'simple-json', nullable: true }) notes: object | null
  @Column(() => Spot) spot: Spot
}

class Sealed {
  @Column({ type: 'varchar', length: 20, nullable: true, transformer: reversed }) word: string | null
  @Column({ type: 'varchar', length: 20 }) open: string
}

class Lock {
  @Column({ type: 'varchar', length: 20, unique: true }) code: string
}

@HierarchyRoot('places', { abstract: true })
abstract class Place {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column(() => Address) address: Address | null
  @ToOne() @ManyToOne('Place', 'parts', { nullable: true }) whole: Place | null
  @ToMany() @OneToMany('Place', 'whole') parts: Place[]
}

@DerivedResource('houses')
class House extends Place {
  @Attribute() @Column(() => Sealed) plate: Sealed
}

@DerivedResource('rooms')
class Room extends Place {}

@StoredResource('safes')
class Safe {
  @PrimaryGeneratedColumn() id: number
  @Attribute({ capabilities: ['view', 'create'] }) @Column(() => Spot) spot: Spot | null
  @Attribute() @Column(() => Lock) lock: Lock
}

const api = setUp(() =>
  startApi([Place, House, Room, Safe], {
    definitions: [define(Safe, { filter: () => equals('spot.number', 7) })],
    startupLog: (report) => warnings.push(...report.warnings),
  }),
)
const warnings: ConfigurationWarning[] = []
const add = async (type: string, attributes: object, whole?: string) => {
  const relationships = whole === undefined ? {} : { whole: toOne('houses', whole) }
  await createResource(api, type, attributes, relationships).expect(201)
}
const get = (query: string, type = 'places') => api.get(`/${type}?${query}`)

beforeAll(async () => {
  const address = (city: string, north: string, state: string, more: object = {}) => ({
    address: { city, state, spot: { north, number: '9007199254740993' }, ...more },
  })
  const since = '2024-02-29T12:30:00.123Z'
  const oslo = address('Oslo', '59.90', 'good', { since, isOld: true })
  const plate = (word: string) => ({ plate: { word, open: `${word}!` } })
  await add('houses', { ...oslo, ...plate('abc') }) // 1
  await add('houses', { ...address('Rome', '41.90', 'best'), ...plate('xyz') }) // 2
  await add('rooms', { address: null }, '1') // 3
  await add('rooms', address('Bari', '41.12', 'poor', { isOld: false }), '2') // 4
  for (const number of ['7', '8']) await api.add(Safe, { spot: { number }, lock: { code: number } })
})

type FoundError = Readonly<{ source: { pointer: string }; detail: string; code: string }>
const WRONG_NORTH = 'address/spot/north: Expected a number, or a string of its digits, with at most 6 digits before'
const UNKNOWN_CITY = "address/cty: Expected a member of 'address', found 'cty'. Did you mean 'city'?"
const WRONG_AGE = "address/isOld: Expected true or false or null in 'address.isOld', found 7."
const NO_CODE = "lock: Expected a value in 'lock.code', found nothing."
const NULL_CODE = "lock/code: Expected a value in 'lock.code', found null."

describe('an embedded object', () => {
  it('is shown as it was sent, and is part of the state', async () => {
    const { headers, body } = await api.get('/houses/1')
    const spot = { north: '59.90', number: '9007199254740993' }
    const address = { city: 'Oslo', isOld: true, since: '2024-02-29T12:30:00.123Z', state: 'good', notes: null, spot }
    expect(body.data.attributes).toEqual({ address, plate: { word: 'abc', open: 'abc!' } })
    const update = (state: string) => updateResource(api, 'houses', '1', { address: { ...address, state } })
    await update('best').expect(204)
    await update('good')
      .set({ 'if-match': headers.etag ?? '' })
      .expect(412)
    await update('good').expect(204)
  })

  it.each<[string, string, object, ...string[]]>([
    ['a text', 'houses', { address: 'Paris' }, "address: Expected an object that has no members but 'city', 'isOld', "],
    ['an unknown member', 'houses', { address: { cty: 1 } }, UNKNOWN_CITY],
    ['a nested text', 'houses', { address: { spot: 'x' } }, 'address/spot: Expected an object that has no members but'],
    ['a wrong nested member', 'houses', { address: { spot: { north: 'x' } } }, WRONG_NORTH],
    ['a missing member that is required', 'safes', { lock: {} }, NO_CODE],
    ['a member that is null but required', 'safes', { lock: { code: null } }, NULL_CODE],
    ['null', 'safes', { lock: null }, "lock: Expected a value in 'lock', found null."],
    [
      'several mistakes',
      'houses',
      { address: { isOld: 7, cty: 1, spot: { north: 'x' }, city: 'Rome' } },
      ...[WRONG_AGE, WRONG_NORTH, UNKNOWN_CITY],
    ],
    ['mistakes in two objects', 'safes', { spot: { nort: 1 }, lock: {} }, 'spot/nort: Expected a member', NO_CODE],
  ])('can not be %s', async (_what, type, attributes, ...expected) => {
    const needed = type === 'houses' ? { plate: { word: 'a', open: 'a' } } : {}
    const { status, body } = await createResource(api, type, { ...needed, ...attributes })
    const found = body.errors.map(({ code, source, detail }: FoundError) => `${code} ${source.pointer}: ${detail}`)
    const errors = expected.map((each) => expect.stringContaining(`attribute.type /data/attributes/${each}`))
    expect([status, found]).toEqual([422, errors])
  })

  it('is the place of an error of the database', async () => {
    expectError(await createResource(api, 'safes', { lock: { code: '7' } }), 409, '/data/attributes/lock')
  })
})

describe('members of an embedded object', () => {
  it.each([
    ["equals(address.city,'Oslo')", ['houses 1']],
    ['equals(address.city,null)', ['rooms 3']],
    ["not(equals(address.city,'Oslo'))", ['houses 2', 'rooms 3', 'rooms 4']],
    ["startsWith(address.city,'R')", ['houses 2']],
    ["equals(address.isOld,'false')", ['rooms 4']],
    ["equals(address.since,'2024-02-29T12:30:00.123Z')", ['houses 1']],
    ["greaterThan(address.state,'poor')", ['houses 1', 'houses 2']],
    ["lessThan(address.spot.north,'41.9')", ['rooms 4']],
    ["equals(address.spot.number,'9007199254740992')", []],
    ["equals(address.spot.number,'9007199254740993')", ['houses 1', 'houses 2', 'rooms 4']],
    ["equals(whole.address.city,'Rome')", ['rooms 4']],
    ['greaterThan(whole.address.spot.north,address.spot.north)', ['rooms 4']],
    ["has(parts,equals(address.city,'Bari'))", ['houses 2']],
    ["isType(,houses,equals(plate.word,'xyz'))", ['houses 2']],
    ["isType(whole,houses,equals(plate.word,'abc'))", ['rooms 3']],
  ])('are filtered by: %s', async (filter, expected) => {
    expect(resourceKeys(await get(`filter=${filter}`))).toEqual(expected)
  })

  it.each([
    ['address.city', ['rooms 4', 'houses 1', 'houses 2', 'rooms 3']],
    ['-address.city', ['houses 2', 'houses 1', 'rooms 4', 'rooms 3']],
    ['-address.state', ['houses 2', 'houses 1', 'rooms 4', 'rooms 3']],
    ['address.spot.north', ['rooms 4', 'houses 2', 'houses 1', 'rooms 3']],
    ['-whole.address.city,id', ['rooms 4', 'rooms 3', 'houses 1', 'houses 2']],
    ['-plate.open', ['houses 2', 'houses 1', 'rooms 3', 'rooms 4']],
    ['-houses:plate.open', ['houses 2', 'houses 1', 'rooms 3', 'rooms 4']],
  ])('are sorted by: %s', async (sort, expected) => expect(resourceKeys(await get(`sort=${sort}`))).toEqual(expected))

  const SORTS = ['address.city', '-address.city', 'address.spot.north,-id', '-address.since', 'whole.address.state']
  it.each(SORTS)('are paged by cursors: %s', async (sort) => {
    const all = resourceKeys(await fetchPage(api, `/places?sort=${sort}&page[size]=100`))
    expect(all).toHaveLength(4)
    expect((await followPages(api, `/places?sort=${sort}&page[size]=1`, 'next')).flat()).toEqual(all)
  })

  it('have cursors that fit no other order', async () => {
    const { body } = await api.get('/places?sort=address.city&page[size]=1').set(ACCEPT)
    const next: string = body.links.next
    await api.get(next).set(ACCEPT).expect(200)
    const other = await api.get(next.replace('address.city', 'address.state')).set(ACCEPT)
    expectError(other, 400, 'page[after]', 'query.page')
  })

  it('cause a warning at start-up where databases sort them differently', () => {
    const places = warnings.filter(({ kind }) => kind === 'collation-dependent-order').map(({ location }) => location)
    const expected = [expect.stringContaining('Place.address.city, House.plate.word, House.plate.open')]
    expect(places).toEqual(DATABASE === 'sqlite' ? [] : expected)
  })

  it('have no cursors where a transformer changes what is stored', async () => {
    expectError(await api.get('/houses?sort=plate.word&page[size]=1').set(ACCEPT), 400, 'sort', 'query.sort')
  })

  it('may be filtered by in rules when clients may not', async () => {
    expect(resourceKeys(await get('', 'safes'))).toEqual(['safes 1'])
    const { status, detail } = singleError(await get("filter=equals(spot.number,'7')", 'safes'))
    expect([status, detail]).toEqual([
      400,
      "Expected a to-one relationship of 'safes', found the attribute 'spot', which can't be filtered by. At position 8: equals(^spot.number,'7')",
    ])
  })

  it.each([
    ["filter=equals(address.^cty,'x')", "Expected a member of 'address', found 'cty'. Did you mean 'city'?"],
    ["filter=equals(address.spot.^nort,'1')", "Expected a member of 'spot', found 'nort'. Did you mean 'north'?"],
    ["filter=equals(address.spot^,'1')", "Expected '.' and a member of 'spot', found ','."],
    ["filter=equals(address.^'city','x')", "Expected a member of 'address', found the text 'city'."],
    ["filter=equals(address.city^.name,'x')", "Expected ',', found '.'."],
    ["filter=equals(address.notes^.a,'x')", "Expected ',', found '.'."],
    ["filter=equals(address.^notes,'x')", 'Expected a value that can be compared, found one of type json.'],
    ["filter=equals(address.isOld,^'x')", "Expected 'true' or 'false', found 'x'."],
    [
      'filter=isType(,houses,equals(plate.open,^null))',
      "Expected a value, as 'plate.open' is never null, found 'null'.",
    ],
    ["filter=has(address^.city,equals(id,'1'))", "Expected nothing after the attribute 'address', found 'city'."],
    ['sort=address.^cty', "Expected a member of 'address', found 'cty'. Did you mean 'city'?"],
    ['sort=address^', 'Expected a value that has an order, found one of type json.'],
  ])('are named in errors with the position: %s', async (marked, message) => {
    const { status, detail } = singleError(await get(marked.replace('^', '')))
    expect([status, detail.replace(/ At position .*/, '')]).toEqual([400, message])
    expect(detail).toContain('^')
  })
})
