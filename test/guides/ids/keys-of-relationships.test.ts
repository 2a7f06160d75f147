import { Attribute, ToMany, ToOne } from 'stemma'
import { Column, JoinColumn, ManyToOne, OneToOne, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm'
import { setUp, startApi } from '../../support/api'
import { DATABASE } from '../../support/database'
import { createResource, toMany, toOne } from '../../support/documents'
import { errorsOf, expectError, resourceKeys } from '../../support/expectations'
import { OwnerManyToMany, StoredResource } from '../../support/resource-decorators'

// Primary keys that are foreign keys, and primary keys with a part that the database generates.

@StoredResource('people')
class Person {
  @PrimaryGeneratedColumn() id!: number
  @ToOne() @OneToOne('Profile', 'person') profile!: Profile | null
}

@StoredResource('profiles', { clientGeneratedIds: 'allowed' })
class Profile {
  @PrimaryColumn({ type: 'int' }) personId!: number
  @Attribute() @Column({ type: 'varchar', length: 20, default: '' }) motto!: string
  @ToOne() @OneToOne('Person', 'profile', { nullable: false }) @JoinColumn({ name: 'personId' }) person!: Person
}

/** The relation is nullable, its column is not. */
@StoredResource('pets')
class Pet {
  @PrimaryGeneratedColumn() id!: number
  @Column({ type: 'int' }) ownerId!: number
  @ToOne() @ManyToOne('Person') @JoinColumn({ name: 'ownerId' }) owner!: Person
}

/** SQLite generates keys of one column only. */
const Counted = DATABASE === 'sqlite' ? PrimaryColumn({ type: 'int', default: 1 }) : PrimaryGeneratedColumn()

@StoredResource('tickets', { clientGeneratedIds: 'allowed' })
class Ticket {
  @Counted number!: number
  @Attribute() @PrimaryColumn({ type: 'varchar', length: 9, default: 'main' }) desk!: string
  @ToMany() @OwnerManyToMany('Mark') marks!: Mark[]
  @Column({ type: 'int', nullable: true }) twinNumber!: number | null
  /** MariaDB has no SET NULL for a column that is not nullable. */
  @ToOne()
  @ManyToOne('Ticket', { nullable: true, ...(DATABASE !== 'mariadb' && { onDelete: 'SET NULL' }) })
  @JoinColumn([
    { name: 'twinNumber', referencedColumnName: 'number' },
    { name: 'desk', referencedColumnName: 'desk' },
  ])
  twin!: Ticket | null
}

@StoredResource('marks', { clientGeneratedIds: 'required' })
class Mark {
  @PrimaryColumn({ type: DATABASE === 'sqlite' ? 'varchar' : 'char', length: 3 }) id!: string
}

const api = setUp(() => startApi([Person, Profile, Ticket, Mark, Pet]))
beforeAll(async () => {
  for (let count = 0; count < 3; count++) await api.add(Person)
})

const create = (id: string | undefined, person: string) =>
  createResource(api, 'profiles', undefined, { person: toOne('people', person) }, id)

it('takes the id of a new resource from its relationship', async () => {
  const { headers } = await create(undefined, '2').expect(201)
  expect(headers.location).toBe('/profiles/2')
  expect(resourceKeys(await api.get('/people/2/profile'))).toEqual(['profiles 2'])
  await create('3', '3').expect(201)
})

it('refuses an id that contradicts the relationship, or is taken', async () => {
  expectError(await api.unchanged(() => create('7', '1')), 422, '/data/relationships/person', 'resource.id-mismatch')
  const taken = await api.unchanged(() => create(undefined, '2'))
  expect(errorsOf(taken)).toEqual([expect.stringContaining('409 resource.id-exists')])
})

it('refuses to change the relationship from either end', async () => {
  await create(undefined, '1')
  for (const [path, body] of [
    ['/profiles/1/relationships/person', toOne('people', '3')],
    ['/people/3/relationships/profile', toOne('profiles', '1')],
  ] as const) {
    expectError(await api.unchanged(() => api.patch(path).send(body)), 403, undefined, 'relationship.read-only')
  }
})

it('requires a relationship whose column is not nullable', async () => {
  const post = (relationships: object) => createResource(api, 'pets', undefined, relationships)
  const required = [expect.stringContaining('422 relationship.required')]
  expect(errorsOf(await post({}))).toEqual(required)
  const { id } = (await post({ owner: toOne('people', '1') })).body.data
  expect(errorsOf(await api.patch(`/pets/${id}/relationships/owner`).send({ data: null }))).toEqual(required)
})

it('uses key parts that the database generates', async () => {
  const post = (id: string | undefined, attributes?: object, relationships?: object) =>
    createResource(api, 'tickets', attributes, relationships, id).expect(201)
  await api.post('/marks').send(toOne('marks', 'new'))
  expect((await post(undefined, undefined, { marks: toMany('marks', 'new') })).body.data.id).toBe('1~main')
  expect(resourceKeys(await api.get('/tickets/1~main/marks'))).toEqual(['marks new'])
  const side = await post(undefined, { desk: 'side' })
  const number = DATABASE === 'sqlite' ? 1 : 2
  expect([side.body.data.id, side.body.data.attributes.desk]).toEqual([`${number}~side`, 'side'])
  await post('40~side')
  expect((await post(undefined, { desk: 'next' })).body.data.id).toBe(DATABASE === 'sqlite' ? '1~next' : '41~next')
})

it('keeps a key part that is shared with an emptied foreign key', async () => {
  const post = (id: string, relationships = {}) => createResource(api, 'tickets', undefined, relationships, id)
  await post('50~back')
  await post('51~back', { twin: toOne('tickets', '50~back') })
  expect(resourceKeys(await api.get('/tickets/51~back/twin'))).toEqual(['tickets 50~back'])
  await api.delete('/tickets/50~back').expect(204)
  expect(resourceKeys(await api.get('/tickets/51~back/twin'))).toEqual([])
})
