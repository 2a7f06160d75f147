import { buildResourceGraph } from '../../../src/graph/build-graph'
import type { Field, ResourceGraph } from '../../../src/graph/model/resource-graph'
import type { ValueConstraints } from '../../../src/graph/model/value-type'
import { DEFAULT_API_OPTIONS } from '../../../src/graph/options/options'
import { createEntityDescriber } from '../../../src/store/typeorm/metadata/describe-entities'
import type { Layout } from '../../support/table-layout'
import { FLEET } from './support/fleet'
import { FAR_SIDE, openSeparate, type SeparateDatabase } from './support/schema'

interface Opened {
  readonly database: SeparateDatabase
  readonly graph: ResourceGraph
}

const opened = {} as Record<Layout, Opened>

beforeAll(async () => {
  const resources = Object.values(FLEET)
  for (const layout of ['single', 'joined', 'tablePerConcreteClass'] as const) {
    const database = await openSeparate(resources, layout)
    const describe = createEntityDescriber(database.dataSource)
    opened[layout] = { database, graph: buildResourceGraph({ resources, describe, options: DEFAULT_API_OPTIONS }) }
  }
})

afterAll(() => Promise.all(Object.values(opened).map(({ database }) => database.close())))

/** Without what differs by nature: the classes, where a column lies, and whether it can be null there. */
function toText(graph: ResourceGraph): unknown {
  return [...graph.types.values()].map((type) => [
    type.name,
    type.base?.name,
    type.hasInsertListeners,
    type.hasUpdateListeners,
    type.isVersioned,
    type.isSoftDeletable,
    type.key,
    type.concreteTypes.map(({ name }) => name),
    [type.id, ...type.fields.values()].map(fieldToText),
  ])
}

function fieldToText(field: Field): unknown {
  if (field.kind === 'attribute') {
    const { isNullableInStore: _, constraints, ...others } = field
    return { ...others, constraints: declaredOf(constraints), declaringType: field.declaringType.name }
  }
  const { name: target } = field.target
  const inverses = [...field.inverses].map(([type, found]) => [type.name, found.map(({ name }) => name)])
  const [storedTogether, ownerRelationships] = [field.storedTogether, field.ownerRelationships].map((others) =>
    others.map(({ name }) => name),
  )
  return { ...field, target, declaringType: field.declaringType.name, inverses, storedTogether, ownerRelationships }
}

function declaredOf({ shape, ...constraints }: ValueConstraints): unknown {
  if (shape === undefined) return constraints
  const members = [...shape].map(([name, { isNullable, constraints: inner }]) => [name, isNullable, declaredOf(inner)])
  return { ...constraints, members }
}

it.each(['joined', 'tablePerConcreteClass'] as const)(
  'the graph is the same for a single table as for %s tables',
  (layout) => {
    expect(toText(opened[layout].graph)).toEqual(toText(opened.single.graph))
  },
)

/** Tables and keys of both layouts. */
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

const NULLABLE = [
  ...['code', 'deletedAt', 'ownerId', 'placeCity', 'predecessorId', 'doors', 'paint', 'rivalId', 'secondCity'],
]

const table = (name: string, columns: string) => `${name}: ${columns.split(' ').map(mark).sort().join(' ')}`
const mark = (name: string) => (name === 'id' ? 'id*' : NULLABLE.includes(name) ? `${name}?` : name)
const ASSET = 'code createdAt deletedAt id name ownerId placeCity placeStreet state updatedAt version'

describe('the schema', () => {
  it('has joined tables with their own columns, which are deleted with the row of the base', async () => {
    expect(await opened.joined.database.schema()).toEqual(
      [
        table('asset', `${ASSET} kind`),
        'vehicle: id* predecessorId? wheels',
        'car: doors? id* paint?',
        'sports_car: id* power rivalId?',
        'truck: id* load',
        'house: id* secondCity? secondStreet',
        ...PAIRS,
        ...PLAIN,
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

  it('has tables of concrete types with all columns, and foreign keys to types whose rows are in one table', async () => {
    const vehicle = `${ASSET} predecessorId wheels`
    const owned = ['car', 'sports_car', 'truck', 'house'].map((name) => `${name}.ownerId -> person.id SET NULL`)
    expect(await opened.tablePerConcreteClass.database.schema()).toEqual(
      [
        table('car', `${vehicle} doors paint`),
        table('sports_car', `${vehicle} doors paint power rivalId`),
        table('truck', `${vehicle} load`),
        table('house', `${ASSET} secondCity secondStreet`),
        ...PAIRS,
        ...PLAIN,
        ...owned,
        ...PLAIN_KEYS,
      ].sort(),
    )
  })
})
