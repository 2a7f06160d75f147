import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata'
import type { EntityMetadata } from 'typeorm/metadata/EntityMetadata'
import { assertNever } from '../../errors/invariant'
import type { ResourceType } from '../../graph/resource-graph'
import type { Source, TableMapping } from './mapping'
import { quotePath } from './quote-path'
import type { Surroundings } from './surroundings'

/** The column that says which table a row is from. No property has such a name. */
export const STORED_TYPE = '$type'

/** The alias of each table within its select. */
const EACH = 'each_row'

export type UnitedTables = Pick<TableMapping, 'source' | 'branches' | 'columns'>

/** Of tables that rows of a type lie in: a select of each, which has the columns of all, with null for what a table lacks. */
export function uniteTables(type: ResourceType, around: Surroundings): UnitedTables {
  const stored = type.concreteTypes.map((each) => ({
    name: each.name,
    metadata: around.dataSource.getMetadata(each.resourceClass),
  }))
  const columns = columnsOfAll(
    stored.map(({ metadata }) => metadata),
    around,
  )
  const [only, ...others] = stored
  if (only !== undefined && others.length === 0 && isReadAsIs(only.metadata, around)) {
    const table = quotePath(only.metadata.tablePath, around.dialect)
    const source = () => table
    const own = quotedNames(columns, around)
    return { source, branches: [{ source, columns: own }], columns: own }
  }
  const selects = stored.map((each) => selectTable(each, columns, around))
  return {
    source: (asked) => `(${selects.map((select) => select(asked)).join(' union all ')})`,
    branches: stored.map(({ metadata }, place) => ({
      source: (asked) => `(${selects[place]?.(asked)})`,
      columns: quotedNames(columnsOfAll([metadata], around), around),
    })),
    columns: quotedNames(columns, around),
  }
}

function quotedNames(columns: ColumnsOfAll, { dialect }: Surroundings): ReadonlySet<string> {
  return new Set([...columns.keys(), STORED_TYPE].map(dialect.quote))
}

/** Whether statements know all columns by the names that they have in the table. */
function isReadAsIs({ columns }: EntityMetadata, { nameOf }: Surroundings): boolean {
  return columns.every((column) => !column.isVirtualProperty && nameOf(column) === column.databaseName)
}

type ColumnsOfAll = ReadonlyMap<string, ColumnMetadata>

function columnsOfAll(tables: readonly EntityMetadata[], { nameOf }: Surroundings): ColumnsOfAll {
  const readable = tables.flatMap(({ columns }) =>
    columns.filter(({ isVirtualProperty, query }) => !isVirtualProperty || query !== undefined),
  )
  return new Map(readable.toReversed().map((column) => [nameOf(column), column]))
}

/** No column is listed that nobody asked for: some databases write all rows down before they look at them. */
function selectTable(
  { name, metadata }: { readonly name: string; readonly metadata: EntityMetadata },
  columns: ColumnsOfAll,
  around: Surroundings,
): Source {
  const { dialect, nameOf } = around
  const own = new Map(metadata.columns.map((column) => [nameOf(column), column]))
  const selected = [...columns].map(([columnName, sample]) => {
    const column = own.get(columnName)
    const expression = column === undefined ? nothingLike(sample, around) : expressionOf(column, around)
    return [dialect.quote(columnName), expression] as const
  })
  const all = [...selected, [dialect.quote(STORED_TYPE), textOf(name, metadata, around)] as const]
  const from = `from ${quotePath(metadata.tablePath, dialect)} ${EACH}`
  return (asked) => {
    const listed = all
      .filter(([column]) => asked.has(column))
      .map(([column, expression]) => `${expression} as ${column}`)
    return `select ${listed.length === 0 ? '1 as there' : listed.join(', ')} ${from}`
  }
}

/** Names of resource types have no characters that would have to be escaped; a quote is doubled all the same. */
function textOf(name: string, { primaryColumns }: EntityMetadata, { dialect }: Surroundings): string {
  const key = primaryColumns[0]?.databaseName ?? ''
  const literal = `'${name.replaceAll("'", "''")}'`
  switch (dialect.name) {
    case 'postgres':
      return `${literal}::text`
    case 'mysql':
      // Literals of two collations can't be compared with each other, and values that have a backslash in them are written in another one. A column
      // that is constant keeps its value on MariaDB where a `left join` finds no row.
      return `case when ${EACH}.${dialect.quote(key)} is not null then convert(${literal} using utf8mb4) end`
    case 'sqlite':
      return literal
    default:
      return assertNever(dialect.name)
  }
}

function expressionOf({ query, databaseName }: ColumnMetadata, { dialect }: Surroundings): string {
  return query === undefined ? `${EACH}.${dialect.quote(databaseName)}` : `(${query(EACH)})`
}

/** Null, of the type of a column: PostgreSQL wants to know it, and MySQL makes text of all that is united with null. */
function nothingLike(column: ColumnMetadata, around: Surroundings): string {
  const { dataSource, dialect } = around
  if (dialect.name === 'sqlite') return 'null'
  const type = dataSource.driver.normalizeType(column)
  if (dialect.name === 'postgres' && NAMED_ALONE.test(type) && type !== 'enum' && !column.isArray)
    return `null::${type}`
  const table = quotePath(column.entityMetadata.tablePath, dialect)
  return `(select ${expressionOf(column, around)} from ${table} ${EACH} where false)`
}

/** Types that are what their name says. */
const NAMED_ALONE = /^[a-z][a-z0-9 ]*$/
