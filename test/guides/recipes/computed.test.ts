import { Attribute, Resource, ResourceDefinition, type StoredRecord, ToMany, ToOne } from 'stemma'
import { Column, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import { startApi } from '../../support/api'
import { setUp } from '../../support/set-up'

@Resource('houses')
@Entity('houses')
class House {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'int' }) builtIn: number
  @Attribute() @Column({ type: 'varchar', length: 40, default: 'stored and not shown' }) age: string
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
  readonly #year: () => number

  constructor(year: () => number) {
    super()
    this.#year = year
  }

  override serialize({ instance }: StoredRecord<House>) {
    return { age: `${this.#year() - instance.builtIn} years` }
  }

  override meta({ instance }: StoredRecord<House>) {
    return { isOld: instance.builtIn < 1950 }
  }
}

const api = setUp(() => startApi([House, Room], { definitions: [new HouseRules(() => 2024)] }))
beforeAll(async () => {
  await api.add(Room, { house: { id: await api.add(House, { builtIn: 1924 }) } })
})

// anchor: R/O-10
it.each([
  ['/houses/1', 'data', { builtIn: 1924, age: '100 years' }],
  ['/rooms/1/house', 'data', { builtIn: 1924, age: '100 years' }],
  ['/houses/1?fields[houses]=age', 'data', { age: '100 years' }],
  ['/houses/1?fields[houses]=builtIn', 'data', { builtIn: 1924 }],
  ["/houses?filter=equals(id,'1')", 'data', { builtIn: 1924, age: '100 years' }],
  ['/rooms?include=house', 'included', { builtIn: 1924, age: '100 years' }],
])('shows computed attributes and meta: GET %s', async (path, member, attributes) => {
  const [house] = [(await api.get(path)).body[member]].flat()
  expect(house).toMatchObject({ attributes, meta: { isOld: true } })
  expect(Object.keys(house.attributes)).toHaveLength(Object.keys(attributes).length)
})

it('shows computed attributes and meta of a created resource', async () => {
  const { body } = await api.post('/houses').send({ data: { type: 'houses', attributes: { builtIn: 2000 } } })
  expect(body.data).toMatchObject({ attributes: { age: '24 years' }, meta: { isOld: false } })
})
