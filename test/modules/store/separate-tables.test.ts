import { defineFleet } from './support/fleet'
import { describeKeys, describeTable, FAR_SIDE, openSeparate, type SeparateDatabase } from './support/schema'

const PAIRS = [
  ...['asset_tags_tag: assetId* tagId*', 'car_passengers_person: carId* personId*'],
  ...['sports_car_garages_house: houseId* sportsCarId*', 'tag_trucks_truck: tagId* truckId*'],
  ...['vehicle_drivers_person: personId* vehicleId*'],
]

const PLAIN = ['person: favouriteId? id* name truckId?', 'room: houseId id*', 'tag: id* name']

/** Foreign keys of both layouts. */
const PLAIN_KEYS = [
  `asset_tags_tag.tagId -> tag.id${FAR_SIDE}`,
  'car_passengers_person.personId -> person.id CASCADE',
  'person.truckId -> truck.id',
  'room.houseId -> house.id CASCADE',
  'sports_car_garages_house.houseId -> house.id CASCADE',
  'sports_car_garages_house.sportsCarId -> sports_car.id CASCADE',
  'tag_trucks_truck.tagId -> tag.id CASCADE',
  'tag_trucks_truck.truckId -> truck.id CASCADE',
  `vehicle_drivers_person.personId -> person.id${FAR_SIDE}`,
]

let database: SeparateDatabase

describe('joined tables', () => {
  beforeAll(async () => {
    database = await openSeparate(defineFleet('joined').entities)
  })

  afterAll(() => database.close())

  it('have the key and the columns of their own class', async () => {
    const tables = await database.readTables()
    expect(tables.map(describeTable).sort()).toEqual(
      [
        'asset: code? createdAt deletedAt? id* kind name ownerId? placeCity? placeStreet state updatedAt version',
        'vehicle: id* predecessorId? wheels',
        'car: doors? id* paint?',
        'sports_car: id* power rivalId?',
        'truck: id* load',
        'house: id* secondCity? secondStreet',
        ...PAIRS,
        ...PLAIN,
      ].sort(),
    )
  })

  it('have foreign keys to the table of the base with ON DELETE CASCADE', async () => {
    const tables = await database.readTables()
    expect(tables.flatMap(describeKeys).sort()).toEqual(
      [
        'vehicle.id -> asset.id CASCADE',
        'car.id -> vehicle.id CASCADE',
        'sports_car.id -> car.id CASCADE',
        'truck.id -> vehicle.id CASCADE',
        'house.id -> asset.id CASCADE',
        'asset.ownerId -> person.id SET NULL',
        'asset_tags_tag.assetId -> asset.id CASCADE',
        'car_passengers_person.carId -> car.id CASCADE',
        'person.favouriteId -> vehicle.id',
        'sports_car.rivalId -> car.id',
        'vehicle.predecessorId -> vehicle.id',
        'vehicle_drivers_person.vehicleId -> vehicle.id CASCADE',
        ...PLAIN_KEYS,
      ].sort(),
    )
  })

  it('need no schema changes when TypeORM compares them again', async () => {
    const { upQueries } = await database.dataSource.driver.createSchemaBuilder().log()
    expect(upQueries).toEqual([])
  })
})

describe('tables per concrete type', () => {
  beforeAll(async () => {
    database = await openSeparate(defineFleet('perConcreteType').entities)
  })

  afterAll(() => database.close())

  it('have all columns, and abstract types have no table', async () => {
    const tables = await database.readTables()
    const asset = 'code createdAt deletedAt id name ownerId placeCity placeStreet state updatedAt version'
    const vehicle = `${asset} predecessorId wheels`
    const table = (name: string, columns: string) => `${name}: ${columns.split(' ').map(mark).sort().join(' ')}`
    const mark = (name: string) => (name === 'id' ? 'id*' : NULLABLE.includes(name) ? `${name}?` : name)
    expect(tables.map(describeTable).sort()).toEqual(
      [
        table('car', `${vehicle} doors paint`),
        table('sports_car', `${vehicle} doors paint power rivalId`),
        table('truck', `${vehicle} load`),
        table('house', `${asset} secondCity secondStreet`),
        ...PAIRS,
        ...PLAIN,
      ].sort(),
    )
  })

  it('have foreign keys to types whose rows are in one table', async () => {
    const tables = await database.readTables()
    expect(tables.flatMap(describeKeys).sort()).toEqual(
      [
        'car.ownerId -> person.id SET NULL',
        'sports_car.ownerId -> person.id SET NULL',
        'truck.ownerId -> person.id SET NULL',
        'house.ownerId -> person.id SET NULL',
        ...PLAIN_KEYS,
      ].sort(),
    )
  })

  it('need no schema changes when TypeORM compares them again', async () => {
    const { upQueries } = await database.dataSource.driver.createSchemaBuilder().log()
    expect(upQueries).toEqual([])
  })
})

const NULLABLE = [
  ...['code', 'deletedAt', 'ownerId', 'placeCity', 'predecessorId', 'doors', 'paint', 'rivalId', 'secondCity'],
]
