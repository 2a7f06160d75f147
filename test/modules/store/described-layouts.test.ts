import type { Field, ResourceGraph } from '../../../src/graph/model/resource-graph'
import type { Layout } from '../../support/table-layout'
import { RESOURCES as resources } from './support/animals'
import { graphIn, openSeparate, type SeparateDatabase } from './support/schema'

type Opened = Readonly<{ database: SeparateDatabase; graph: ResourceGraph }>

const opened = {} as Record<Layout, Opened>

beforeAll(async () => {
  for (const layout of ['single', 'joined', 'tablePerConcreteClass'] as const) {
    const database = await openSeparate(resources, layout)
    opened[layout] = { database, graph: graphIn(database, resources) }
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
    const { isNullableInStore: _, ...others } = field
    return { ...others, declaringType: field.declaringType.name }
  }
  const { name: target } = field.target
  const inverses = [...field.inverses].map(([type, found]) => [type.name, found.map(({ name }) => name)])
  const [storedTogether, ownerRelationships] = [field.storedTogether, field.ownerRelationships].map((others) =>
    others.map(({ name }) => name),
  )
  return { ...field, target, declaringType: field.declaringType.name, inverses, storedTogether, ownerRelationships }
}

it.each(['joined', 'tablePerConcreteClass'] as const)(
  'the graph is the same for a single table as for %s tables',
  (layout) => {
    expect(toText(opened[layout].graph)).toEqual(toText(opened.single.graph))
  },
)
