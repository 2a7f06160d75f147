import type { ResourceClass } from 'stemma'
import type { DataSource, EntityMetadata } from 'typeorm'
import type { RelationMetadata } from 'typeorm/metadata/RelationMetadata'
import {
  inheritanceStrategyOf,
  multiTableHierarchyOrSelf,
  tablesOfRow,
} from '../../src/store/typeorm/metadata/inheritance-strategy'
import { derives } from './table-layout'

// TypeORM stores metadata with a class, with its bases, or with derived classes.

/** Returns the tables that contain rows of the class, or parts of them. */
export function tablesOf(dataSource: DataSource, entity: ResourceClass): readonly EntityMetadata[] {
  const metadata = dataSource.getMetadata(entity)
  if (inheritanceStrategyOf(metadata) !== 'tablePerConcreteClass') return tablesOfRow(metadata)
  return multiTableHierarchyOrSelf(metadata).filter(({ target, synchronize }) => synchronize && derives(target, entity))
}

export function relationOf(dataSource: DataSource, entity: ResourceClass, property: string): RelationMetadata {
  const parts = tablesOfRow(dataSource.getMetadata(entity))
  const [relation] = parts.flatMap((part) => part.findRelationWithPropertyPath(property) ?? [])
  if (relation === undefined) throw new Error(`${entity.name}.${property} is not a relation.`)
  return relation
}

/** Returns the quoted table that contains this property of a row. */
export function tableWith(dataSource: DataSource, entity: ResourceClass, property: string): string {
  const table = tablesOf(dataSource, entity).find((each) => each.findColumnsWithPropertyPath(property).length > 0)
  if (table === undefined) throw new Error(`${entity.name} has no ${property}.`)
  return quoted(dataSource, table)
}

/** Returns the quoted name of a table, for a statement. */
export function quoted({ driver }: DataSource, { tablePath }: Pick<EntityMetadata, 'tablePath'>): string {
  return tablePath
    .split('.')
    .map((name) => driver.escape(name))
    .join('.')
}
