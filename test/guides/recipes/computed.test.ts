import { Attribute, Resource, type StoredRecord, ToMany, ToOne } from 'stemma'
import { Column, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import { startApi } from '../../support/api'
import { define } from '../../support/define'
import { createResource } from '../../support/documents'
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

const houseRules = define(House, {
  serialize: ({ instance }: StoredRecord<House>) => ({ age: `${2024 - instance.builtIn} years` }),
  meta: ({ instance }: StoredRecord<House>) => ({ isOld: instance.builtIn < 1950 }),
})

const api = setUp(() => startApi([House, Room], { definitions: [houseRules] }))
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
  const { body } = await createResource(api, 'houses', { builtIn: 2000 })
  expect(body.data).toMatchObject({ attributes: { age: '24 years' }, meta: { isOld: false } })
})
