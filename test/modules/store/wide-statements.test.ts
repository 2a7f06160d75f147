import { Attribute, Resource, type ResourceClass, ToOne } from 'stemma'
import {
  ChildEntity,
  Column,
  Entity,
  ManyToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  TableInheritance,
} from 'typeorm'
import { setUp, startApi } from '../../support/api'
import { DATABASE } from '../../support/database'
import { expectError, resourceKeys } from '../../support/expectations'
import { HierarchyRoot, StoredResource } from '../../support/resource-decorators'

// SQLite joins at most 64 tables in a statement, MariaDB 61; PostgreSQL has no limit.

@StoredResource('people')
class Person {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 20 }) name: string
  @ToOne() @ManyToOne('Person', { nullable: true }) father: Person | null
  @ToOne() @ManyToOne('Person', { nullable: true }) mother: Person | null
}

describe('paths through many tables', () => {
  const LONGEST = 20
  const api = setUp(() => startApi([Person], { limits: { cost: null } }))
  beforeAll(async () => {
    const mother = await api.add(Person, { name: 'Eve' })
    await api.add(Person, { name: 'Abel', mother })
  })

  /** Each shares one step more with the one before. */
  const paths = (count: number) =>
    Array.from({ length: count }, (_, place) => `${'mother.'.repeat(place)}${'father.'.repeat(LONGEST - place)}name`)
  const filterBy = (count: number) => `/people?filter=and(${paths(count).map((path) => `equals(${path},null)`)})`
  const sortBy = (count: number) => `/people?sort=-mother.name,${paths(count)}`

  it.each([
    [filterBy(2), 'people 1, people 2'],
    [sortBy(2), 'people 2, people 1'],
  ])('are read: %s', async (path, expected) => expect(resourceKeys(await api.get(path)).join(', ')).toBe(expected))

  it.each([
    ['filter', filterBy(4), 'people 1, people 2'],
    ['sort', sortBy(4), 'people 2, people 1'],
  ])('return 400 on SQLite and MariaDB in a %s when there are too many', async (parameter, path, expected) => {
    const response = await api.get(path)
    if (DATABASE === 'postgres') return expect(resourceKeys(response).join(', ')).toBe(expected)
    expectError(response, 400, parameter, `query.${parameter}`)
    expect(response.body.errors[0].detail).toContain('more joins than the database allows')
  })
})

@HierarchyRoot('parts', { abstract: true })
abstract class Part {
  @PrimaryGeneratedColumn() id: number
  @ToOne() @ManyToOne('Part', { nullable: true }) next: Part | null
}

@HierarchyRoot('pieces', { abstract: true, clientGeneratedIds: 'required' })
abstract class Piece {
  @PrimaryColumn({ type: 'int' }) id: number
  @ToOne() @ManyToOne('Piece', { nullable: true }) next: Piece | null
}

function makeKinds(Base: typeof Part, count: number): readonly ResourceClass[] {
  return Array.from({ length: count }, (_, place) => {
    class Kind extends Base {}
    Object.defineProperty(Kind, 'name', { value: `${Base.name}${place}` })
    Column({ type: 'int' })(Kind.prototype, `size${place}`)
    Attribute()(Kind.prototype, `size${place}`)
    ChildEntity()(Kind)
    Resource(`${Base.name.toLowerCase()}${place}`)(Kind)
    return Kind
  })
}

describe('a hierarchy of more types than a statement can join tables', () => {
  const kinds = makeKinds(Part, 65)
  const [first = Part, last = Part] = [kinds[0], kinds[64]]
  const api = setUp(() => startApi([Part, ...kinds], { tables: 'joined' }))
  beforeAll(async () => {
    const next = await api.add(first, { size0: 10 })
    await api.add(last, { size64: 20, next })
  })

  it.each(['/parts', '/part64/2?include=next', '/parts?sort=part64:size64'])('is read: %s', async (path) => {
    const { status, body } = await api.get(path)
    expect([status, body.errors]).toEqual([200, undefined])
    const found = [body.data, body.included ?? []].flat()
    const byType = Object.fromEntries(found.map(({ type, attributes }) => [type, attributes]))
    expect(byType).toEqual({ part0: { size0: 10 }, part64: { size64: 20 } })
  })

  it.each([
    ["isType(,part64,equals(size64,'20'))", ['part64 2'], ['part64', 'part64']],
    ['or(isType(,part64),and(isType(,part0),not(isType(,part0))))', ['part64 2'], ['part64']],
    ["isType(next,part0,equals(size0,'10'))", ['part64 2'], expect.anything()],
    ["isType(next,part0,equals(size0,'11'))", [], expect.anything()],
  ])('is filtered, and only tables of types that can pass are joined: %s', async (filter, expected, joined) => {
    const check = async () => expect(resourceKeys(await api.get(`/parts?filter=${filter}`))).toEqual(expected)
    const texts = await api.statementsOf(check)
    expect([...texts.join().matchAll(/left join \S*?(\w+)\W /g)].map(([, table]) => table)).toEqual(joined)
  })

  it('shows, counts and follows no row of an unknown type', async () => {
    await api.dataSource.query(`update ${api.dataSource.getMetadata(Part).tablePath} set kind = 'none' where id = 1`)
    const list = await api.get('/parts')
    expect([resourceKeys(list), list.body.meta]).toEqual([['part64 2'], { total: 1 }])
    const { body } = await api.get('/part64/2?include=next')
    expect([body.data.relationships.next.data, body.included]).toEqual([null, []])
    expect(resourceKeys(await api.get('/parts?filter=equals(next,null)'))).toEqual(['part64 2'])
    await api.get('/parts/1').expect(404)
    expect((await api.get('/parts/2/next')).body.data).toBeNull()
  })
})

it('an enum of all types needs no condition', async () => {
  @Resource('shapes', { abstract: true })
  @Entity()
  @TableInheritance({ column: { type: 'simple-enum', enum: ['Shape0', 'Shape1'], name: 'kind' } })
  abstract class Shape {
    @PrimaryGeneratedColumn() id: number
    @ToOne() @ManyToOne('Shape', { nullable: true }) next: Shape | null
  }
  const api = await startApi([Shape, ...makeKinds(Shape, 2)], { tables: 'single' })
  const texts = await api.statementsOf(() => api.get('/shapes?filter=equals(next.id,null)').expect(200))
  expect(texts.join()).not.toContain(' in (')
  await api.close()
})

describe('a long path over rows that lie in several tables', () => {
  const kinds = makeKinds(Piece, 5)
  const api = setUp(() => startApi([Piece, ...kinds], { tables: 'tablePerConcreteClass' }))
  beforeAll(async () => {
    // One more than the path has steps.
    for (let place = 0; place <= 20; place += 1) {
      const next = place === 0 ? null : place
      await api.add(kinds[place % 5] as ResourceClass, { id: place + 1, [`size${place % 5}`]: place, next })
    }
  })

  // 100 tables are more than SQLite and MariaDB join. PostgreSQL joins them, but expects so many rows that it does not end.
  it.each([20, 12, 8, 1])('is followed for %i steps', async (steps) => {
    const path = Array<string>(steps).fill('next').join('.')
    const { body } = await api.get(`/pieces?filter=not(equals(${path},null))&page[size]=30`)
    expect(body.data).toHaveLength(21 - steps)
    const furthest = await api.get(`/pieces?filter=isType(${path},piece0,equals(size0,'0'))`)
    expect(resourceKeys(furthest)).toEqual([`piece${steps % 5} ${steps + 1}`])
  })
})
