import type { ResourceClass } from 'stemma'
import { getMetadataArgsStorage } from 'typeorm'
import type { ColumnMetadataArgs } from 'typeorm/metadata-args/ColumnMetadataArgs'
import type { GeneratedMetadataArgs } from 'typeorm/metadata-args/GeneratedMetadataArgs'
import type { InheritanceMetadataArgs } from 'typeorm/metadata-args/InheritanceMetadataArgs'
import type { TableMetadataArgs } from 'typeorm/metadata-args/TableMetadataArgs'
import { ownDeclarationsOf } from '../../src/declarations/class-declarations'
import { nextKeyOf } from './shared-keys'

// Models of tests use TypeORM's single table for a hierarchy. This changes TypeORM's metadata, so that the same tests run with other table
// layouts: `node scripts/test-on.js sqlite-joined`.

export type Layout = 'single' | 'joined' | 'tablePerConcreteClass'

/** The table layout of this run. */
export const LAYOUT = (process.env.TEST_TABLES ?? 'single') as Layout

/** Returns the value for the layout of this run. */
export function byLayout<Value>(values: Readonly<Record<Layout, Value>>): Value {
  return values[LAYOUT]
}

/** Returns `it` or `describe`, which skips on other layouts. scripts/differences.js has the reasons. */
export function onLayouts<Testing extends { readonly skip: unknown }>(testing: Testing, ...tables: Layout[]): Testing {
  return tables.includes(LAYOUT) ? testing : (testing.skip as Testing)
}

/** TypeORM's metadata of a hierarchy. */
interface Hierarchy {
  readonly root: TableMetadataArgs
  readonly inheritance: InheritanceMetadataArgs
  readonly children: readonly TableMetadataArgs[]
  readonly generatedKeys: readonly GeneratedKey[]
}

interface GeneratedKey {
  readonly generated: GeneratedMetadataArgs
  /** Replaces the declared column, which other classes may inherit too. */
  readonly shared: ColumnMetadataArgs
}

const hierarchies = new WeakMap<object, Hierarchy>()

/** Must run before a data source with these entities is initialized. May be called again for other layouts. */
export function applyLayout(entities: readonly ResourceClass[], tables: Layout, driver: string): void {
  for (const entity of entities) {
    const before = hierarchies.get(entity)
    if (before !== undefined) restore(before)
    // Recomputed, because classes may have been added.
    const hierarchy = readHierarchy(entity, driver)
    if (hierarchy === undefined) continue
    hierarchies.set(entity, hierarchy)
    if (tables !== 'single') useTablePerClass(hierarchy)
    if (tables === 'tablePerConcreteClass') useTablePerConcreteClass(hierarchy)
  }
}

/** `undefined` if the class is not a root, or if a derived class is not a resource. */
function readHierarchy(entity: ResourceClass, driver: string): Hierarchy | undefined {
  const { tables, inheritances, generations, columns } = getMetadataArgsStorage()
  const root = tables.find(({ target }) => target === entity)
  const inheritance = inheritances.find(({ target }) => target === entity)
  const children = tables.filter(({ type, target }) => type === 'entity-child' && derives(target, entity))
  const classes = [entity, ...children.map(({ target }) => target as object)]
  if (root === undefined || inheritance === undefined || children.length === 0) return undefined
  if (!classes.every((each) => ownDeclarationsOf(each).resource)) return undefined
  const nextKey = nextKeyOf(root.name ?? entity.name, driver)
  const generatedKeys = generations
    .filter(({ target, strategy }) => strategy !== 'uuid' && derives(entity, target))
    .flatMap((generated) =>
      columns
        .filter(({ target, propertyName }) => target === generated.target && propertyName === generated.propertyName)
        .filter(({ options }) => options.primary === true)
        .map((column) => ({
          generated,
          shared: { ...column, target: entity, options: { ...column.options, default: nextKey } },
        })),
    )
  return { root, inheritance, children, generatedKeys }
}

export function derives(target: unknown, base: unknown): boolean {
  return (
    target === base || (typeof target === 'function' && typeof base === 'function' && target.prototype instanceof base)
  )
}

function restore({ inheritance, children, generatedKeys }: Hierarchy): void {
  const { inheritances, generations, columns } = getMetadataArgsStorage()
  if (!inheritances.includes(inheritance)) inheritances.push(inheritance)
  for (const child of children) child.type = 'entity-child'
  for (const { generated, shared } of generatedKeys) {
    if (!generations.includes(generated)) generations.push(generated)
    if (columns.includes(shared)) columns.splice(columns.indexOf(shared), 1)
  }
}

/** Creates a table for each class, named by TypeORM, in the schema of the root's table. */
function useTablePerClass({ root: { schema, database }, children }: Hierarchy): void {
  for (const child of children) Object.assign(child, { type: 'regular', schema, database })
}

/** Each table has all columns. Keys are unique across the tables, which share a sequence. */
function useTablePerConcreteClass({ root, inheritance, generatedKeys }: Hierarchy): void {
  const { inheritances, generations, columns } = getMetadataArgsStorage()
  inheritances.splice(inheritances.indexOf(inheritance), 1)
  for (const { generated, shared } of generatedKeys) {
    if (generated.target === root.target) generations.splice(generations.indexOf(generated), 1)
    // TypeORM uses the first entry of a name.
    columns.unshift(shared)
  }
}
