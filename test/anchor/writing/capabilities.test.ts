import { Attribute, Resource, ToMany, ToOne } from 'stemma'
import { Column, Entity, JoinTable, ManyToMany, ManyToOne, PrimaryGeneratedColumn } from 'typeorm'
import { startApi, type TestApi } from '../../support/api'
import { outcomeOf } from '../../support/expectations'
import { many, one } from './support/office'

// What clients may write of each field. A relationship that they may not is 403 (the anchor: 422), an attribute 422.

@Resource('books')
@Entity('books')
class Book {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'varchar', default: '' }) title!: string
  @Attribute({ capabilities: ['view', 'create'] }) @Column({ type: 'varchar', default: '' }) isbn!: string
  @Attribute({ capabilities: ['view', 'change'] }) @Column({ type: 'int', default: 0 }) rating!: number
  @Attribute({ capabilities: ['create', 'change'] }) @Column({ type: 'varchar', default: '' }) secret!: string
  @ToOne() @ManyToOne('Person', { nullable: true }) author!: Person | null
  @ToOne({ capabilities: ['view'] }) @ManyToOne('Person', { nullable: true }) printer!: Person | null
  @ToMany({ capabilities: ['view', 'add', 'remove'] })
  @ManyToMany('Person')
  @JoinTable({ name: 'book_readers' })
  readers!: Person[]
  @ToMany({ capabilities: ['view', 'set', 'create'] })
  @ManyToMany('Person')
  @JoinTable({ name: 'book_owners' })
  owners!: Person[]
}

@Resource('people')
@Entity('people')
class Person {
  @PrimaryGeneratedColumn() id!: number
}

const BOOKS = [Book, Person]
let api: TestApi
beforeAll(async () => {
  api = await startApi(BOOKS)
  await api.add(Book)
  await api.add(Person)
})
afterAll(() => api.close())

const create = (members: object) => api.post('/books').send({ data: { type: 'books', ...members } })
const update = (members: object) => api.patch('/books/1').send({ data: { type: 'books', id: '1', ...members } })
const NOBODY = one('people', '99')
const NONE = many('people', '99')

describe('refused in a resource is', () => {
  it.each<readonly [rule: string, write: typeof create, members: object, expected: string]>([
    [
      'D-04: an attribute that can not be created',
      ...([create, { attributes: { rating: 1 } }, '422 attribute.read-only /data/attributes/rating'] as const),
    ],
    [
      'D-05: one that can not be changed',
      ...([update, { attributes: { isbn: '1' } }, '422 attribute.read-only /data/attributes/isbn'] as const),
    ],
    [
      'D-08: whatever its value, all outcomeOf of together',
      ...([update, { attributes: { isbn: 1, title: 1 } }] as const),
      '422 attribute.read-only /data/attributes/isbn, 422 attribute.value /data/attributes/title',
    ],
    [
      'N-01: overruled: a to-one relationship that can not be set: 403',
      ...([update, { relationships: { printer: NOBODY } }] as const),
      '403 relationship.read-only /data/relationships/printer',
    ],
    [
      'N-01: or given to a new one',
      ...([create, { relationships: { printer: NOBODY } }] as const),
      '403 relationship.read-only /data/relationships/printer',
    ],
    [
      'N-01: a to-many relationship that can not be set',
      ...([update, { relationships: { readers: NONE } }] as const),
      '403 relationship.read-only /data/relationships/readers',
    ],
  ])('%s', async (_rule, write, members, expected) => {
    expect(outcomeOf(await api.unchanged(() => write(members)))).toBe(expected)
  })
})

describe('refused at a relationship endpoint, whoever is named, is', () => {
  it.each([
    ['N-01: setting one', 'PATCH', 'printer', NOBODY, '403 relationship.read-only'],
    ['N-01: setting many', 'PATCH', 'readers', NONE, '403 relationship.read-only'],
    ['N-02: adding', 'POST', 'owners', NONE, '403 relationship.read-only'],
    ['N-03: removing', 'DELETE', 'owners', NONE, '403 relationship.read-only'],
    ['N-04: before the data is looked at', 'PATCH', 'readers', { data: 5 }, '403 relationship.read-only'],
    ['N-04: after the kind of relationship', 'POST', 'printer', NONE, '403 relationship.to-one'],
  ])('%s: %s %s', async (_rule, method, name, body, expected) => {
    expect(outcomeOf(await api.unchanged(() => api.request(method, `/books/1/relationships/${name}`).send(body)))).toBe(
      expected,
    )
  })
})

it.each([
  ['N-02: adding, where only that may be done', 'POST', 'readers'],
  ['N-03: removing, where that may be done', 'DELETE', 'readers'],
  ['N-01: setting, where that may be done', 'PATCH', 'owners'],
])('%s, is done: %s %s', async (_rule, method, name) => {
  const sending = () => api.request(method, `/books/1/relationships/${name}`).send(many('people', '1'))
  expect(outcomeOf(await sending())).toBe('204')
})

describe('where a field says nothing', () => {
  it('N-05: everything is allowed', async () => {
    expect(outcomeOf(await update({ attributes: { title: 'x' }, relationships: { author: one('people', '1') } }))).toBe(
      '204',
    )
  })

  it('N-05: what the application says holds, and what a field says stands in for it', async () => {
    const reading = await startApi(BOOKS, { capabilities: { attribute: ['view'], toOne: ['view'] } })
    const data = { type: 'books', attributes: { title: 'x', isbn: '1' }, relationships: { author: NOBODY } }
    expect(outcomeOf(await reading.unchanged(() => reading.post('/books').send({ data })))).toBe(
      '422 attribute.read-only /data/attributes/title, 403 relationship.read-only /data/relationships/author',
    )
    await reading.close()
  })
})

it('N-06: what can not be seen can be written', async () => {
  const { body } = await create({ attributes: { secret: 's' } })
  expect(body.data.attributes).not.toHaveProperty('secret')
  expect(await api.dataSource.getRepository(Book).findOneByOrFail({ secret: 's' })).toMatchObject({ secret: 's' })
})
