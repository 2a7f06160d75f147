import type { ResourceClass } from 'stemma'
import { getMetadataArgsStorage } from 'typeorm'
import type { ColumnMetadataArgs } from 'typeorm/metadata-args/ColumnMetadataArgs'
import type { GeneratedMetadataArgs } from 'typeorm/metadata-args/GeneratedMetadataArgs'
import type { InheritanceMetadataArgs } from 'typeorm/metadata-args/InheritanceMetadataArgs'
import type { TableMetadataArgs } from 'typeorm/metadata-args/TableMetadataArgs'
import { recordOf } from '../../src/declarations/record'
import { nextKeyOf } from './shared-keys'

// The models of tests have TypeORM's one table for a hierarchy. Here is changed what their decorators have told TypeORM, so that the same
// tests run on other tables: `node scripts/test-on.js sqlite-joined`.

export type Tables = 'single' | 'joined' | 'tablePerConcreteClass'

/** How this run of the tests lays out the rows of hierarchies. */
export const TABLES = (process.env.TEST_TABLES ?? 'single') as Tables

/** What is not the same in each. */
export function byTables<Value>(values: Readonly<Record<Tables, Value>>): Value {
  return values[TABLES]
}

/** `it` or `describe` for what is about some of them only; scripts/differences.js has the reason as well. */
export function onTables<Testing extends { readonly skip: unknown }>(testing: Testing, ...tables: Tables[]): Testing {
  return tables.includes(TABLES) ? testing : (testing.skip as Testing)
}

/** What decorators have said of a hierarchy. */
interface Hierarchy {
  readonly root: TableMetadataArgs
  readonly inheritance: InheritanceMetadataArgs
  readonly children: readonly TableMetadataArgs[]
  readonly counters: readonly Counter[]
}

interface Counter {
  readonly generated: GeneratedMetadataArgs
  /** In its place: a class above the root may have said it of others as well. */
  readonly shared: ColumnMetadataArgs
}

const hierarchies = new WeakMap<object, Hierarchy>()

/** Before a data source with these entities is initialised. Can be said again, for other tables. */
export function layTables(entities: readonly ResourceClass[], tables: Tables, driver: string): void {
  for (const entity of entities) {
    const before = hierarchies.get(entity)
    if (before !== undefined) restore(before)
    // Anew: classes may have been added.
    const hierarchy = readHierarchy(entity, driver)
    if (hierarchy === undefined) continue
    hierarchies.set(entity, hierarchy)
    if (tables !== 'single') divide(hierarchy)
    if (tables === 'tablePerConcreteClass') makeEachWhole(hierarchy)
  }
}

/** `undefined`: it is no root, or not all below it are resources. */
function readHierarchy(entity: ResourceClass, driver: string): Hierarchy | undefined {
  const { tables, inheritances, generations, columns } = getMetadataArgsStorage()
  const root = tables.find(({ target }) => target === entity)
  const inheritance = inheritances.find(({ target }) => target === entity)
  const children = tables.filter(({ type, target }) => type === 'entity-child' && derives(target, entity))
  const classes = [entity, ...children.map(({ target }) => target as object)]
  if (root === undefined || inheritance === undefined || children.length === 0) return undefined
  if (!classes.every((each) => recordOf(each).resource)) return undefined
  const nextKey = nextKeyOf(root.name ?? entity.name, driver)
  const counters = generations
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
  return { root, inheritance, children, counters }
}

export function derives(target: unknown, base: unknown): boolean {
  return (
    target === base || (typeof target === 'function' && typeof base === 'function' && target.prototype instanceof base)
  )
}

function restore({ inheritance, children, counters }: Hierarchy): void {
  const { inheritances, generations, columns } = getMetadataArgsStorage()
  if (!inheritances.includes(inheritance)) inheritances.push(inheritance)
  for (const child of children) child.type = 'entity-child'
  for (const { generated, shared } of counters) {
    if (!generations.includes(generated)) generations.push(generated)
    if (columns.includes(shared)) columns.splice(columns.indexOf(shared), 1)
  }
}

/** A table for each class, which TypeORM names. It lies where that of the root does. */
function divide({ root: { schema, database }, children }: Hierarchy): void {
  for (const child of children) Object.assign(child, { type: 'regular', schema, database })
}

/** Each table has all columns. No two rows have one key, since the tables share what counts. */
function makeEachWhole({ root, inheritance, counters }: Hierarchy): void {
  const { inheritances, generations, columns } = getMetadataArgsStorage()
  inheritances.splice(inheritances.indexOf(inheritance), 1)
  for (const { generated, shared } of counters) {
    if (generated.target === root.target) generations.splice(generations.indexOf(generated), 1)
    // TypeORM takes the first of a name.
    columns.unshift(shared)
  }
}
