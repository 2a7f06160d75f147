import type { EntityMetadata } from 'typeorm'
import type { ColumnMetadata } from '../metadata/typeorm-metadata'
import { bind, identifier, type Sql } from '../sql/sql'
import type { TableMapping } from './mapping'
import type { MappingContext } from './mapping-context'

/**
 * Finds the defaults that an insert has to name. On SQLite, TypeORM writes declared defaults into the statement, so the table may lack them.
 * Elsewhere it writes `default`, which an omitted column gets too.
 */
export function findDefaults(
  parts: readonly EntityMetadata[],
  { dataSource, dialect, nameOf }: MappingContext,
): TableMapping['defaults'] {
  if (dialect.name !== 'sqlite') return new Map()
  const columns = parts.flatMap(({ columns: own }) => own).filter(isWritten)
  return new Map(
    columns.flatMap((column) => {
      const expression = expressionOf(column, dataSource.driver.normalizeDefault(column))
      return expression === undefined ? [] : [[dialect.quote(nameOf(column)), expression] as const]
    }),
  )
}

/** A key is found in its own way. */
function isWritten({ isInsert, isVirtualProperty, isPrimary, generatedType }: ColumnMetadata): boolean {
  return isInsert && !isVirtualProperty && !isPrimary && generatedType === undefined
}

/** TypeORM does not escape quotes in a text. */
function expressionOf(column: ColumnMetadata, normalized: string | undefined): Sql | undefined {
  const declared: unknown = column.default
  if (typeof declared === 'string') return bind(declared)
  return normalized === undefined ? undefined : identifier(normalized)
}
