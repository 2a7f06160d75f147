import type { DataSource, EntityMetadata } from 'typeorm'
import type { ResourceClass } from '../../../graph/model/resource-graph'
import { selfAndSuperclasses } from '../../../graph/model/superclasses'
import { hierarchyOf, inheritanceStrategyOf } from '../metadata/inheritance-strategy'
import type { ColumnMetadata } from '../metadata/typeorm-metadata'

/** Returns the name by which statements know a column. Not quoted. */
export type GetColumnName = (column: ColumnMetadata) => string

/**
 * Names columns uniquely within a hierarchy whose classes have tables of their own. Two classes can have unrelated columns of one name, while an
 * inherited column has one name everywhere.
 */
export function nameColumnsOfHierarchies({ entityMetadatas }: DataSource): GetColumnName {
  const names = new Map<ColumnMetadata, string>()
  const roots = new Set(
    entityMetadatas.filter((each) => inheritanceStrategyOf(each) !== 'single').map((each) => hierarchyOf(each)[0]),
  )
  for (const root of roots) {
    if (root === undefined) continue
    for (const [column, name] of nameWithin(hierarchyOf(root))) names.set(column, name)
  }
  return (column) => names.get(column) ?? column.databaseName
}

/** The topmost class comes first, so that what it has declared keeps its name. */
function nameWithin(hierarchy: readonly EntityMetadata[]): ReadonlyMap<ColumnMetadata, string> {
  const byDeclaration = new Map<string, string>()
  const taken = new Set<string>()
  const named = hierarchy.flatMap((metadata) =>
    metadata.columns.map((column) => {
      const declaration = declarationOf(column, metadata, hierarchy)
      const name = byDeclaration.get(declaration) ?? nextFree(column.databaseName, taken)
      byDeclaration.set(declaration, name)
      taken.add(name.toLowerCase())
      return [column, name] as const
    }),
  )
  return new Map(named)
}

/** Equal for a column that one class declares and others inherit. */
function declarationOf(column: ColumnMetadata, metadata: EntityMetadata, hierarchy: readonly EntityMetadata[]): string {
  const chain = selfAndSuperclasses(metadata.target as ResourceClass)
  const first = hierarchy.findIndex(
    (each) => chain.includes(each.target as ResourceClass) && each.columns.some((other) => isSame(other, column)),
  )
  return JSON.stringify([first, column.propertyPath, column.databaseName])
}

function isSame(one: ColumnMetadata, other: ColumnMetadata): boolean {
  return one.propertyPath === other.propertyPath && one.databaseName === other.databaseName
}

function nextFree(name: string, taken: ReadonlySet<string>): string {
  let [free, count] = [name, 1]
  while (taken.has(free.toLowerCase())) free = `${name}_${++count}`
  return free
}
