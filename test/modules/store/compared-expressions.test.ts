import { Attribute, defineFunction, Resource, ResourceDefinition, ToOne } from 'stemma'
import type { Response } from 'supertest'
import { ChildEntity, Column, Entity, ManyToOne, PrimaryColumn, TableInheritance } from 'typeorm'
import { startApi, type TestApi } from '../../support/api'
import { DATABASE } from '../../support/database'
import { resourceKeys } from '../../support/expectations'
import type { Tables } from '../../support/lay-tables'

// Where a value is not that of a column itself, but of an expression or of one of several tables, databases have forgotten what the column
// was declared as.

/** Neither in the order of the alphabet, nor in the reverse. */
const STATES = ['good', 'poor', 'best', 'fair'] as const

/** A float of 32 bits, where there are such. */
const SINGLE = DATABASE === 'postgres' ? 'real' : 'float'

@Resource('things', { clientIds: 'required' })
@Entity()
@TableInheritance({ column: { type: 'varchar', length: 20, name: 'kind' } })
abstract class Thing {
  @PrimaryColumn({ type: 'bigint' }) id: string
  @Attribute() @Column({ type: 'bigint', nullable: true }) size: string | null
  @Attribute() @Column({ type: 'simple-enum', enum: STATES, nullable: true }) state: string | null
  @ToOne() @ManyToOne('Thing', { nullable: true }) whole: Thing | null
}

@Resource('books')
@ChildEntity()
class Book extends Thing {}

@Resource('films')
@ChildEntity()
class Film extends Thing {}

@Resource('loans', { clientIds: 'required' })
@Entity()
class Loan {
  @PrimaryColumn({ type: 'varchar', length: 20 }) id: string
  @Attribute() @Column({ type: SINGLE, nullable: true }) share: number | null
  @ToOne() @ManyToOne('Thing', { nullable: true }) thing: Thing | null
}

/** What clients see of things is seen of films only, then. */
class BookRules extends ResourceDefinition<Book> {
  readonly resource = Book
  override fields = (names: ReadonlySet<string>) => new Set([...names].filter((name) => name !== 'size'))
}

const same = defineFunction({
  name: 'same',
  takes: ['bigint'],
  gives: 'bigint',
  toSql: (sql, [value]) => sql`coalesce(${value}, null)`,
})

const [BEFORE, BIG, BEHIND] = ['9007199254740992', '9007199254740993', '9007199254740994']
const CURSORS = {
  accept: 'application/vnd.api+json; profile="https://jsonapi.org/profiles/ethanresnick/cursor-pagination/"',
}

describe.each<Tables>(['single', 'joined', 'perConcreteType'])('values of tables that are %s', (tables) => {
  let api: TestApi

  beforeAll(async () => {
    api = await startApi([Thing, Book, Film, Loan], { tables, functions: [same], definitions: [new BookRules()] })
    const add = async (type: string, id: string, attributes: object, relationships = {}) => {
      await api
        .post(`/${type === 'loans' ? type : 'things'}`)
        .send({
          data: { type, id, attributes, relationships },
        })
        .expect(201)
    }
    const thing = (type: string, id: string) => ({ data: { type, id } })
    await add('films', BIG, { size: BIG, state: 'poor' })
    await add('films', '2', { size: BEFORE, state: 'best' })
    await add('films', '3', { size: BEHIND, state: 'good' })
    await add('books', '4', { size: BIG, state: 'fair' })
    await add('films', '5', {}, { whole: thing('films', BIG) })
    await add('books', '6', {}, { whole: thing('films', '2') })
    const lent = [
      ['films', BIG],
      ['films', '2'],
      ['films', '3'],
      ['books', '4'],
    ] as const
    for (const [index, [type, id]] of lent.entries())
      await add('loans', `l${index + 1}`, {}, { thing: thing(type, id) })
    await add('loans', 'l5', { share: 0.1 })
    await add('loans', 'l6', { share: -2.5 })
  })
  afterAll(() => api.close())

  const idsOf = (answer: Response) => resourceKeys(answer).map((key) => key.replace(/^\w+ /, ''))
  const found = async (path: string) => idsOf(await api.get(path))
  const walked = async (path: string) => {
    const ids: string[] = []
    for (let next: string | null = `${path}&page[size]=1`; next !== null; ) {
      const answer: Response = await api.get(next).set(CURSORS)
      ids.push(...idsOf(answer))
      next = answer.body.links.next
    }
    return ids
  }

  it.each([
    [`/things?filter=equals(size,'${BIG}')`, [BIG]],
    [`/things?filter=lessThan(size,'${BIG}')`, ['2']],
    [`/things?filter=greaterOrEqual(size,'${BIG}')&sort=size`, [BIG, '3']],
    [`/things?filter=any(size,'${BIG}','${BEFORE}')&sort=size`, ['2', BIG]],
    [`/things?filter=equals(same(size),'${BIG}')`, [BIG]],
    [`/things?filter=equals(size,same('${BIG}'))`, [BIG]],
    [`/things?filter=equals(whole.size,'${BIG}')`, ['5']],
    [`/things?filter=lessThan(whole.size,'${BIG}')`, ['6']],
    [`/things?filter=equals(whole.id,'${BIG}')`, ['5']],
    [`/loans?filter=any(thing.id,'${BIG}','4')&sort=id`, ['l1', 'l4']],
    [`/loans?filter=greaterThan(thing.size,'${BEFORE}')&sort=id`, ['l1', 'l3']],
    [`/loans?filter=lessOrEqual(thing.size,same('${BEFORE}'))`, ['l2']],
  ])('compares large integers to the last digit in %s', async (path, ids) => {
    expect(await found(path)).toEqual(ids)
  })
  it.each([
    ['/loans?sort=thing.state,id', 'l3 l1 l2 l4 l5 l6'],
    ['/loans?sort=-thing.state,id', 'l4 l2 l1 l3 l5 l6'],
    ['/things?sort=state,id', `3 ${BIG} 2 4 5 6`],
    ['/things?sort=-state,id', `4 2 ${BIG} 3 5 6`],
    ['/things?sort=whole.state,id', `5 6 2 3 4 ${BIG}`],
    ['/things?sort=-whole.state,id', `6 5 2 3 4 ${BIG}`],
  ])('sorts enums by their declaration in %s, and loses none by cursors', async (path, ids) => {
    expect(await found(path)).toEqual(ids.split(' '))
    expect(await walked(path)).toEqual(ids.split(' '))
  })
  it.each([
    ["equals(share,'0.1')", 'l5'],
    ["any(share,'0.1','7')", 'l5'],
    ["greaterThan(share,'0.1')", ''],
    ["greaterOrEqual(share,'0.1')", 'l5'],
    ["lessThan(share,'0.1')", 'l6'],
    ["lessOrEqual(share,'0.1')", 'l5 l6'],
    ["lessThan(share,'1e30')", 'l5 l6'],
    ["greaterThan(share,'-1e30')", 'l5 l6'],
  ])('compares a float as documents show it in %s', async (filter, ids) => {
    expect((await found(`/loans?filter=${filter}&sort=id`)).join(' ')).toBe(ids)
  })

  it('answers what is more than a float of 32 bits', async () => {
    const { status } = await api
      .get("/loans?filter=lessThan(share,'1e300')")
      .expect(DATABASE === 'postgres' ? 400 : 200)
    if (status === 200) expect(await found("/loans?filter=lessThan(share,'1e300')&sort=id")).toEqual(['l5', 'l6'])
    if (DATABASE === 'mariadb') expect(await found("/loans?filter=equals(share,'1e-300')")).toEqual([])
  })
})
