import { Attribute, Resource, ToMany, ToOne } from 'stemma'
import { Column, Entity, JoinColumn, ManyToOne, OneToMany, OneToOne, PrimaryGeneratedColumn } from 'typeorm'
import { startApi, type TestApi } from '../../support/api'
import { outcomeOf, resourceKeys } from '../../support/expectations'
import { Member, Tag, Team } from '../../support/writing-models'
import { ANN, startOffice } from './support/office'

// DELETE of a resource, and what becomes of those that it was related to.

@Resource('shelves')
@Entity('shelves')
class Shelf {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'varchar', default: '' }) name!: string
  @ToMany() @OneToMany('Book', 'shelf') books!: Book[]
}

/** Goes with its shelf. */
@Resource('books')
@Entity('books')
class Book {
  @PrimaryGeneratedColumn() id!: number
  @ToOne() @ManyToOne('Shelf', 'books', { nullable: false, onDelete: 'CASCADE' }) shelf!: Shelf
}

/** Goes with its book. */
@Resource('covers')
@Entity('covers')
class Cover {
  @PrimaryGeneratedColumn() id!: number
  @ToOne() @OneToOne('Book', { nullable: false, onDelete: 'CASCADE' }) @JoinColumn() book!: Book
}

let api: TestApi
let team: string
let member: string
beforeAll(async () => {
  api = await startOffice()
})
afterAll(() => api.close())
let count = 0
beforeEach(async () => {
  team = await api.add(Team, { name: `Team ${++count}` })
  member = await api.add(Member, { name: 'New', team: { id: team } })
  await api.add(Tag, { id: `tag-${count}` })
  const of = (name: string) => api.dataSource.createQueryBuilder().relation(Team, name).of(team)
  await of('lead').set(member)
  await of('tags').add(`tag-${count}`)
})

it('H-01: answers 204 without a body, and it is gone', async () => {
  const { status, text } = await api.delete(`/teams/${team}`)
  expect([status, text]).toEqual([204, ''])
  await api.get(`/teams/${team}`).expect(404)
})

it('H-02: of what is not there is 404', async () => {
  expect(outcomeOf(await api.unchanged(() => api.delete('/teams/99')))).toBe('404 resource.not-found')
})

it.each([
  [
    'H-03: with the key of a one-to-one relationship: the other stays',
    () => `/teams/${team}`,
    () => `/members/${member}/leads`,
  ],
  ['H-03: with the key on the other side: it is emptied', () => `/members/${member}`, () => `/teams/${team}/lead`],
  ['H-03: of a one-to-many relationship: members are emptied', () => `/teams/${team}`, () => `/members/${member}/team`],
  ['H-03: a member leaves', () => `/members/${member}`, () => `/teams/${team}/members`],
  ['H-03: pairs go, from one side', () => `/teams/${team}`, () => `/tags/tag-${count}/teams`],
  ['H-03: pairs go, from the other', () => `/tags/tag-${count}`, () => `/teams/${team}/tags`],
])('%s', async (_rule, path, left) => {
  await api.delete(path()).expect(204)
  expect(resourceKeys(await api.get(left()))).toEqual([])
})

it('H-04: what was declared to go with it goes, and what goes with that', async () => {
  const shelves = await startApi([Shelf, Book, Cover])
  const shelf = { id: await shelves.add(Shelf) }
  const book = { id: await shelves.add(Book, { shelf }) }
  await shelves.add(Cover, { book })
  await shelves.delete('/shelves/1').expect(204)
  for (const path of ['/books', '/covers']) expect(resourceKeys(await shelves.get(path))).toEqual([])
  await shelves.close()
})

it.each([
  ['H-05: beaten: what others can not be without is kept', '/teams/1'],
  ['H-05: beaten: in a one-to-one relationship too', `/members/${ANN}`],
])('%s: 409', async (_rule, path) => {
  expect(outcomeOf(await api.unchanged(() => api.delete(path)))).toBe('409 constraint.reference')
})
