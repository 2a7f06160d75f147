import { Attribute, JsonApiError, Resource, ToMany, ToOne } from 'stemma'
import {
  AfterInsert,
  AfterLoad,
  AfterRemove,
  BeforeInsert,
  BeforeUpdate,
  ChildEntity,
  Column,
  Entity,
  type EntitySubscriberInterface,
  type InsertEvent,
  ManyToOne,
  OneToMany,
  PrimaryGeneratedColumn,
  type RemoveEvent,
  TableInheritance,
  type UpdateEvent,
} from 'typeorm'
import { apiOver, type TestApi } from '../../support/api'
import { openDatabase } from '../../support/database'
import { findRow } from '../../support/find-rows'
import { byTables } from '../../support/lay-tables'
import { startServer } from '../../support/server'

// Listeners of entities and subscribers are told of what is written and read through the API, as if TypeORM had done it.

const told: string[] = []

@Resource('authors')
@Entity()
class Author {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) name: string
  @ToMany() @OneToMany('Work', 'author') works: Work[]
}

/** Like the numbers of many a library, it has a function of its own, and can't be cloned. */
class Money {
  readonly text: string
  readonly toJSON: () => string
  constructor(text: string) {
    this.text = text
    this.toJSON = () => text
  }
}

const money = {
  to: (held: Money | string | undefined) => held && String(held instanceof Money ? held.text : held),
  from: (text: string | null) => text && new Money(text),
}

@Resource('works', { abstract: true })
@Entity()
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
abstract class Work {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) title: string
  @Attribute() @Column({ type: 'varchar', length: 40, default: '' }) slug: string
  /** No attribute: only listeners write it. */
  @Column({ type: 'int', default: 0 }) edits: number
  @Column({ type: 'varchar', length: 9, default: '9.50', transformer: money }) price: Money
  @ToOne() @ManyToOne('Author', 'works', { onDelete: 'SET NULL' }) author: Author | null

  @BeforeInsert()
  @BeforeUpdate()
  makeSlug() {
    this.slug = this.title.toLowerCase().replaceAll(' ', '-')
    this.edits = (this.edits ?? 0) + 1
    if (this.title === 'Signed') this.author = Object.assign(new Author(), { id: Number(author) })
    if (this.title === 'Anonymous') this.author = null
  }

  @AfterInsert()
  tellInserted() {
    told.push(`inserted ${this.constructor.name} ${this.id} of ${this.author?.id}`)
  }

  @AfterRemove()
  tellRemoved() {
    told.push(`removed ${this.title}`)
  }
}

@Resource('books')
@ChildEntity()
class Book extends Work {
  @Attribute() @Column({ type: 'int', default: 0 }) pages: number

  @AfterLoad()
  round() {
    this.pages = Math.round(this.pages / 10) * 10
  }
}

@Resource('films')
@ChildEntity()
class Film extends Work {}

/** Of one type. */
class FilmSubscriber implements EntitySubscriberInterface<Film> {
  listenTo() {
    return Film
  }
  async beforeUpdate({ entity, databaseEntity, updatedColumns, updatedRelations }: UpdateEvent<Film>) {
    const columns = updatedColumns.map(({ propertyName }) => propertyName)
    const relations = updatedRelations.map(({ propertyName }) => propertyName)
    told.push(`film ${databaseEntity.title} -> ${entity?.title}: ${[...columns, ...relations]}`)
  }
  async beforeRemove({ databaseEntity }: RemoveEvent<Film>) {
    if (databaseEntity.title === 'Kept') throw new Error('This one stays.')
    if (databaseEntity.title === 'Refused') throw new JsonApiError({ title: 'This one stays.' })
  }
}

/** Of all. */
class Journal implements EntitySubscriberInterface {
  async afterInsert({ manager, metadata, entity }: InsertEvent<{ name?: string }>) {
    if (metadata.target === Author) await manager.update(Author, { name: entity.name }, { name: `${entity.name}!` })
  }
  afterTransactionCommit() {
    if (isLateJournal) throw new Error('The journal is late.')
  }
}

/** Of all, as it says itself. */
class Proofreader implements EntitySubscriberInterface {
  listenTo() {
    return Object
  }
  beforeInsert({ entity }: InsertEvent<{ name?: string }>) {
    if (entity.name !== undefined) entity.name = entity.name.trim()
  }
}

let isLateJournal = false
const reported: unknown[] = []

let api: TestApi
let author: string

beforeAll(async () => {
  const database = await openDatabase([Author, Work, Book, Film])
  database.dataSource.subscribers.push(new FilmSubscriber(), new Journal())
  const { dataSource } = database
  const server = await startServer({
    dataSource,
    resources: [Author, Work, Book, Film],
    report: (error) => reported.push(error),
  })
  api = apiOver(database, server, async () => {
    await server.close()
    await database.close()
  })
  author = (await api.post('/authors').send({ data: { type: 'authors', attributes: { name: 'Ada' } } })).body.data.id
})

afterAll(() => api.close())

beforeEach(() => {
  told.length = 0
})

async function create(type: string, attributes: object, relationships: object = {}): Promise<string> {
  const { body } = await api.post('/works').send({ data: { type, attributes, relationships } }).expect(201)
  return body.data.id
}

async function editsOf(id: string): Promise<number> {
  return (await findRow(api.dataSource, Work, id)).edits
}

describe('a create', () => {
  it('stores what listeners make of it, and tells them', async () => {
    const id = await create('books', { title: 'On Trees' }, { author: { data: { type: 'authors', id: author } } })
    const { body } = await api.get(`/books/${id}`)
    expect(body.data.attributes).toMatchObject({ title: 'On Trees', slug: 'on-trees' })
    expect(told).toEqual([`inserted Book ${id} of ${author}`])
    expect(await editsOf(id)).toBe(1)
  })

  it('is one transaction with the statements of subscribers', async () => {
    expect((await api.get(`/authors/${author}`)).body.data.attributes.name).toBe('Ada!')
  })
})

describe('an update', () => {
  it('stores what listeners make of it, and answers with that', async () => {
    const id = await create('films', { title: 'A', slug: 'x' })
    told.length = 0
    const data = { type: 'films', id, attributes: { title: 'B C' }, relationships: { author: { data: null } } }
    const { status, body } = await api.patch(`/works/${id}`).send({ data })
    expect([status, body.data.attributes]).toEqual([200, { title: 'B C', slug: 'b-c' }])
    expect(told).toEqual(['film A -> B C: title,author'])
    expect(await editsOf(id)).toBe(2)
  })

  it('links what listeners link, as a create does', async () => {
    const linkage = (id: string) => api.get(`/works/${id}/relationships/author`).then(({ body }) => body.data)
    const retitle = (id: string, title: string, relationships: object = {}) =>
      api.patch(`/works/${id}`).send({ data: { type: 'films', id, attributes: { title }, relationships } })
    const signed = { type: 'authors', id: author }
    const id = await create('films', { title: 'Signed' })
    expect(await linkage(id)).toEqual(signed)
    await retitle(id, 'Anonymous', { author: { data: signed } })
    expect(await linkage(id)).toBeNull()
    await retitle(id, 'Signed')
    expect(await linkage(id)).toEqual(signed)
    await retitle(id, 'Neither', { author: { data: null } })
    expect(await linkage(id)).toBeNull()
  })

  it('of a relationship is one too', async () => {
    const id = await create('films', { title: 'D' })
    told.length = 0
    const data = { type: 'authors', id: author }
    await api.patch(`/works/${id}/relationships/author`).send({ data }).expect(204)
    expect(told).toEqual(['film D -> D: author'])
  })

  it('is none where rows change by way of the other end of a relationship', async () => {
    const id = await create('films', { title: 'E' })
    told.length = 0
    const data = [{ type: 'films', id }]
    await api.post(`/authors/${author}/relationships/works`).send({ data }).expect(204)
    expect([told, await editsOf(id)]).toEqual([[], 1])
  })
})

describe('a delete', () => {
  it('is told of', async () => {
    const id = await create('books', { title: 'Gone' })
    await api.delete(`/works/${id}`).expect(204)
    expect(told.at(-1)).toBe('removed Gone')
  })

  it('is undone when a subscriber throws', async () => {
    const id = await create('films', { title: 'Kept' })
    expect((await api.unchanged(() => api.delete(`/films/${id}`))).status).toBe(500)
  })

  it('is refused when a subscriber refuses', async () => {
    const id = await create('films', { title: 'Refused' })
    const { status, body } = await api.unchanged(() => api.delete(`/films/${id}`))
    expect([status, body.errors[0].title]).toEqual([422, 'This one stays.'])
  })
})

describe('a commit', () => {
  it('stands, whatever a subscriber throws when it is told of it', async () => {
    reported.length = 0
    isLateJournal = true
    const id = await create('films', { title: 'Committed' }).finally(() => {
      isLateJournal = false
    })
    expect(reported.map(String)).toEqual(['Error: The journal is late.'])
    await api.get(`/films/${id}`).expect(200)
  })
})

describe('a read', () => {
  it('shows what listeners make of what is loaded, wherever it stands', async () => {
    const id = await create(
      'books',
      { title: 'Pages', pages: 123 },
      { author: { data: { type: 'authors', id: author } } },
    )
    expect((await api.get(`/works/${id}`)).body.data.attributes.pages).toBe(120)
    expect((await api.get(`/works?filter=equals(title,'Pages')`)).body.data[0].attributes.pages).toBe(120)
    const { included } = (await api.get(`/authors/${author}?include=works&fields[books]=pages`)).body
    expect(included.map(({ attributes }: never) => attributes)).toContainEqual({ pages: 120 })
  })

  it('takes one statement more for each type that listens, however many rows there are', async () => {
    const count = async () => (await api.statementsOf(() => api.get('/works?page[size]=100'))).length
    const before = await count()
    for (const title of ['One', 'Two', 'Three']) await create('books', { title })
    const expected = byTables({ single: 2, joined: 3, perConcreteType: 2 })
    expect([before, await count()]).toEqual([expected, expected])
  })

  it('loads nothing where only identifiers are shown', async () => {
    const statements = await api.statementsOf(() => api.get(`/authors/${author}/relationships/works`))
    expect(statements.filter((statement) => statement.includes('pages'))).toEqual([])
  })
})

it('whoever listens to Object hears of all', async () => {
  const database = await openDatabase([Author, Work, Book, Film])
  database.dataSource.subscribers.push(new Proofreader())
  const server = await startServer({ dataSource: database.dataSource, resources: [Author, Work, Book, Film] })
  const { body } = await server.post('/authors').send({ data: { type: 'authors', attributes: { name: ' Eve ' } } })
  expect(body.data.attributes.name).toBe('Eve')
  await server.close()
  await database.close()
})
