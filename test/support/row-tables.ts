import type { ResourceClass } from 'stemma'
import type { DataSource, EntityMetadata } from 'typeorm'
import type { RelationMetadata } from 'typeorm/metadata/RelationMetadata'
import { hierarchyOf, inheritanceStrategyOf, tablesOfRow } from '../../src/store/typeorm/metadata/inheritance-strategy'
import { derives } from './lay-tables'

// Where TypeORM has what is said of a class: with the class, with one that it derives from, or with those that derive from it.

/** Those that hold rows of the class, or parts of them. */
export function tablesOf(dataSource: DataSource, entity: ResourceClass): readonly EntityMetadata[] {
  const metadata = dataSource.getMetadata(entity)
  if (inheritanceStrategyOf(metadata) !== 'tablePerConcreteClass') return tablesOfRow(metadata)
  return hierarchyOf(metadata).filter(({ target, synchronize }) => synchronize && derives(target, entity))
}

export function relationOf(dataSource: DataSource, entity: ResourceClass, property: string): RelationMetadata {
  const parts = tablesOfRow(dataSource.getMetadata(entity))
  const [relation] = parts.flatMap((part) => part.findRelationWithPropertyPath(property) ?? [])
  if (relation === undefined) throw new Error(`${entity.name}.${property} is no relation.`)
  return relation
}

/** The table that holds this property of such a row, as it is written in a statement. */
export function tableWith(dataSource: DataSource, entity: ResourceClass, property: string): string {
  const table = tablesOf(dataSource, entity).find((each) => each.findColumnsWithPropertyPath(property).length > 0)
  if (table === undefined) throw new Error(`${entity.name} has no ${property}.`)
  return quoted(dataSource, table)
}

/** In a statement. */
export function quoted({ driver }: DataSource, { tablePath }: Pick<EntityMetadata, 'tablePath'>): string {
  return tablePath
    .split('.')
    .map((name) => driver.escape(name))
    .join('.')
}
