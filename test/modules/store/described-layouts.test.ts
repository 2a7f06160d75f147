import { buildGraph } from '../../../src/graph/build-graph'
import type { ColumnDescription, RelationDescription } from '../../../src/graph/entity-description'
import { DEFAULT_OPTIONS } from '../../../src/graph/options'
import type { Field, ResourceGraph } from '../../../src/graph/resource-graph'
import type { ValueRange } from '../../../src/graph/value-type'
import { describeEntities } from '../../../src/store/typeorm/describe-entities'
import { hierarchyOf, layoutOf, partsOfRow } from '../../../src/store/typeorm/table-layout'
import { defineFleet, type Fleet, type FleetName, type Layout } from './support/fleet'
import { openSeparate, type SeparateDatabase } from './support/schema'

interface Opened extends Fleet {
  readonly database: SeparateDatabase
  readonly graph: ResourceGraph
}

async function open(layout: Layout): Promise<Opened> {
  const fleet = defineFleet(layout)
  const database = await openSeparate(fleet.entities)
  const graph = buildGraph({
    resources: fleet.entities,
    describe: describeEntities(database.dataSource),
    options: DEFAULT_OPTIONS,
  })
  return { ...fleet, database, graph }
}

const opened: Partial<Record<Layout, Opened>> = {}

beforeAll(async () => {
  for (const layout of ['single', 'joined', 'perConcreteType'] as const) opened[layout] = await open(layout)
})

afterAll(() => Promise.all(Object.values(opened).map(({ database }) => database.close())))

function get(layout: Layout): Opened {
  const found = opened[layout]
  if (found === undefined) throw new Error(`${layout} was not opened.`)
  return found
}

/** Without what differs by nature: the classes, where a column lies, and whether it can be null there. */
function toText(graph: ResourceGraph): unknown {
  return [...graph.types.values()].map((type) => [
    type.name,
    type.base?.name,
    type.isListenedTo,
    type.isVersioned,
    type.key,
    type.concreteTypes.map(({ name }) => name),
    [type.id, ...type.fields.values()].map(fieldToText),
  ])
}

function fieldToText(field: Field): unknown {
  if (field.kind === 'attribute') {
    const { isNullableInStore: _, range, ...others } = field
    return { ...others, range: declaredOf(range), declaringType: field.declaringType.name }
  }
  const { name: target } = field.target
  return { ...field, target, declaringType: field.declaringType.name, inverse: field.inverse?.name }
}

function declaredOf({ shape, ...range }: ValueRange): unknown {
  if (shape === undefined) return range
  const members = [...shape].map(([name, { isNullable, range: inner }]) => [name, isNullable, declaredOf(inner)])
  return { ...range, members }
}

describe('the graph', () => {
  it.each(['joined', 'perConcreteType'] as const)('is the same for a single table as for %s tables', (layout) => {
    expect(toText(get(layout).graph)).toEqual(toText(get('single').graph))
  })
})

describe('the layout of a class', () => {
  const named = (layout: Layout, name: FleetName, list: typeof partsOfRow) => {
    const { database, classes } = get(layout)
    return list(database.dataSource.getMetadata(classes[name])).map((metadata) => metadata.name)
  }
  const layoutIn = (layout: Layout, name: FleetName) => {
    const { database, classes } = get(layout)
    return layoutOf(database.dataSource.getMetadata(classes[name]))
  }

  it.each(['single', 'joined', 'perConcreteType'] as const)(
    'is %s for all classes of a hierarchy, and for no others',
    (layout) => {
      for (const name of ['Asset', 'Vehicle', 'Car', 'SportsCar', 'Truck', 'House'] as const) {
        expect(layoutIn(layout, name)).toBe(layout)
      }
      expect([layoutIn(layout, 'Person'), layoutIn(layout, 'Room')]).toEqual(['single', 'single'])
    },
  )

  it('lists the tables of a row, the root first', () => {
    expect(named('joined', 'SportsCar', partsOfRow)).toEqual(['Asset', 'Vehicle', 'Car', 'SportsCar'])
    expect(named('joined', 'Asset', partsOfRow)).toEqual(['Asset'])
    expect(named('perConcreteType', 'SportsCar', partsOfRow)).toEqual(['SportsCar'])
    expect(named('single', 'SportsCar', partsOfRow)).toEqual(['SportsCar'])
    expect(named('joined', 'Person', partsOfRow)).toEqual(['Person'])
  })

  it('lists the classes of a hierarchy, bases before derived ones', () => {
    const all = ['Asset', 'Vehicle', 'House', 'Car', 'Truck', 'SportsCar']
    expect(named('joined', 'Car', hierarchyOf)).toEqual(all)
    expect(named('perConcreteType', 'Asset', hierarchyOf)).toEqual(all)
    expect(named('single', 'Car', hierarchyOf)).toEqual(['Car'])
  })
})

describe('the description of a class', () => {
  const describeIn = (layout: Layout, name: FleetName) => {
    const { database, classes } = get(layout)
    const description = describeEntities(database.dataSource)(classes[name])
    if (description === undefined) throw new Error(`${name} is not mapped.`)
    return description
  }
  const placeOf = (layout: Layout, name: FleetName, property: string) =>
    describeIn(layout, name)
      .columns.get(property)
      ?.storedIn.replace(/^stemma_\w+\./, '')

  it('names the joined table of a column', () => {
    expect(placeOf('joined', 'SportsCar', 'id')).toBe('asset.id')
    expect(placeOf('joined', 'SportsCar', 'name')).toBe('asset.name')
    expect(placeOf('joined', 'SportsCar', 'place')).toBe('asset.place.*')
    expect(placeOf('joined', 'SportsCar', 'wheels')).toBe('vehicle.wheels')
    expect(placeOf('joined', 'SportsCar', 'power')).toBe('sports_car.power')
    expect(placeOf('joined', 'House', 'second')).toBe('house.second.*')
    expect(placeOf('perConcreteType', 'SportsCar', 'name')).toBe('sports_car.name')
  })

  it('allows null in the store only for columns of derived classes in a single table', () => {
    const isNullable = (layout: Layout, property: string) => {
      const { isNullable: isDeclared, isNullableInStore } = describeIn(layout, 'SportsCar').columns.get(property) ?? {}
      return [isDeclared, isNullableInStore]
    }
    expect(isNullable('single', 'wheels')).toEqual([false, true])
    expect(isNullable('single', 'name')).toEqual([false, false])
    for (const layout of ['joined', 'perConcreteType'] as const)
      expect(isNullable(layout, 'wheels')).toEqual([false, false])
  })

  it('has the same columns and relations in every layout', () => {
    const facts = (layout: Layout, name: FleetName) => {
      const { columns, relations } = describeIn(layout, name)
      const column = ({ storedIn, declaredBy, isNullableInStore, range, ...others }: ColumnDescription) => ({
        ...others,
        range: declaredOf(range),
        declaredBy: declaredBy.name,
      })
      const relation = ({ declaredBy, target, ...others }: RelationDescription) => ({
        ...others,
        declaredBy: declaredBy.name,
        target: target.name,
      })
      const byProperty = (one: { property: string }, other: { property: string }) =>
        one.property < other.property ? -1 : 1
      return {
        columns: [...columns.values()].map(column).sort(byProperty),
        relations: [...relations.values()].map(relation).sort(byProperty),
      }
    }
    for (const name of ['Asset', 'Vehicle', 'Car', 'SportsCar', 'Truck', 'House', 'Person', 'Tag', 'Room'] as const) {
      const single = facts('single', name)
      expect([name, facts('joined', name)]).toEqual([name, single])
      expect([name, facts('perConcreteType', name)]).toEqual([name, single])
    }
  })
})
