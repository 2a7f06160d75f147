import { Attribute, Resource, ToMany, ToOne } from 'stemma'
import {
  Column,
  Entity,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryGeneratedColumn,
  VersionColumn,
} from 'typeorm'
import { startApi, type TestApi } from '../../support/api'
import { newResource, toMany, toOne } from '../../support/documents'

// A version column is counted up by every write that touches its row, from whichever side.

@Resource('shelves')
@Entity()
class Shelf {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'varchar', length: 20, default: 'Shelf' }) name!: string
  @VersionColumn() version!: number
  @ToMany() @OneToMany('Book', 'shelf') books!: Book[]
  @ToMany() @OneToMany('Book', 'home') homes!: Book[]
}

@Resource('books')
@Entity()
class Book {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'varchar', length: 20, default: 'Book' }) title!: string
  @Attribute() @VersionColumn() version!: number
  @ToOne() @ManyToOne('Shelf', 'books', { nullable: true }) shelf!: Shelf | null
  @ToOne() @ManyToOne('Shelf', 'homes', { nullable: true, onDelete: 'SET NULL' }) home!: Shelf | null
  @ToOne() @OneToOne('Book', 'sequelOf', { nullable: true }) @JoinColumn() sequel!: Book | null
  @ToOne() @OneToOne('Book', 'sequel') sequelOf!: Book | null
  @ToMany() @ManyToMany('Word', 'books') @JoinTable() words!: Word[]
}

@Resource('words')
@Entity()
class Word {
  @PrimaryGeneratedColumn() id!: number
  @ToMany() @ManyToMany('Book', 'words') books!: Book[]
}

let api: TestApi
let [book, other, shelf, word] = ['', '', '', '']

beforeAll(async () => {
  api = await startApi([Shelf, Book, Word])
})
afterAll(() => api.close())
beforeEach(async () => {
  shelf = await api.add(Shelf)
  other = await api.add(Book)
  book = await api.add(Book, {
    shelf: { id: Number(shelf) },
    home: { id: Number(shelf) },
    sequel: { id: Number(other) },
  })
  word = await api.add(Word)
})

const versionOf = async (id: string): Promise<number> => (await api.get(`/books/${id}`)).body.data.attributes.version
const books = (...ids: readonly string[]) => toMany('books', ...ids)
const update = (id: string, rest: object) => api.patch(`/books/${id}`).send({ data: { type: 'books', id, ...rest } })
const newSequel = () => newResource('books', undefined, { sequel: toOne('books', other) })

it.each([
  ['an attribute', () => update(book, { attributes: { title: 'New' } }), 2],
  ['a to-one relationship', () => update(book, { relationships: { shelf: { data: null } } }), 2],
  ['both, once', () => update(book, { attributes: { title: 'New' }, relationships: { shelf: { data: null } } }), 2],
  ['nothing', () => update(book, {}), 1],
  [
    'a to-one relationship at its endpoint',
    () => api.patch(`/books/${book}/relationships/shelf`).send({ data: null }),
    2,
  ],
  ['a table of pairs', () => api.post(`/books/${book}/relationships/words`).send(toMany('words', word)), 2],
  ['being taken out by the other side', () => api.patch(`/shelves/${shelf}/relationships/books`).send({ data: [] }), 2],
  ['being removed by the other side', () => api.delete(`/shelves/${shelf}/relationships/books`).send(books(book)), 2],
  ['staying with the other side', () => api.post(`/shelves/${shelf}/relationships/books`).send(books(book)), 1],
  ['losing its right-hand resource', () => api.delete(`/shelves/${shelf}`), 3],
  ['losing it to another one', () => api.post('/books').send(newSequel()), 2],
  ['losing it from the other end', () => api.patch(`/books/${other}/relationships/sequelOf`).send({ data: null }), 2],
])('%s', async (_what, write, expected) => {
  expect((await write()).status).toBeLessThan(300)
  expect(await versionOf(book)).toBe(expected)
})

it('starts at 1', async () => {
  const { body } = await api.post('/books').send(newResource('books'))
  expect(body.data.attributes.version).toBe(1)
})

it.each<[string, () => [path: string, data: object]]>([
  ['POST', () => ['/books', { type: 'books', attributes: { version: 7 } }]],
  ['PATCH', () => [`/books/${book}`, { type: 'books', id: book, attributes: { version: 7 } }]],
])('is read-only for a %s', async (method, request) => {
  const [path, data] = request()
  const { status, body } = await api.unchanged(() => api.request(method, path).send({ data }))
  expect([status, body.errors[0].code]).toEqual([422, 'attribute.read-only'])
})

it('is the token of the ETag, shown or not', async () => {
  const etagOf = async (path: string) => (await api.get(path)).headers.etag
  await update(book, { attributes: { title: 'New' } })
  expect(await etagOf(`/books/${book}`)).toMatch(/^"v2\.[\w-]{27}"$/)
  expect(await etagOf(`/books/${book}?fields[books]=title`)).toMatch(/^"v2\./)
  expect(await etagOf(`/books/${book}/relationships/shelf`)).toMatch(/^"v2\./)
  expect(await etagOf(`/shelves/${shelf}`)).toMatch(/^"v1\./)
})
