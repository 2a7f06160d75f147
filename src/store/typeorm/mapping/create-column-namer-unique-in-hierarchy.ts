import type { DataSource, EntityMetadata } from 'typeorm'
import type { ResourceClass } from '../../../graph/model/resource-graph'
import { selfAndSuperclasses } from '../../../graph/model/superclasses'
import { inheritanceStrategyOf, multiTableHierarchyOrSelf } from '../metadata/inheritance-strategy'
import type { ColumnMetadata } from '../metadata/typeorm-metadata'

/** Returns the name by which statements know a column. Not quoted. */
export type GetColumnName = (column: ColumnMetadata) => string

/**
 * Names columns uniquely within a hierarchy whose classes have tables of their own. Two classes can have unrelated columns of one name, while an
 * inherited column has one name everywhere.
 */
export function createColumnNamerUniqueInHierarchy({ entityMetadatas }: DataSource): GetColumnName {
  const names = new Map<ColumnMetadata, string>()
  const roots = new Set(
    entityMetadatas
      .filter((metadata) => inheritanceStrategyOf(metadata) !== 'single')
      .map((metadata) => multiTableHierarchyOrSelf(metadata)[0]),
  )
  for (const root of roots) {
    if (root === undefined) continue
    for (const [column, name] of nameColumnsOf(multiTableHierarchyOrSelf(root))) names.set(column, name)
  }
  return (column) => names.get(column) ?? column.databaseName
}

/** Names the columns of a hierarchy, starting at the root, so that the columns of the root keep their names. */
function nameColumnsOf(hierarchy: readonly EntityMetadata[]): ReadonlyMap<ColumnMetadata, string> {
  const byDeclaration = new Map<string, string>()
  const taken = new Set<string>()
  const names = hierarchy.flatMap((metadata) =>
    metadata.columns.map((column) => {
      const declaration = declarationOf(column, metadata, hierarchy)
      const name = byDeclaration.get(declaration) ?? nextFree(column.databaseName, taken)
      byDeclaration.set(declaration, name)
      taken.add(name.toLowerCase())
      return [column, name] as const
    }),
  )
  return new Map(names)
}

/** Returns equal texts for a declared column and the columns that inherit it. */
function declarationOf(column: ColumnMetadata, metadata: EntityMetadata, hierarchy: readonly EntityMetadata[]): string {
  const chain = selfAndSuperclasses(metadata.target as ResourceClass)
  const first = hierarchy.findIndex(
    ({ target, columns }) =>
      chain.includes(target as ResourceClass) && columns.some((candidate) => isSameColumn(candidate, column)),
  )
  return JSON.stringify([first, column.propertyPath, column.databaseName])
}

function isSameColumn(left: ColumnMetadata, right: ColumnMetadata): boolean {
  return left.propertyPath === right.propertyPath && left.databaseName === right.databaseName
}

function nextFree(name: string, taken: ReadonlySet<string>): string {
  let [free, count] = [name, 1]
  while (taken.has(free.toLowerCase())) free = `${name}_${++count}`
  return free
}
