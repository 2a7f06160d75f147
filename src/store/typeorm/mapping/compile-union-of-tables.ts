import type { EntityMetadata } from 'typeorm'
import { getOrCompute } from '../../../cache/get-or-compute'
import { assertNever } from '../../../errors/invariant'
import type { ResourceType } from '../../../graph/model/resource-graph'
import { quoteTablePath } from '../dialects/dialect'
import type { ColumnMetadata } from '../metadata/typeorm-metadata'
import type { FromClauseItemBuilder, ResourceTypeMapping } from './database-mapping'
import type { DatabaseMappingContext } from './database-mapping-context'

/** The column with the stored type of a row. No property has this name. */
export const STORED_TYPE_COLUMN = '$type'

/** The alias of each table in its select. */
const ROW_ALIAS = 'each_row'

/** The source of the rows of a type after `from`, and the tables and columns in it. */
export type TypeRowSource = Pick<ResourceTypeMapping, 'fromItem' | 'tableRowSources' | 'columns'>

/** Compiles the union of the tables of a type: a select for each, with null for columns that a table lacks. */
export function compileUnionOfTables(type: ResourceType, context: DatabaseMappingContext): TypeRowSource {
  const stored = type.concreteTypes.map(({ name, resourceClass }) => ({
    name,
    metadata: context.dataSource.getMetadata(resourceClass),
  }))
  const columns = allColumns(
    stored.map(({ metadata }) => metadata),
    context,
  )
  const [only, ...others] = stored
  if (only !== undefined && others.length === 0 && isReadAsIs(only.metadata, context)) {
    const table = quoteTablePath(only.metadata.tablePath, context.dialect)
    const fromItem = () => table
    const names = quotedNames(columns, context)
    return { fromItem, tableRowSources: [{ fromItem, columns: names }], columns: names }
  }
  const quoted = new Map([...columns].map(([name, column]) => [context.dialect.quote(name), column]))
  const selects = stored.map((table) => selectTable(table, quoted, context))
  return {
    fromItem: (columns) => `(${selects.map((select) => select(columns)).join(' union all ')})`,
    tableRowSources: stored.map(({ metadata }, index) => ({
      fromItem: (columns) => `(${selects[index]?.(columns)})`,
      columns: quotedNames(allColumns([metadata], context), context),
    })),
    columns: quotedNames(columns, context),
  }
}

interface StoredTable {
  readonly name: string
  readonly metadata: EntityMetadata
}

function quotedNames(columns: ColumnsByName, { dialect }: DatabaseMappingContext): ReadonlySet<string> {
  return new Set([...columns.keys(), STORED_TYPE_COLUMN].map(dialect.quote))
}

/** Returns true if all columns have the same name in statements and in the table. */
function isReadAsIs({ columns }: EntityMetadata, { nameOf }: DatabaseMappingContext): boolean {
  return columns.every((column) => !column.isVirtualProperty && nameOf(column) === column.databaseName)
}

type ColumnsByName = ReadonlyMap<string, ColumnMetadata>

function allColumns(tables: readonly EntityMetadata[], { nameOf }: DatabaseMappingContext): ColumnsByName {
  const readable = tables.flatMap(({ columns }) =>
    columns.filter(({ isVirtualProperty, query }) => !isVirtualProperty || query !== undefined),
  )
  return new Map(readable.toReversed().map((column) => [nameOf(column), column]))
}

/**
 * Compiles the select of one table. It lists only requested columns, because some databases materialize the whole union. An expression is compiled when a
 * statement first needs it: a base of 300 types can have 600 columns in each of 300 tables.
 */
function selectTable(
  { name, metadata }: StoredTable,
  columns: ReadonlyMap<string, ColumnMetadata>,
  context: DatabaseMappingContext,
): FromClauseItemBuilder {
  const { dialect, nameOf } = context
  const storedType = dialect.quote(STORED_TYPE_COLUMN)
  let ownColumns: ReadonlyMap<string, ColumnMetadata> | undefined
  const expressionIn = (column: string, sample: ColumnMetadata) => {
    ownColumns ??= new Map(metadata.columns.map((own) => [dialect.quote(nameOf(own)), own]))
    const own = ownColumns.get(column)
    return `${own === undefined ? typedNull(sample, context) : expressionOf(own, context)} as ${column}`
  }
  const compiled = new Map<string, string>()
  const from = `from ${quoteTablePath(metadata.tablePath, dialect)} ${ROW_ALIAS}`
  return (requested) => {
    const listed: string[] = []
    for (const [column, sample] of columns)
      if (requested.has(column)) listed.push(getOrCompute(compiled, column, () => expressionIn(column, sample)))
    if (requested.has(storedType)) listed.push(`${textOf(name, metadata, context)} as ${storedType}`)
    return `select ${listed.length === 0 ? '1 as there' : listed.join(', ')} ${from}`
  }
}

/** Compiles the name of a type to a literal. */
function textOf(name: string, { primaryColumns }: EntityMetadata, { dialect }: DatabaseMappingContext): string {
  const key = primaryColumns[0]?.databaseName ?? ''
  const literal = `'${name.replaceAll("'", "''")}'`
  switch (dialect.name) {
    case 'postgres':
      return `${literal}::text`
    case 'mysql':
      // Converts to utf8mb4, because MySQL rejects comparisons of two collations, and the driver writes values with a backslash in another one. The `case`
      // depends on the row, because MariaDB keeps a constant if a `left join` finds no row.
      return `case when ${ROW_ALIAS}.${dialect.quote(key)} is not null then convert(${literal} using utf8mb4) end`
    case 'sqlite':
      return literal
    default:
      return assertNever(dialect.name)
  }
}

function expressionOf({ query, databaseName }: ColumnMetadata, { dialect }: DatabaseMappingContext): string {
  return query === undefined ? `${ROW_ALIAS}.${dialect.quote(databaseName)}` : `(${query(ROW_ALIAS)})`
}

/** Compiles null with the type of a column. PostgreSQL requires the type, and MySQL converts values to text in a union with an untyped null. */
function typedNull(column: ColumnMetadata, context: DatabaseMappingContext): string {
  const { dataSource, dialect } = context
  if (dialect.name === 'sqlite') return 'null'
  const type = dataSource.driver.normalizeType(column)
  if (dialect.name === 'postgres' && CASTABLE_TYPE.test(type) && type !== 'enum' && !column.isArray)
    return `null::${type}`
  const table = quoteTablePath(column.entityMetadata.tablePath, dialect)
  return `(select ${expressionOf(column, context)} from ${table} ${ROW_ALIAS} where false)`
}

/** Matches types that can be used in a cast. */
const CASTABLE_TYPE = /^[a-z][a-z0-9 ]*$/
