import type { EntityMetadata } from 'typeorm'

/** Where the rows of a hierarchy of classes lie: in TypeORM's one table, in a table per part, or in one per concrete class. */
export type TableLayout = 'single' | 'joined' | 'perConcreteType'

/** What `separateTables` found out about one class. */
export interface ClassTables {
  readonly layout: TableLayout
  readonly parts: readonly EntityMetadata[]
  readonly hierarchy: readonly EntityMetadata[]
}

const told = new WeakMap<EntityMetadata, ClassTables>()

/** How the rows of a class and those it derives from are laid out. */
export function layoutOf(metadata: EntityMetadata): TableLayout {
  return told.get(metadata)?.layout ?? 'single'
}

/** The metadata of the tables that hold parts of a row of this class: of joined tables the root first; else only the class's own. */
export function partsOfRow(metadata: EntityMetadata): readonly EntityMetadata[] {
  return told.get(metadata)?.parts ?? [metadata]
}

/** All classes with tables of their own in one hierarchy, root first; only itself for a class outside of such. */
export function hierarchyOf(metadata: EntityMetadata): readonly EntityMetadata[] {
  return told.get(metadata)?.hierarchy ?? [metadata]
}

export function tellTables(metadata: EntityMetadata, tables: ClassTables): void {
  told.set(metadata, tables)
}

/** Whether the one class derives from the other. */
export function isBelow(one: EntityMetadata, other: EntityMetadata): boolean {
  const { target } = other
  return typeof target === 'function' && typeof one.target === 'function' && one.target.prototype instanceof target
}

/** Whether there is a table for the class: an abstract one above tables of their own has none. */
export function hasTable(metadata: EntityMetadata): boolean {
  return layoutOf(metadata) !== 'perConcreteType' || metadata.synchronize
}
