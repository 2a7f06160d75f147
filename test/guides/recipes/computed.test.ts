import { Attribute, Resource, ResourceDefinition, type StoredRecord, ToMany, ToOne } from 'stemma'
import { Column, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import { startApi, type TestApi } from '../../support/api'

// Attributes whose values are worked out when they are shown, by services of the application.

interface Clock {
  now(): Date
}

@Resource('houses')
@Entity('houses')
class House {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'int' }) builtIn: number
  /** What is stored is never shown. */
  @Attribute() @Column({ type: 'varchar', length: 40, default: '' }) age: string
  @ToMany() @OneToMany('Room', 'house') rooms: Room[]
}

@Resource('rooms')
@Entity('rooms')
class Room {
  @PrimaryGeneratedColumn() id: number
  @ToOne() @ManyToOne('House', 'rooms', { nullable: true }) house: House | null
}

class HouseRules extends ResourceDefinition<House> {
  readonly resource = House
  readonly #clock: Clock

  constructor(clock: Clock) {
    super()
    this.#clock = clock
  }

  override serialize({ instance }: StoredRecord<House>) {
    return { age: `${this.#clock.now().getUTCFullYear() - instance.builtIn} years` }
  }

  override meta({ instance }: StoredRecord<House>) {
    return { isOld: instance.builtIn < 1950 }
  }
}

let api: TestApi

beforeAll(async () => {
  const clock: Clock = { now: () => new Date('2024-02-29T00:00:00Z') }
  api = await startApi([House, Room], { definitions: [new HouseRules(clock)] })
  const house = { id: await api.add(House, { builtIn: 1924 }) }
  await api.add(Room, { house })
})
afterAll(() => api.close())

it.each([
  ['one resource', '/houses/1', { builtIn: 1924, age: '100 years' }],
  ['a related resource', '/rooms/1/house', { builtIn: 1924, age: '100 years' }],
  ['a fieldset without what it is worked out of', '/houses/1?fields[houses]=age', { age: '100 years' }],
  ['a fieldset without it', '/houses/1?fields[houses]=builtIn', { builtIn: 1924 }],
])('%s', async (_what, path, expected) => {
  expect((await api.get(path)).body.data).toMatchObject({ attributes: expected, meta: { isOld: true } })
})

it.each([
  ['a collection that is filtered by the id', "/houses?filter=equals(id,'1')", 'data'],
  ['what is included', '/rooms?include=house', 'included'],
])('%s', async (_what, path, member) => {
  const { body } = await api.get(path)
  expect(body[member]).toMatchObject([{ attributes: { age: '100 years' }, meta: { isOld: true } }])
})

it('what is created', async () => {
  const { body } = await api.post('/houses').send({ data: { type: 'houses', attributes: { builtIn: 2000 } } })
  expect(body.data).toMatchObject({ attributes: { age: '24 years' }, meta: { isOld: false } })
})
