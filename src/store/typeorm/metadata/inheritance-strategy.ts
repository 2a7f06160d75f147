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

/** Returns true for a hierarchy with joined tables, even if no subclass adds a column. */
export function usesJoinedTables({ metadata }: { readonly metadata: EntityMetadata }): boolean {
  return inheritanceStrategyOf(metadata) === 'joined'
}

/** Returns the metadata of the tables that store a row of this class: all joined tables, root first, or only the table of the class. */
export function tablesOfRow(metadata: EntityMetadata): readonly EntityMetadata[] {
  return inheritanceByEntity.get(metadata)?.tables ?? [metadata]
}

/** Returns all classes of a hierarchy with several tables, root first; for other classes only the class itself. */
export function multiTableHierarchyOrSelf(metadata: EntityMetadata): readonly EntityMetadata[] {
  return inheritanceByEntity.get(metadata)?.hierarchy ?? [metadata]
}

export function recordInheritanceStrategyOfEntity(metadata: EntityMetadata, tables: ClassInheritance): void {
  inheritanceByEntity.set(metadata, tables)
}

/** Returns true if a class is a subclass of a base class. */
export function isMetadataOfSubclass(metadata: EntityMetadata, base: EntityMetadata): boolean {
  const { target } = base
  return (
    typeof target === 'function' && typeof metadata.target === 'function' && metadata.target.prototype instanceof target
  )
}

/** Returns true if the class has a table: an abstract base class of tables per concrete class has none. */
export function entityHasOwnOrSharedTable(metadata: EntityMetadata): boolean {
  return inheritanceStrategyOf(metadata) !== 'tablePerConcreteClass' || metadata.synchronize
}
