import { Attribute, Resource, ToOne } from 'stemma'
import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm'
import { startApi, type TestApi } from '../support/api'
import { mistakeOf, shownKeys } from '../support/shown'

// A primary key that refers to another row: a relationship gives the id.

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

let api: TestApi
beforeAll(async () => {
  api = await startApi([Person, Profile])
  await api.dataSource.getRepository(Person).insert([{}, {}, {}])
})
afterAll(() => api.close())

const of = (id: string) => ({ person: { data: { type: 'people', id } } })
const create = (id: string | undefined, person: string) =>
  api.post('/profiles', { data: { type: 'profiles', id, relationships: of(person) } })

it('gives what is created the id of what it belongs to', async () => {
  const answer = await create(undefined, '2')
  expect([answer.status, answer.headers.get('location')]).toEqual([201, '/profiles/2'])
  expect(shownKeys(await api.get('/people/2/profile'))).toEqual(['profiles 2'])
  expect((await create('3', '3')).status).toBe(201)
})

it('refuses an id that says something else', async () => {
  const answer = await api.unchanged(() => create('7', '1'))
  expect(mistakeOf(answer)).toMatchObject({ status: 422, code: 'resource.id-parts' })
  expect(answer.document.errors[0].source).toEqual({ pointer: '/data/relationships/person' })
})

it('is taken once', async () => {
  const refused = mistakeOf(await api.unchanged(() => create(undefined, '2')))
  expect(refused).toMatchObject({ status: 409, code: 'resource.id-taken' })
})
