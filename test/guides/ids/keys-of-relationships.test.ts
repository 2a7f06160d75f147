import { Attribute, Resource, ToMany, ToOne } from 'stemma'
import {
  Column,
  Entity,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
} from 'typeorm'
import { startApi, type TestApi } from '../../support/api'
import { DATABASE } from '../../support/database'
import { resourceKeys, singleError } from '../../support/expectations'

// Primary keys that refer to another row: a relationship gives the id. And such as the database gives a part of.

@Resource('people')
@Entity('people')
class Person {
  @PrimaryGeneratedColumn() id!: number
  @ToOne() @OneToOne('Profile', 'person') profile!: Profile | null
}

@Resource('profiles', { clientIds: 'allowed' })
@Entity('profiles')
class Profile {
  @PrimaryColumn({ type: 'int' }) personId!: number
  @Attribute() @Column({ type: 'varchar', length: 20, default: '' }) motto!: string
  @ToOne() @OneToOne('Person', 'profile', { nullable: false }) @JoinColumn({ name: 'personId' }) person!: Person
}

/** The relation may be empty, its column not. */
@Resource('pets')
@Entity('pets')
class Pet {
  @PrimaryGeneratedColumn() id!: number
  @Column({ type: 'int' }) ownerId!: number
  @ToOne() @ManyToOne('Person') @JoinColumn({ name: 'ownerId' }) owner!: Person
}

/** SQLite counts up in keys of one column only. */
const Counted = DATABASE === 'sqlite' ? PrimaryColumn({ type: 'int', default: 1 }) : PrimaryGeneratedColumn()

@Resource('tickets', { clientIds: 'allowed' })
@Entity('tickets')
class Ticket {
  @Counted number!: number
  @Attribute() @PrimaryColumn({ type: 'varchar', length: 9, default: 'main' }) desk!: string
  @ToMany() @ManyToMany('Mark') @JoinTable() marks!: Mark[]
  @Column({ type: 'int', nullable: true }) twinNumber!: number | null
  /** MariaDB has no such key on a column that can't be null. */
  @ToOne()
  @ManyToOne('Ticket', { nullable: true, ...(DATABASE !== 'mariadb' && { onDelete: 'SET NULL' }) })
  @JoinColumn([
    { name: 'twinNumber', referencedColumnName: 'number' },
    { name: 'desk', referencedColumnName: 'desk' },
  ])
  twin!: Ticket | null
}

@Resource('marks', { clientIds: 'required' })
@Entity('marks')
class Mark {
  @PrimaryColumn({ type: DATABASE === 'sqlite' ? 'varchar' : 'char', length: 3 }) id!: string
}

let api: TestApi
beforeAll(async () => {
  api = await startApi([Person, Profile, Ticket, Mark, Pet])
  for (let count = 0; count < 3; count++) await api.add(Person)
})
afterAll(() => api.close())

const of = (id: string) => ({ person: { data: { type: 'people', id } } })
const create = (id: string | undefined, person: string) =>
  api.post('/profiles').send({ data: { type: 'profiles', id, relationships: of(person) } })

it('gives what is created the id of what it belongs to', async () => {
  const answer = await create(undefined, '2')
  expect([answer.status, answer.headers.location]).toEqual([201, '/profiles/2'])
  expect(resourceKeys(await api.get('/people/2/profile'))).toEqual(['profiles 2'])
  await create('3', '3').expect(201)
})

it('refuses an id that says something else', async () => {
  const answer = await api.unchanged(() => create('7', '1'))
  expect(singleError(answer)).toMatchObject({ status: 422, code: 'resource.id-parts' })
  expect(answer.body.errors[0].source).toEqual({ pointer: '/data/relationships/person' })
})

it('is taken once', async () => {
  const refused = singleError(await api.unchanged(() => create(undefined, '2')))
  expect(refused).toMatchObject({ status: 409, code: 'resource.id-taken' })
})

it('never becomes another', async () => {
  await create(undefined, '1')
  for (const [path, body] of [
    ['/profiles/1/relationships/person', { data: { type: 'people', id: '3' } }],
    ['/people/3/relationships/profile', { data: { type: 'profiles', id: '1' } }],
  ] as const) {
    const refused = singleError(await api.unchanged(() => api.patch(path).send(body)))
    expect(refused).toMatchObject({ status: 403, code: 'relationship.read-only' })
  }
})

it('is required where its column is', async () => {
  const post = (relationships: object) => api.post('/pets').send({ data: { type: 'pets', relationships } })
  expect(singleError(await post({}))).toMatchObject({ status: 422, code: 'relationship.required' })
  const { id } = (await post({ owner: { data: { type: 'people', id: '1' } } })).body.data
  const clearing = await api.patch(`/pets/${id}/relationships/owner`).send({ data: null })
  expect(singleError(clearing)).toMatchObject({ status: 422, code: 'relationship.required' })
})

it('has the parts that the database gives', async () => {
  await api.post('/marks').send({ data: { type: 'marks', id: 'new' } })
  const relationships = { marks: { data: [{ type: 'marks', id: 'new' }] } }
  const main = await api.post('/tickets').send({ data: { type: 'tickets', relationships } })
  expect([main.status, main.body.data.id]).toEqual([201, '1~main'])
  expect(resourceKeys(await api.get('/tickets/1~main/marks'))).toEqual(['marks new'])
  const side = await api.post('/tickets').send({ data: { type: 'tickets', attributes: { desk: 'side' } } })
  const number = DATABASE === 'sqlite' ? 1 : 2
  expect([side.body.data.id, side.body.data.attributes.desk]).toEqual([`${number}~side`, 'side'])
  await api
    .post('/tickets')
    .send({ data: { type: 'tickets', id: '40~side' } })
    .expect(201)
  const next = await api.post('/tickets').send({ data: { type: 'tickets', attributes: { desk: 'next' } } })
  expect(next.body.data.id).toBe(DATABASE === 'sqlite' ? '1~next' : '41~next')
})

it('loses no part where what it shares one with is deleted', async () => {
  const ticket = (id: string, relationships = {}) => ({ data: { type: 'tickets', id, relationships } })
  await api.post('/tickets').send(ticket('50~back'))
  await api.post('/tickets').send(ticket('51~back', { twin: { data: { type: 'tickets', id: '50~back' } } }))
  expect(resourceKeys(await api.get('/tickets/51~back/twin'))).toEqual(['tickets 50~back'])
  await api.delete('/tickets/50~back').expect(204)
  expect(resourceKeys(await api.get('/tickets/51~back/twin'))).toEqual([])
})
