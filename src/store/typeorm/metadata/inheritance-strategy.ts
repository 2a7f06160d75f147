import type { EntityMetadata } from 'typeorm'

/** How a hierarchy of classes is stored: in one table, in joined tables, or in a table for each concrete class. */
export type InheritanceStrategy = 'single' | 'joined' | 'tablePerConcreteClass'

/** The inheritance of one class, as `enableMultiTableInheritance` found it. */
interface ClassInheritance {
  readonly strategy: InheritanceStrategy
  readonly tables: readonly EntityMetadata[]
  readonly hierarchy: readonly EntityMetadata[]
}

const inheritanceByEntity = new WeakMap<EntityMetadata, ClassInheritance>()

/** Returns the inheritance strategy of a class. */
export function inheritanceStrategyOf(metadata: EntityMetadata): InheritanceStrategy {
  return inheritanceByEntity.get(metadata)?.strategy ?? 'single'
}

/** Returns true for a hierarchy with joined tables, also where no subclass adds a column: its rows are in the topmost table all the same. */
export function usesJoinedTables({ metadata }: { readonly metadata: EntityMetadata }): boolean {
  return inheritanceStrategyOf(metadata) === 'joined'
}

/** The metadata of the tables that hold parts of a row of this class: of joined tables the root first; else only the class's own. */
export function tablesOfRow(metadata: EntityMetadata): readonly EntityMetadata[] {
  return inheritanceByEntity.get(metadata)?.tables ?? [metadata]
}

/** All classes with tables of their own in one hierarchy, root first; only itself for a class outside of such. */
export function hierarchyOf(metadata: EntityMetadata): readonly EntityMetadata[] {
  return inheritanceByEntity.get(metadata)?.hierarchy ?? [metadata]
}

export function registerInheritance(metadata: EntityMetadata, tables: ClassInheritance): void {
  inheritanceByEntity.set(metadata, tables)
}

/** Returns true if the one class is a subclass of the other. */
export function isSubclassOf(one: EntityMetadata, other: EntityMetadata): boolean {
  const { target } = other
  return typeof target === 'function' && typeof one.target === 'function' && one.target.prototype instanceof target
}

/** Returns true if the class has a table: an abstract base class of tables per concrete class has none. */
export function entityHasTable(metadata: EntityMetadata): boolean {
  return inheritanceStrategyOf(metadata) !== 'tablePerConcreteClass' || metadata.synchronize
}
