import { Attribute, Resource, ToMany, ToOne } from 'stemma'
import type { Response } from 'supertest'
import {
  ChildEntity,
  Column,
  Entity,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryColumn,
  TableInheritance,
  VersionColumn,
} from 'typeorm'
import { apiOver, type TestApi } from '../../support/api'
import { DATABASE, openDatabase } from '../../support/database'
import { newResource, resource } from '../../support/documents'
import type { Tables } from '../../support/lay-tables'
import { startServer } from '../../support/server'

// What foreign keys and unique columns keep in one table must be kept in several too, also when clients write at the same time.

@Resource('animals', { abstract: true, clientIds: 'allowed' })
@Entity('animals')
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
abstract class Animal {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id!: string
  @Attribute() @Column({ type: 'varchar', length: 40, default: '' }) name!: string
  @Attribute() @VersionColumn() version!: number
  /** Is forgotten when it goes. */
  @ToOne() @ManyToOne('Animal', 'kept', { nullable: true }) keeper!: Animal | null
  @ToMany() @OneToMany('Animal', 'keeper') kept!: Animal[]
  /** Takes them along when it goes. */
  @ToOne() @ManyToOne('Animal', { nullable: true, onDelete: 'CASCADE' }) mother!: Animal | null
  @ToOne() @OneToOne('Animal', { nullable: true }) @JoinColumn() mate!: Animal | null
  @ToMany()
  @ManyToMany('Animal')
  @JoinTable({ name: 'animal_friends', joinColumn: { name: 'leftId' }, inverseJoinColumn: { name: 'rightId' } })
  friends!: Animal[]
}

@Resource('dogs')
@ChildEntity()
class Dog extends Animal {
  @Attribute() @Column({ type: 'int', default: 0 }) tricks!: number
}

@Resource('cats')
@ChildEntity()
class Cat extends Animal {
  @Attribute() @Column({ type: 'int', default: 9 }) lives!: number
}

/** Keeps a version of its own, below the table with the keys. */
@Resource('birds', { clientIds: 'allowed' })
@Entity('birds')
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
class Bird {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id!: string
  @ToOne() @ManyToOne('Bird', 'flock', { nullable: true }) leader!: Bird | null
  @ToMany() @OneToMany('Bird', 'leader') flock!: Bird[]
}

@Resource('geese', { clientIds: 'allowed' })
@ChildEntity()
class Goose extends Bird {
  @Attribute() @VersionColumn() version!: number
}

/** No class below adds a column. */
@Resource('fish', { clientIds: 'allowed' })
@Entity('fish')
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
class Fish {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id!: string
  @ToOne() @ManyToOne('Fish', 'school', { nullable: true }) leader!: Fish | null
  @ToMany() @OneToMany('Fish', 'leader') school!: Fish[]
}

@Resource('trout', { clientIds: 'allowed' })
@ChildEntity()
class Trout extends Fish {}

@Resource('kittens', { clientIds: 'allowed' })
@ChildEntity()
class Kitten extends Cat {
  @Attribute() @Column({ type: 'boolean', default: true }) isBlind!: boolean
}

/** Can't be without an animal, and is no animal. */
@Resource('collars', { clientIds: 'allowed' })
@Entity('collars')
class Collar {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id!: string
  @ToOne() @ManyToOne('Animal', { nullable: false }) owner!: Animal
}

const RESOURCES = [Animal, Dog, Cat, Kitten, Collar, Bird, Goose, Fish, Trout]
const LAYOUTS: readonly Tables[] = ['single', 'joined', 'perConcreteType']

/** Ids start with the name of the type. */
const identify = (id: string) => ({ type: id.split('-')[0], id })
const ref = (id: string) => ({ data: identify(id) })
const statusesOf = (answers: readonly Response[]) => answers.map(({ status }) => status).sort()

describe.each(LAYOUTS)('%s', (tables) => {
  let api: TestApi
  let count = 0

  beforeAll(async () => {
    const database = await openDatabase(RESOURCES, tables)
    const server = await startServer({ dataSource: database.dataSource, resources: RESOURCES, maximumRetries: 20 })
    api = apiOver(database, server, async () => {
      await server.close()
      await database.close()
    })
  })
  afterAll(() => api.close())

  const post = (type: string, relationships: object = {}, id = `${type}-${++count}`) =>
    api.post(`/${type}`).send(resource(type, id, undefined, relationships))

  async function add(type: string, relationships: object = {}): Promise<string> {
    const { body } = await post(type, relationships).expect(201)
    return body.data.id
  }

  const exists = async (id: string) => (await api.get(`/animals/${id}`)).status === 200

  /** Every key in a column of this name, of whatever table, refers to a row that is there. */
  async function checkKeys(...columns: readonly string[]): Promise<void> {
    const contents = (await api.contents()) as Record<string, readonly string[]>
    const rows = Object.values(contents).flatMap((texts) => texts.map((text) => JSON.parse(text)))
    const ids = new Set(rows.map(({ id }) => id))
    const referred = rows.flatMap((row) => columns.map((column) => row[column])).filter((key) => key != null)
    expect(referred.filter((key) => !ids.has(key))).toEqual([])
  }

  it('forgets what is deleted, and counts that as a change', async () => {
    const keeper = await add('cats')
    const kept = [
      await add('dogs', { keeper: ref(keeper) }),
      await add('kittens', { keeper: ref(keeper) }),
      await add('cats', { keeper: ref(keeper), friends: { data: [identify(keeper)] } }),
    ]
    await api.delete(`/animals/${keeper}`).expect(204)
    for (const id of kept) {
      const { body } = await api.get(`/animals/${id}?include=keeper,friends`)
      const { attributes, relationships } = body.data
      expect([attributes.version, relationships.keeper.data, relationships.friends.data]).toEqual([2, null, []])
    }
    await checkKeys('keeperId', 'leftId', 'rightId')
  })

  it('deletes what goes along, and what goes along with that', async () => {
    const mother = await add('dogs')
    const child = await add('kittens', { mother: ref(mother) })
    const grandchild = await add('cats', { mother: ref(child) })
    const friend = await add('dogs', { friends: { data: [identify(grandchild)] } })
    await api.delete(`/dogs/${mother}`).expect(204)
    expect([await exists(child), await exists(grandchild), await exists(friend)]).toEqual([false, false, true])
    await checkKeys('motherId', 'leftId', 'rightId')
  })

  it('keeps what others cannot be without, or goes with all of them', async () => {
    const owner = await add('kittens')
    await add('collars', { owner: ref(owner) })
    const answer = await api.unchanged(() => api.delete(`/animals/${owner}`))
    expect([answer.status, answer.body.errors[0].code]).toEqual([409, 'constraint.reference'])
  })

  it('counts the version of a derived class, whatever of its base is changed', async () => {
    const versionOf = async (id: string) => (await api.get(`/birds/${id}`)).body.data.attributes.version
    const [bird, other] = [await add('birds'), await add('geese')]
    const goose = await add('geese', { leader: ref(bird) })
    const sent = { data: [identify(goose)] }
    await api.patch(`/birds/${other}/relationships/flock`).send(sent).expect(204)
    expect(await versionOf(goose)).toBe(2)
    await api.delete(`/birds/${other}`).expect(204)
    expect(await versionOf(goose)).toBe(3)
  })

  it('links and moves what has nothing but the columns of its base', async () => {
    const leader = await add('fish')
    const school = [await add('trout'), await add('fish'), await add('trout')]
    const path = `/fish/${leader}/relationships/school`
    await api
      .post(path)
      .send({ data: school.map(identify) })
      .expect(204)
    expect((await api.get(path)).body.data.length).toBe(3)
    await api
      .patch(path)
      .send({ data: school.slice(1).map(identify) })
      .expect(204)
    expect((await api.get(path)).body.data.length).toBe(2)
    await api.delete(`/fish/${leader}`).expect(204)
    for (const id of school) expect((await api.get(`/fish/${id}/relationships/leader`)).body.data).toBe(null)
  })

  it('has one resource for an id, whichever endpoint is sent it', async () => {
    const id = await add('dogs')
    for (const type of ['dogs', 'cats', 'kittens']) {
      const { status, body } = await api.unchanged(() => post(type, {}, id))
      expect([status, body.errors[0].code, body.errors[0].source]).toEqual([
        409,
        'resource.id-taken',
        { pointer: '/data/id' },
      ])
    }
  })

  it('has one resource for an id that is sent to all endpoints at the same time', async () => {
    for (let round = 0; round < 8; round++) {
      const id = `same-${round}`
      const answers = await Promise.all(['dogs', 'cats', 'kittens', 'dogs'].map((type) => post(type, {}, id)))
      expect(statusesOf(answers)).toEqual([201, 409, 409, 409])
    }
  })

  it('links nothing to what goes at the same time', async () => {
    for (let round = 0; round < 8; round++) {
      const right = await add('kittens')
      const [one, other] = [await add('dogs'), await add('cats')]
      const answers = await Promise.all([
        post('dogs', { keeper: ref(right) }),
        api.patch(`/animals/${one}/relationships/keeper`).send(ref(right)),
        api.post(`/animals/${other}/relationships/friends`).send({ data: [identify(right)] }),
        post('collars', { owner: ref(right) }),
        api.delete(`/animals/${right}`),
      ])
      for (const { status } of answers) expect([201, 204, 404, 409]).toContain(status)
      await checkKeys('keeperId', 'leftId', 'rightId', 'ownerId')
    }
  })

  it('has one mate for each, also of those that are chosen at the same time', async () => {
    for (let round = 0; round < 8; round++) {
      const right = await add('cats')
      const lefts = [await add('dogs'), await add('kittens'), await add('cats')]
      const answers = await Promise.all(
        lefts.map((id) => api.patch(`/animals/${id}/relationships/mate`).send(ref(right))),
      )
      // A unique column lets nobody take what another is just taking; who is told so can try again.
      for (const { status } of answers) expect([204, 409]).toContain(status)
      expect(statusesOf(answers)[0]).toBe(204)
      const { body } = await api.get(`/animals?filter=equals(mate.id,'${right}')`)
      expect(body.data).toHaveLength(1)
    }
  })

  it('moves members from one to another, and counts that once', async () => {
    const [from, to] = [await add('dogs'), await add('kittens')]
    const members = [await add('dogs', { keeper: ref(from) }), await add('kittens'), await add('cats')]
    const sent = { data: members.map(identify) }
    await api.patch(`/animals/${to}/relationships/kept`).send(sent).expect(204)
    await api.patch(`/animals/${to}/relationships/kept`).send(sent).expect(204)
    const { body } = await api.get(`/animals/${to}/kept?sort=id&fields[animals]=version`)
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([...members].sort())
    for (const id of members) expect((await api.get(`/animals/${id}`)).body.data.attributes.version).toBe(2)
    expect((await api.get(`/dogs/${from}/kept`)).body.data).toEqual([])
    await api.patch(`/animals/${to}/relationships/kept`).send({ data: [] }).expect(204)
    for (const id of members) expect((await api.get(`/animals/${id}`)).body.data.attributes.version).toBe(3)
  })
})

@Resource('tools', { abstract: true })
@Entity()
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
abstract class Tool {
  @PrimaryColumn({ type: 'int' }) id!: number
  @Attribute() @Column({ type: 'int', default: 0 }) weight!: number
}

@Resource('hammers')
@ChildEntity()
class Hammer extends Tool {}

@Resource('saws')
@ChildEntity()
class Saw extends Tool {}

const onSqlite = DATABASE === 'sqlite' ? it : it.skip // Others have no key that nobody gives.

onSqlite('an integer that SQLite makes up is no id of two resources', async () => {
  const database = await openDatabase([Tool, Hammer, Saw], 'perConcreteType')
  const server = await startServer({ dataSource: database.dataSource, resources: [Tool, Hammer, Saw] })
  const api = apiOver(database, server, server.close)
  try {
    await api.post('/hammers').send(newResource('hammers')).expect(201)
    const { status, body } = await api.unchanged(() => api.post('/saws').send(newResource('saws')))
    expect([status, body.errors[0].code]).toEqual([409, 'resource.id-taken'])
  } finally {
    await api.close()
    await database.close()
  }
})
