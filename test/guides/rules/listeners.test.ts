import { Attribute, JsonApiError, ToMany, ToOne } from 'stemma'
import {
  AfterInsert,
  AfterLoad,
  AfterRemove,
  BeforeInsert,
  BeforeUpdate,
  Column,
  DeleteDateColumn,
  type EntitySubscriberInterface,
  ManyToOne,
  OneToMany,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
  VersionColumn,
} from 'typeorm'
import { combineApi, setUp, startServerOn } from '../../support/api'
import { DATETIME, openDatabase } from '../../support/database'
import { createResource, newResource, resource, toMany, toOne, updateResource } from '../../support/documents'
import { expectError } from '../../support/expectations'
import { findRow } from '../../support/find-rows'
import { DerivedResource, HierarchyRoot, StoredResource } from '../../support/resource-decorators'
import { byLayout } from '../../support/table-layout'

// Listeners of entities, and subscribers, run as if TypeORM itself had written or loaded the rows.

const events: string[] = []
/** What listeners that run after a write find in the entity. */
const written: unknown[] = []
const reported: unknown[] = []
let isLateJournal = false
let author: string

@StoredResource('authors', { clientGeneratedIds: 'allowed' })
class Author {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) name: string
  @ToMany() @OneToMany('Work', 'author') works: Work[]
}

/** Has a function of its own, as the numbers of many libraries do, and cannot be cloned. */
class Money {
  text: string
  readonly toJSON = () => this.text
}

const money = {
  to: (held: Money | string | undefined) => held && String(held instanceof Money ? held.text : held),
  from: (text: string | null) => text && Object.assign(new Money(), { text }),
}

@HierarchyRoot('works', { abstract: true })
abstract class Work {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) title: string
  @Attribute() @Column({ type: 'varchar', length: 40, default: '' }) slug: string
  /** No attribute: only listeners write it. */
  @Column({ type: 'int', default: 0 }) edits: number
  @Column({ type: 'varchar', length: 9, default: '9.50', transformer: money }) price: Money
  @UpdateDateColumn(DATETIME) changedAt: Date
  @VersionColumn() version: number
  @ToOne() @ManyToOne('Author', 'works', { onDelete: 'SET NULL' }) author: Author | null

  @BeforeInsert() @BeforeUpdate() makeSlug() {
    this.slug = this.title.toLowerCase().replaceAll(' ', '-')
    this.edits = (this.edits ?? 0) + 1
    if (this.title === 'Signed') this.author = Object.assign(new Author(), { id: Number(author) })
    if (this.title === 'Anonymous') this.author = null
  }
  @AfterInsert() recordInsert() {
    events.push(`inserted ${this.constructor.name} ${this.id} of ${this.author?.id}`)
  }
  @AfterRemove() recordRemove() {
    events.push(`removed ${this.title}`)
  }
}

@DerivedResource('books')
class Book extends Work {
  @Attribute() @Column({ type: 'int', default: 0 }) pages: number
  @AfterLoad() round() {
    this.pages = Math.round(this.pages / 10) * 10
  }
}

@DerivedResource('films')
class Film extends Work {
  @Column({ type: 'int', default: 90, select: false }) minutes: number
}

class Place {
  @Column({ type: 'varchar', length: 20 }) city: string
}

class Home {
  @Column({ type: 'varchar', length: 20 }) street: string
  @Column(() => Place) place: Place
}

@StoredResource('guests')
class Guest {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column(() => Home) home: Home
  @DeleteDateColumn(DATETIME) deletedAt: Date | null
  @AfterLoad() shout() {
    this.home.street = `${this.home.street}!`
  }
  @BeforeUpdate() lower() {
    this.home.place.city = this.home.place.city.toLowerCase()
  }
}

const filmSubscriber: EntitySubscriberInterface<Film> = {
  listenTo: () => Film,
  async beforeUpdate({ entity, databaseEntity, updatedColumns, updatedRelations }) {
    const names = [...updatedColumns, ...updatedRelations].map(({ propertyName }) => propertyName)
    events.push(`film ${databaseEntity.title} -> ${entity?.title}: ${names}`)
  },
  afterInsert({ entity: { version, minutes, price, changedAt }, entityId }) {
    written.push([entityId, version, minutes, price.text, changedAt instanceof Date])
  },
  afterUpdate({ entity, databaseEntity: { changedAt, version } }) {
    written.push([version, entity?.version, entity?.changedAt > changedAt])
  },
  async beforeRemove({ databaseEntity }) {
    if (databaseEntity.title === 'Kept') throw new Error('This one stays.')
    if (databaseEntity.title === 'Refused') throw new JsonApiError({ title: 'This one stays.' })
  },
}

const guestSubscriber: EntitySubscriberInterface<Guest> = {
  listenTo: () => Guest,
  beforeUpdate({ entity, databaseEntity }) {
    const homes = [databaseEntity.home, entity?.home as Home].map(({ street, place }) => `${street} ${place.city}`)
    events.push(homes.join(' -> '))
  },
  afterSoftRemove({ entity }) {
    written.push(entity?.deletedAt instanceof Date)
  },
}

/** Without `listenTo`: of all entities. */
const journal: EntitySubscriberInterface = {
  async afterInsert({ manager, metadata, entity }) {
    if (metadata.target === Author) await manager.update(Author, { name: entity.name }, { name: `${entity.name}!` })
  },
  afterTransactionCommit() {
    if (isLateJournal) throw new Error('The journal is late.')
  },
}

const objectSubscriber: EntitySubscriberInterface = {
  listenTo: () => Object,
  beforeInsert({ entity }) {
    if (entity.name !== undefined) entity.name = entity.name.trim()
  },
}

const api = setUp(async () => {
  const resources = [Author, Work, Book, Film, Guest]
  const database = await openDatabase(resources)
  database.dataSource.subscribers.push(filmSubscriber, guestSubscriber, journal, objectSubscriber)
  return combineApi(database, await startServerOn(database, { resources, onError: (error) => reported.push(error) }))
})
beforeAll(async () => {
  author = (await createResource(api, 'authors', { name: 'Ada' })).body.data.id
})

async function create(type: string, attributes: object, relationships?: object): Promise<string> {
  const sent = newResource(type, attributes, relationships)
  return (await api.post('/works').send(sent).expect(201)).body.data.id
}

/** Creates a film without its events. */
async function createFilm(title: string): Promise<string> {
  const id = await create('films', { title })
  events.length = 0
  return id
}

const editsOf = async (id: string): Promise<number> => (await findRow(api.dataSource, Work, id)).edits

it('passes generated values, and the id, to what runs after a write', async () => {
  written.length = 0
  const film = await create('films', { title: 'New' })
  await api
    .patch(`/works/${film}`)
    .send(resource('films', film, { title: 'Newer' }))
    .expect(200)
  const { id } = (await createResource(api, 'guests', { home: { street: 'Elm', place: { city: 'Bonn' } } })).body.data
  await api.delete(`/guests/${id}`).expect(204)
  expect(written).toEqual([[Number(film), 1, 90, '9.50', true], [1, 2, true], true])
})

describe('a create', () => {
  it('stores the changes of listeners, and runs listeners after the insert', async () => {
    events.length = 0
    const id = await create('books', { title: 'On Trees' }, { author: toOne('authors', author) })
    const { body } = await api.get(`/books/${id}`)
    expect(body.data.attributes).toMatchObject({ title: 'On Trees', slug: 'on-trees' })
    expect(events).toEqual([`inserted Book ${id} of ${author}`])
    expect(await editsOf(id)).toBe(1)
  })

  it('runs the statements of subscribers in its transaction', async () => {
    expect((await api.get(`/authors/${author}`)).body.data.attributes.name).toBe('Ada!')
  })

  it('runs subscribers that listen to Object', async () => {
    const { body } = await createResource(api, 'authors', { name: ' Eve ' })
    expect(body.data.attributes.name).toBe('Eve!')
  })

  it('is returned even with return=minimal, because listeners can change what the client sent', async () => {
    const sent = resource('authors', '900', { name: ' Ida ' })
    const { body } = await api.post('/authors').set('Prefer', 'return=minimal').send(sent).expect(201)
    expect(body.data.attributes.name).toBe('Ida!')
  })
})

describe('an update', () => {
  it('stores the changes of listeners, and returns them', async () => {
    const id = await createFilm('A')
    const sent = resource('films', id, { title: 'B C' }, { author: { data: null } })
    const { body } = await api.patch(`/works/${id}`).send(sent).expect(200)
    expect(body.data.attributes).toEqual({ title: 'B C', slug: 'b-c' })
    expect(events).toEqual(['film A -> B C: title,author'])
    expect(await editsOf(id)).toBe(2)
  })

  it('stores relations that listeners set, as a create does', async () => {
    const linkage = (id: string) => api.get(`/works/${id}/relationships/author`).then(({ body }) => body.data)
    const retitle = (id: string, title: string, relationships?: object) =>
      api.patch(`/works/${id}`).send(resource('films', id, { title }, relationships))
    const signed = toOne('authors', author)
    const id = await create('films', { title: 'Signed' })
    expect(await linkage(id)).toEqual(signed.data)
    await retitle(id, 'Anonymous', { author: signed })
    expect(await linkage(id)).toBeNull()
    await retitle(id, 'Signed')
    expect(await linkage(id)).toEqual(signed.data)
    await retitle(id, 'Neither', { author: { data: null } })
    expect(await linkage(id)).toBeNull()
  })

  it('passes the stored and the new embedded object to listeners and subscribers', async () => {
    const home = (street: string, city: string) => ({ home: { street, place: { city } } })
    const { id } = (await createResource(api, 'guests', home('Elm', 'Bonn'))).body.data
    events.length = 0
    const { status } = await updateResource(api, 'guests', id, home('Oak', 'Ulm'))
    expect([status < 300, events]).toEqual([true, ['Elm! Bonn -> Oak ulm']])
    expect((await api.get(`/guests/${id}`)).body.data.attributes).toEqual(home('Oak!', 'ulm'))
  })

  it('runs subscribers for a PATCH of a relationship', async () => {
    const id = await createFilm('D')
    const { body } = await api.patch(`/works/${id}/relationships/author`).send(toOne('authors', author)).expect(200)
    expect([body.data, events]).toEqual([toOne('authors', author).data, ['film D -> D: author']])
  })

  it('returns the linkage that a listener changed', async () => {
    const id = await createFilm('Anonymous')
    const { body } = await api.patch(`/works/${id}/relationships/author`).send(toOne('authors', author)).expect(200)
    expect(body.data).toBeNull()
  })

  it('runs no listener for rows that change through the other end of a relationship', async () => {
    const id = await createFilm('E')
    await api.post(`/authors/${author}/relationships/works`).send(toMany('films', id)).expect(204)
    expect([events, await editsOf(id)]).toEqual([[], 1])
  })
})

describe('a delete', () => {
  it('runs listeners after the row is removed', async () => {
    const id = await create('books', { title: 'Gone' })
    await api.delete(`/works/${id}`).expect(204)
    expect(events.at(-1)).toBe('removed Gone')
  })

  it('is undone with 500 when a subscriber throws, and with 422 when it throws a JsonApiError', async () => {
    const kept = await create('films', { title: 'Kept' })
    expect((await api.unchanged(() => api.delete(`/films/${kept}`))).status).toBe(500)
    const refused = await create('films', { title: 'Refused' })
    const response = await api.unchanged(() => api.delete(`/films/${refused}`))
    expectError(response, 422)
    expect(response.body.errors[0].title).toBe('This one stays.')
  })
})

it('reports the error that a subscriber throws after the commit, and keeps the write', async () => {
  reported.length = 0
  isLateJournal = true
  const id = await create('films', { title: 'Committed' }).finally(() => {
    isLateJournal = false
  })
  expect(reported.map(String)).toEqual(['Error: The journal is late.'])
  await api.get(`/films/${id}`).expect(200)
})

describe('a read', () => {
  it('shows the changes of AfterLoad in resources, collections and included resources', async () => {
    const id = await create('books', { title: 'Pages', pages: 123 }, { author: toOne('authors', author) })
    expect((await api.get(`/works/${id}`)).body.data.attributes.pages).toBe(120)
    expect((await api.get(`/works?filter=equals(title,'Pages')`)).body.data[0].attributes.pages).toBe(120)
    const { included } = (await api.get(`/authors/${author}?include=works&fields[books]=pages`)).body
    expect(included.map(({ attributes }: never) => attributes)).toContainEqual({ pages: 120 })
  })

  it('needs one more statement for each type with AfterLoad, for any number of rows', async () => {
    const count = async () => (await api.statementsOf(() => api.get('/works?page[size]=100'))).length
    const before = await count()
    for (const title of ['One', 'Two', 'Three']) await create('books', { title })
    const expected = byLayout({ single: 2, joined: 3, tablePerConcreteClass: 2 })
    expect([before, await count()]).toEqual([expected, expected])
  })

  it('loads no columns for identifiers', async () => {
    const statements = await api.statementsOf(() => api.get(`/authors/${author}/relationships/works`))
    expect(statements.filter((statement) => statement.includes('pages'))).toEqual([])
  })
})
