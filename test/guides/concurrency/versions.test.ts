import { Attribute, ToMany, ToOne } from 'stemma'
import { Column, ManyToMany, ManyToOne, OneToMany, OneToOne, PrimaryGeneratedColumn, VersionColumn } from 'typeorm'
import { define, ref, setUp, startApi } from '../../support/api'
import { createResource, toMany, toOne, updateResource } from '../../support/documents'
import { OwnerManyToMany, OwnerOneToOne, StoredResource } from '../../support/resource-decorators'

@StoredResource('shelves')
class Shelf {
  @PrimaryGeneratedColumn() id!: number
  @VersionColumn() version!: number
  @ToMany() @OneToMany('Book', 'shelf') books!: Book[]
  @ToMany() @OneToMany('Book', 'home') homes!: Book[]
}

@StoredResource('books')
class Book {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'varchar', length: 20, default: 'Book' }) title!: string
  @Attribute() @VersionColumn() version!: number
  @ToOne() @ManyToOne('Shelf', 'books', { nullable: true }) shelf!: Shelf | null
  @ToOne() @ManyToOne('Shelf', 'homes', { nullable: true, onDelete: 'SET NULL' }) home!: Shelf | null
  @ToOne() @OwnerOneToOne('Book', 'sequelOf', { nullable: true }) sequel!: Book | null
  @ToOne() @OneToOne('Book', 'sequel') sequelOf!: Book | null
  @ToMany() @OwnerManyToMany('Word', 'books') words!: Word[]
}

@StoredResource('words')
class Word {
  @PrimaryGeneratedColumn() id!: number
  @ToMany() @ManyToMany('Book', 'words') books!: Book[]
}

const hiding = define<Book>(Book, {
  fields: (names, context) => (context === 'hidden' ? [...names].filter((name) => name !== 'version') : names),
})
const api = setUp(() =>
  startApi([Shelf, Book, Word], { context: (request) => request.headers['x-version'], definitions: [hiding] }),
)
let [book, other, shelf, word] = ['', '', '', '']
beforeEach(async () => {
  shelf = await api.add(Shelf)
  other = await api.add(Book)
  book = await api.add(Book, { shelf: ref(shelf), home: ref(shelf), sequel: ref(other) })
  word = await api.add(Word)
})

const update = (attributes?: object, relationships?: object) =>
  updateResource(api, 'books', book, attributes, relationships)
const books = (method: string, ids: readonly string[], id = shelf) =>
  api.request(method, `/shelves/${id}/relationships/books`).send(toMany('books', ...ids))
const title = { title: 'New' }
const sequel = () => ({ sequel: toOne('books', other) })
const empty = (path: string) => api.patch(path).send({ data: null })
const noShelf = { shelf: { data: null } }

it.each([
  ['an update of an attribute', () => update(title), 2],
  ['an update of a to-one relationship', () => update(undefined, noShelf), 2],
  ['an update of both', () => update(title, noShelf), 2],
  ['an update of nothing', () => update(), 1],
  ['PATCH of a to-one relationship', () => empty(`/books/${book}/relationships/shelf`), 2],
  ['POST of pairs', () => api.post(`/books/${book}/relationships/words`).send(toMany('words', word)), 2],
  ['replacement at the other end', () => books('PATCH', []), 2],
  ['removal at the other end', () => books('DELETE', [book]), 2],
  ['a move from the other end', async () => books('PATCH', [book], await api.add(Shelf)), 2],
  ['addition of a member that is there', () => books('POST', [book]), 1],
  ['deletion of the related resource, under two relationships', () => api.delete(`/shelves/${shelf}`), 3],
  ['a new resource that takes its partner', () => createResource(api, 'books', undefined, sequel()), 2],
  ['emptying a one-to-one relationship from the other end', () => empty(`/books/${other}/relationships/sequelOf`), 2],
])('has the expected version after %s', async (_what, write, expected) => {
  expect((await write()).status).toBeLessThan(300)
  expect((await api.get(`/books/${book}`)).body.data.attributes.version).toBe(expected)
})

it('has the version in the ETag, whether it is an attribute or not', async () => {
  const getEtag = async (path: string) => (await api.get(path)).headers.etag
  await update(title)
  expect(await getEtag(`/books/${book}`)).toMatch(/^"v2\.[\w-]{27}"$/)
  expect(await getEtag(`/books/${book}?fields[books]=title`)).toMatch(/^"v2\./)
  expect(await getEtag(`/books/${book}/relationships/shelf`)).toMatch(/^"v2\./)
  expect(await getEtag(`/shelves/${shelf}`)).toMatch(/^"v1\./)
})

it('does not decide between 200 and 204 if a rule hides the version', async () => {
  expect((await update(title)).status).toBe(200)
  expect((await update(title).set('x-version', 'hidden')).status).toBe(204)
})
