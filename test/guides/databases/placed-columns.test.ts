import { Attribute, Resource, type ResourceClass, ToMany, ToOne } from 'stemma'
import {
  AfterLoad,
  Column,
  DeleteDateColumn,
  Entity,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  PrimaryGeneratedColumn,
  VirtualColumn,
} from 'typeorm'
import { combineApi, setUp } from '../../support/api'
import { createTables } from '../../support/create-tables'
import { createDataSource } from '../../support/data-source'
import { DATABASE, DATETIME, openDatabase, quotedName } from '../../support/database'
import { createResource, toMany, toOne, updateResource } from '../../support/documents'
import { expectError, includedKeys, linkageKeys, resourceKeys } from '../../support/expectations'
import { followPages } from '../../support/follow-pages'
import { startServer } from '../../support/server'

// Tables in another schema, names that need quotes, columns that are not selected, virtual columns. Embedded objects: embedded-members.

const OTHER = `stemma_other_${process.pid}`
/** A schema of PostgreSQL is a database on MariaDB, and a file on SQLite. */
const ELSEWHERE = { sqlite: {}, postgres: { schema: OTHER }, mariadb: { database: OTHER } }[DATABASE]
const elsewhere = (table: string) => (DATABASE === 'sqlite' ? '' : `${quotedName(OTHER)}.`) + quotedName(table)

@Resource('people')
@Entity({ name: 'all people', ...ELSEWHERE })
class Person {
  @PrimaryGeneratedColumn({ name: 'number of it' }) id: number
  @Attribute() @Column({ type: 'varchar', length: 20, name: "the 'name'" }) name: string
  @Attribute() @Column({ type: 'varchar', length: 20, name: 'pass word', select: false }) password: string
  @Attribute({ capabilities: ['view', 'create'] })
  @Column({ type: 'varchar', length: 20, select: false, nullable: true })
  nick: string | null
  @Attribute()
  @VirtualColumn({
    type: 'int',
    query: (alias) =>
      `select count(*) from ${elsewhere('all letters')} where ${quotedName('written by')} = ${alias}.${quotedName('number of it')}`,
  })
  letterCount: number
  @ToMany() @OneToMany('Letter', 'author') letters: Letter[]
  @ToMany()
  // TypeORM would look for the clubs in the database of the people.
  @ManyToMany('Club', 'members', { createForeignKeyConstraints: false })
  @JoinTable({ name: 'people in clubs', joinColumn: { name: 'the person' }, inverseJoinColumn: { name: 'the club' } })
  clubs: Club[]
}

@Resource('letters')
@Entity({ name: 'all letters', ...ELSEWHERE })
class Letter {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 20, name: 'order' }) text: string
  @ToOne() @ManyToOne('Person', 'letters', { nullable: true }) @JoinColumn({ name: 'written by' }) author: Person | null
}

/** Its rows are loaded as entities, since it has a listener. */
@Resource('clubs')
@Entity('group')
class Club {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 20 }) name: string
  @Attribute({ capabilities: ['view', 'create'] }) @Column({ type: 'varchar', length: 20, select: false }) code: string
  @DeleteDateColumn({ ...DATETIME, name: 'gone at' }) goneAt: Date | null
  @ToMany() @ManyToMany('Person', 'clubs') members: Person[]
  @AfterLoad() shout() {
    this.name = `${this.name}!`
  }
}

const RESOURCES: readonly ResourceClass[] = [Person, Letter, Club]

const api = setUp(async () => {
  const empty = await openDatabase([])
  const kind = DATABASE === 'mariadb' ? 'database' : 'schema'
  if (DATABASE !== 'sqlite') await empty.dataSource.query(`create ${kind} ${quotedName(OTHER)}`)
  const dataSource = await createDataSource(empty.connection, RESOURCES).initialize()
  await createTables(dataSource)
  const server = await startServer({ dataSource, resources: RESOURCES })
  return combineApi({ ...empty, dataSource }, server, async () => {
    await server.close()
    await dataSource.destroy()
    if (DATABASE !== 'sqlite')
      await empty.dataSource.query(`drop ${kind} ${quotedName(OTHER)}${DATABASE === 'postgres' ? ' cascade' : ''}`)
    await empty.close()
  })
})
beforeAll(async () => {
  for (const name of ['Chess', 'Gone']) await createResource(api, 'clubs', { name, code: name.toLowerCase() })
  for (const name of ['Ada', 'Bo']) {
    const attributes = { name, password: 'secret', nick: name.toLowerCase() }
    await createResource(api, 'people', attributes, { clubs: toMany('clubs', '1', '2') }).expect(201)
  }
  for (const text of ['one', 'two']) await createResource(api, 'letters', { text }, { author: toOne('people', '2') })
  await api.delete('/clubs/2').expect(204)
})

describe('tables in another schema, with names that need quotes', () => {
  it.each([
    ["/people?filter=has(letters,equals(text,'two'))", ['people 2']],
    ["/letters?filter=equals(author.name,'Bo')&sort=-text,author.name", ['letters 2', 'letters 1']],
    ["/people?filter=has(clubs,equals(name,'Chess'))&sort=-name", ['people 2', 'people 1']],
    ['/people/1/clubs', ['clubs 1']],
    ['/clubs/1/members?page[size]=1', ['people 1']],
    ['/people/2/relationships/letters', ['letters 1', 'letters 2']],
  ])('are read by %s', async (path, expected) => expect(resourceKeys(await api.get(path))).toEqual(expected))

  it('are included in pages', async () => {
    const answer = await api.get('/people?include=letters,clubs&page[size]=letters:1')
    expect(includedKeys(answer).toSorted()).toEqual(['clubs 1', 'letters 1'])
  })

  it('POST, PATCH and DELETE write their rows and relationships', async () => {
    const { body } = await createResource(api, 'people', { name: 'Cy', password: 'x' })
    const path = `/people/${body.data.id}`
    await api.post(`${path}/relationships/clubs`).send(toMany('clubs', '1')).expect(204)
    await api.delete(`${path}/relationships/clubs`).send(toMany('clubs', '1')).expect(204)
    await api.patch(`${path}/relationships/letters`).send(toMany('letters', '1'))
    expect((await api.get(path)).body.data.attributes.letterCount).toBe(1)
    await updateResource(api, 'letters', '1', undefined, { author: toOne('people', '2') })
    await api.delete(path).expect(204)
  })
})

it('a soft-deleted resource is no member of a many-to-many relationship', async () => {
  const { body } = await api.get('/people?include=clubs&page[size]=1')
  expect(linkageKeys(body.data, 'clubs')).toEqual([['clubs 1']])
  expect(resourceKeys(await api.get('/people/1/relationships/clubs'))).toEqual(['clubs 1'])
  expect(resourceKeys(await api.get("/people?filter=has(clubs,equals(name,'Gone'))"))).toEqual([])
  expect(resourceKeys(await api.get("/people?filter=equals(count(clubs),'1')"))).toEqual(['people 1', 'people 2'])
})

describe('a column that is not selected', () => {
  it('can be written, and does not exist for readers', async () => {
    const { text } = await api.get('/people?include=letters')
    expect(text).not.toMatch(/password|secret/)
    for (const query of ["filter=equals(password,'secret')", 'sort=password', 'fields[people]=password'])
      await api.get(`/people?${query}`).expect(400)
    await updateResource(api, 'people', '1', { password: 'changed' }).expect(200)
    const stored = await api.dataSource.getRepository(Person).findOne({ where: { id: 1 }, select: { password: true } })
    expect(stored?.password).toBe('changed')
  })

  it('is shown where the attribute says so, also for rows that are loaded as entities', async () => {
    expect((await api.get('/people/1')).body.data.attributes.nick).toBe('ada')
    expect((await api.get('/clubs/1')).body.data.attributes).toEqual({ name: 'Chess!', code: 'chess' })
  })
})

describe('a virtual column', () => {
  it.each([
    ["/people?filter=greaterThan(letterCount,'0')", ['people 2']],
    ['/people?sort=-letterCount', ['people 2', 'people 1']],
    ["/letters?filter=equals(author.letterCount,'2')&sort=author.letterCount,id", ['letters 1', 'letters 2']],
    ['/people?filter=equals(letterCount,count(clubs))', []],
  ])('is filtered and sorted by: %s', async (path, expected) => {
    expect(resourceKeys(await api.get(path))).toEqual(expected)
  })

  it('is shown, included and paged by cursors', async () => {
    const { body } = await api.get('/letters/1?include=author&fields[people]=letterCount')
    expect(body.included[0].attributes).toEqual({ letterCount: 2 })
    expect((await followPages(api, '/people?sort=letterCount&page[size]=1', 'next')).flat()).toEqual([
      'people 1',
      'people 2',
    ])
  })

  it('cannot be written', async () => {
    const response = await createResource(api, 'people', { name: 'x', password: 'x', letterCount: 1 })
    expectError(response, 422, '/data/attributes/letterCount')
  })
})
