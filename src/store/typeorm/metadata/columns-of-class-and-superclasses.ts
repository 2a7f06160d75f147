import type { DataSource } from 'typeorm'
import type { ResourceClass } from '../../../graph/model/resource-graph'
import { selfAndSuperclasses } from '../../../graph/model/superclasses'
import { metadataArgsOfDataSource } from './declared-arguments'
import type { ColumnMetadata } from './typeorm-metadata'

/** Returns the columns that a class or one of its superclasses declares. With single-table inheritance, TypeORM adds those of subclasses to the metadata. */
export function columnsOfClassAndSuperclasses(
  columns: readonly ColumnMetadata[],
  resourceClass: ResourceClass,
  dataSource: DataSource,
): readonly ColumnMetadata[] {
  const chain: readonly unknown[] = selfAndSuperclasses(resourceClass)
  const embedded = metadataArgsOfDataSource(dataSource).embeddeds.filter(({ target }) => chain.includes(target))
  const embeddedNames = new Set(embedded.map(({ propertyName }) => propertyName))
  return columns.filter(({ embeddedMetadata, propertyPath, target }) =>
    embeddedMetadata === undefined ? chain.includes(target) : embeddedNames.has(propertyPath.split('.', 1).join()),
  )
}
