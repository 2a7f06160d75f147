import type { EntityMetadata } from 'typeorm'
import { getOrCompute } from '../../../cache/get-or-compute'
import { InvariantError } from '../../../errors/invariant'
import type { ResourceClass, ResourceType, StoredType } from '../../../graph/model/resource-graph'
import { selfAndSuperclasses } from '../../../graph/model/superclasses'
import { type Dialect, quoteTablePath } from '../dialects/dialect'
import { observedEntityEventsOf } from '../metadata/entity-listeners'
import { inheritanceStrategyOf, multiTableHierarchyOrSelf, tablesOfRow } from '../metadata/inheritance-strategy'
import type { ColumnMetadata } from '../metadata/typeorm-metadata'
import { boundValueSql, rawSql, type Sql } from '../sql/sql'
import { compileUnionOfTables, STORED_TYPE_COLUMN, type TypeRowSource } from './compile-union-of-tables'
import { createColumnMapping } from './create-column-mapping'
import type { Discriminator, JoinedTableColumn, PhysicalTable, ResourceTypeMapping } from './database-mapping'
import type { DatabaseMappingContext } from './database-mapping-context'
import { idOfKey } from './keys'

/** Maps each type to its tables. Types of one hierarchy share what is the same for all of them. */
export function mapTypesToTables(
  types: readonly ResourceType[],
  context: DatabaseMappingContext,
): ReadonlyMap<ResourceType, ResourceTypeMapping> {
  const shared: SharedParts = { discriminators: new Map(), joinedColumns: new Map() }
  return new Map(types.map((type) => [type, mapTypeToTables(type, shared, context)]))
}

interface SharedParts {
  /** By table and column. */
  readonly discriminators: Map<string, Discriminator>
  /** By the topmost class. */
  readonly joinedColumns: Map<EntityMetadata, ResourceTypeMapping['joinedColumns']>
}

function mapTypeToTables(
  type: ResourceType,
  shared: SharedParts,
  context: DatabaseMappingContext,
): ResourceTypeMapping {
  const { dataSource } = context
  const metadata = dataSource.getMetadata(type.resourceClass)
  const key = mapKey(type, metadata, context)
  const tables = tablesOfRow(metadata).map((part) => mapPhysicalTable(part, context))
  const [topmost] = tables
  if (topmost === undefined) throw new InvariantError(`${metadata.name} has no table.`)
  const dates = findDeleteDateColumns(type, context)
  // With single-table inheritance, TypeORM adds the column to all classes, and not only to the one that declares it.
  const deleteDate = dates.find(({ target }) =>
    selfAndSuperclasses(type.resourceClass).includes(target as ResourceClass),
  )
  return {
    ...(inheritanceStrategyOf(metadata) === 'tablePerConcreteClass'
      ? compileUnionOfTables(type, context)
      : singleTable(topmost.table)),
    types: typesOf(type, metadata, context),
    joinedColumns: getOrCompute(shared.joinedColumns, topmost.metadata, (root) => findJoinedColumns(root, context)),
    tables: tables as [PhysicalTable, ...PhysicalTable[]],
    metadata,
    key,
    toId: compileToId(key, type),
    discriminator: mapDiscriminator(type, topmost.metadata, shared, context),
    defaults: findDefaults(tablesOfRow(metadata), context),
    listeners: observedEntityEventsOf(metadata, dataSource),
    deletedAt: deleteDate && createColumnMapping(deleteDate, { valueType: 'datetime' }, context),
    deleteDateColumns: [...new Set(dates.map((date) => context.dialect.quote(context.nameOf(date))))],
  }
}

/** Finds the delete date columns of the class, its base classes and its subclasses. */
function findDeleteDateColumns(
  { resourceClass, concreteTypes }: ResourceType,
  { dataSource }: DatabaseMappingContext,
): ColumnMetadata[] {
  const classes = [resourceClass, ...concreteTypes.map((type) => type.resourceClass)]
  const metadatas = classes.flatMap((entityClass) => tablesOfRow(dataSource.getMetadata(entityClass)))
  return [...new Set(metadatas)].flatMap(({ deleteDateColumn }) => deleteDateColumn ?? [])
}

/** Returns all types that the tables store, because conditions can refer to any of them. */
function typesOf(
  type: ResourceType,
  metadata: EntityMetadata,
  { typesStoredIn }: DatabaseMappingContext,
): readonly StoredType[] {
  if (inheritanceStrategyOf(metadata) === 'tablePerConcreteClass') return type.concreteTypes
  const [topmost = metadata] = tablesOfRow(metadata)
  return typesStoredIn(topmost)
}

function singleTable(table: string): TypeRowSource {
  const fromItem = () => table
  return { fromItem, tableRowSources: [{ fromItem, columns: undefined }], columns: undefined }
}

function mapPhysicalTable(metadata: EntityMetadata, { dialect, nameOf }: DatabaseMappingContext): PhysicalTable {
  const mapColumns = () => {
    const stored = metadata.columns.filter(({ isVirtualProperty }) => !isVirtualProperty)
    return new Map(stored.map((column) => [dialect.quote(nameOf(column)), dialect.quote(column.databaseName)]))
  }
  let columns: PhysicalTable['columns'] | undefined
  return {
    table: quoteTablePath(metadata.tablePath, dialect),
    metadata,
    key: metadata.primaryColumns.map(({ databaseName }) => dialect.quote(databaseName)),
    // TypeORM gives each class of a single table the foreign keys of all classes. Only writes need the columns, so they are mapped at the first one.
    get columns() {
      columns ??= mapColumns()
      return columns
    },
  }
}

/** Finds the columns of the whole hierarchy: rows of a base type are read with the columns of subclasses. */
function findJoinedColumns(
  root: EntityMetadata,
  { dialect, nameOf }: DatabaseMappingContext,
): ReadonlyMap<string, JoinedTableColumn> {
  if (inheritanceStrategyOf(root) !== 'joined') return new Map()
  const [, ...derived] = multiTableHierarchyOrSelf(root)
  return new Map(
    derived.flatMap((metadata, index) => {
      const { tablePath, primaryColumns, columns } = metadata
      const table = quoteTablePath(tablePath, dialect)
      const key = primaryColumns.map(({ databaseName }) => dialect.quote(databaseName))
      return columns
        .filter(({ isPrimary }) => !isPrimary)
        .map((column) => {
          const inTable = { table, key, column: dialect.quote(column.databaseName), suffix: `_${index + 1}` }
          const extension =
            column.query === undefined
              ? inTable
              : { ...inTable, table: allColumnsOf(metadata, dialect), suffix: undefined }
          return [dialect.quote(nameOf(column)), extension] as const
        })
    }),
  )
}

/** Selects the columns of all tables of a row, under their own names: the expression of a virtual column can use each of them. */
function allColumnsOf(metadata: EntityMetadata, dialect: Dialect): string {
  const parts = tablesOfRow(metadata)
  const columns = new Map<string, string>()
  for (const [index, part] of parts.entries()) {
    for (const { databaseName, isVirtualProperty } of part.columns) {
      const name = dialect.quote(databaseName)
      if (!isVirtualProperty) columns.set(name, `part${index}.${name}`)
    }
  }
  const tables = parts.map(({ tablePath, primaryColumns }, index) => {
    const table = `${quoteTablePath(tablePath, dialect)} part${index}`
    if (index === 0) return table
    const isOfRow = primaryColumns.map(({ databaseName }, keyIndex) => {
      const topmost = parts[0]?.primaryColumns[keyIndex]?.databaseName ?? databaseName
      return `part${index}.${dialect.quote(databaseName)} = part0.${dialect.quote(topmost)}`
    })
    return `join ${table} on ${isOfRow.join(' and ')}`
  })
  return `(select ${[...columns.values()].join(', ')} from ${tables.join(' ')})`
}

function mapKey(
  { id: { constraints } }: ResourceType,
  metadata: EntityMetadata,
  context: DatabaseMappingContext,
): ResourceTypeMapping['key'] {
  const { primaryColumns } = tablesOfRow(metadata)[0] ?? metadata
  if (primaryColumns.length === 0) throw new InvariantError(`${metadata.name} has no primary key.`)
  return primaryColumns.map((column, index) =>
    createColumnMapping(column, constraints.parts?.[index] ?? constraints, context),
  )
}

/** Compiles the conversion of keys to ids. Most keys without a codec and a transformer need only `String`. */
function compileToId(key: ResourceTypeMapping['key'], type: ResourceType): ResourceTypeMapping['toId'] {
  const { constraints, isTransformed } = type.id
  const isPlain = constraints.codec === undefined && !isTransformed && !key.some((part) => part.isNormalizedInKeys)
  if (isPlain) return ([only]) => String(only)
  return (raw) => idOfKey(key, type, raw)
}

/** Maps the discriminator of a type; `undefined`: its rows have one stored type. */
function mapDiscriminator(
  type: ResourceType,
  topmost: EntityMetadata,
  { discriminators }: SharedParts,
  context: DatabaseMappingContext,
): Discriminator | undefined {
  const { dataSource, dialect, typesStoredIn } = context
  if (inheritanceStrategyOf(topmost) === 'tablePerConcreteClass') {
    const values = new Map(type.concreteTypes.map((stored) => [stored, stored.name]))
    return values.size === 1 ? undefined : toDiscriminator(dialect.quote(STORED_TYPE_COLUMN), values, true)
  }
  const { discriminatorColumn } = topmost
  if (discriminatorColumn === undefined) return undefined
  const column = dialect.quote(discriminatorColumn.databaseName)
  return getOrCompute(discriminators, `${topmost.tablePath} ${column}`, () => {
    const values = typesStoredIn(topmost).map((stored) => {
      return [stored, String(dataSource.getMetadata(stored.resourceClass).discriminatorValue)] as const
    })
    return toDiscriminator(column, new Map(values), allowsOnly(values, discriminatorColumn))
  })
}

/** Returns true for an enum whose values are all those of types: the database rejects others. */
function allowsOnly(
  values: readonly (readonly [StoredType, string])[],
  { type, enum: allowed = [], isNullable }: ColumnMetadata,
): boolean {
  const known = new Set(values.map(([, value]) => value))
  const isEnum = type === 'enum' || type === 'simple-enum'
  return isEnum && !isNullable && allowed.every((value) => known.has(String(value)))
}

function toDiscriminator(
  column: string,
  values: ReadonlyMap<StoredType, string>,
  isExhaustive: boolean,
): Discriminator {
  const byValue = new Map([...values].map(([type, value]) => [value, type]))
  return {
    column,
    isExhaustive,
    valueOf(type) {
      const value = values.get(type)
      if (value === undefined) throw new InvariantError(`'${type.name}' is not mapped.`)
      return value
    },
    typeOf: (value) => byValue.get(String(value)),
  }
}

/**
 * Returns the defaults that an insert must contain. On SQLite, TypeORM writes declared defaults into the statement, so the table may lack them. On other
 * databases it writes `default`, which has the same effect as omitting the column.
 */
function findDefaults(
  parts: readonly EntityMetadata[],
  { dataSource, dialect, nameOf }: DatabaseMappingContext,
): ResourceTypeMapping['defaults'] {
  if (dialect.name !== 'sqlite') return new Map()
  const columns = parts.flatMap(({ columns: ownColumns }) => ownColumns.filter(hasDefault)).filter(isWritten)
  return new Map(
    columns.flatMap((column) => {
      const expression = expressionOf(column, dataSource.driver.normalizeDefault(column))
      return expression === undefined ? [] : [[dialect.quote(nameOf(column)), expression] as const]
    }),
  )
}

function hasDefault({ default: declared }: ColumnMetadata): boolean {
  return declared !== undefined && declared !== null
}

/** Returns true if an insert writes the column. The key is resolved separately. */
function isWritten({ isInsert, isVirtualProperty, isPrimary, generatedType }: ColumnMetadata): boolean {
  return isInsert && !isVirtualProperty && !isPrimary && generatedType === undefined
}

/** Returns the default of a column as SQL. Binds texts, because TypeORM does not escape quotes in them. */
function expressionOf(column: ColumnMetadata, normalized: string | undefined): Sql | undefined {
  const declared: unknown = column.default
  if (typeof declared === 'string') return boundValueSql(declared)
  return normalized === undefined ? undefined : rawSql(normalized)
}
