import type { DataSource, EntityMetadata } from 'typeorm'
import type { Field, Relationship, ResourceType, StoredType } from '../../../graph/model/resource-graph'
import type { ConstraintViolation } from '../drivers/find-violation'
import type { DatabaseMapping, PhysicalTable } from '../mapping/database-mapping'
import { columnOrEmbeddedColumns } from '../mapping/embedded-columns'

/** Returns the fields of a type that violate a constraint, in the order of its columns; none if they are unknown. */
export function findViolatedFields(
  violation: ConstraintViolation,
  mapping: DatabaseMapping,
  type: StoredType,
): readonly Field[] {
  if (violation.databaseType !== undefined) return findOfType(violation.databaseType, mapping, type)
  const constraint = constraintOf(violation, mapping.dataSource)
  if (constraint.columns.length === 0) return findMentioned(constraint.condition, mapping, type)
  const linked = type.relationships.find((relationship) => isForeignKeyOf(relationship, constraint, mapping, type))
  if (linked !== undefined) return [linked]
  const fields = constraint.columns.flatMap((column) => findField(constraint.table, column, mapping, type) ?? [])
  return [...new Set(fields)]
}

/** Returns true if the constraint is the primary key of the type's own table. */
export function isPrimaryKeyViolation(
  violation: ConstraintViolation,
  mapping: DatabaseMapping,
  type: StoredType,
): boolean {
  if (violation.kind === 'primaryKey') return true
  if (violation.kind !== 'unique') return false
  const { table, columns } = constraintOf(violation, mapping.dataSource)
  return mapping.tableOf(type).tables.some(({ metadata: { tableName, primaryColumns } }) => {
    const names = primaryColumns.map(({ databaseName }) => databaseName)
    const isKey = columns.length === names.length && names.every((name) => columns.includes(name))
    return isKey && (table === undefined || table === tableName)
  })
}

/** Returns true if all columns of the constraint belong to the primary key. */
export function areAllViolatedColumnsInPrimaryKey(
  violation: ConstraintViolation,
  mapping: DatabaseMapping,
  type: StoredType,
): boolean {
  const { table, columns } = constraintOf(violation, mapping.dataSource)
  return tablesNamed(type, table, mapping).some(({ key }) => {
    return columns.length > 0 && columns.every((column) => key.includes(mapping.dialect.quote(column)))
  })
}

interface ViolatedConstraint {
  /** The name without the schema; `undefined`: any table of the type. */
  readonly table: string | undefined
  readonly columns: readonly string[]
  readonly condition: string
}

/** Returns the table and columns of a constraint. If the driver reports only its name, the metadata of TypeORM has them. */
function constraintOf(violation: ConstraintViolation, dataSource: DataSource): ViolatedConstraint {
  const { table, columns, constraint, condition = '' } = violation
  const declared = constraint === undefined ? undefined : findConstraint(constraint, dataSource)
  return {
    table: table ?? declared?.table,
    columns: columns ?? declared?.columns ?? [],
    condition: declared?.condition ?? condition,
  }
}

function findConstraint(name: string, { entityMetadatas }: DataSource): ViolatedConstraint | undefined {
  for (const metadata of entityMetadatas) {
    const { tableName: table, uniques, indices, foreignKeys } = metadata
    const onColumns = [...uniques, ...indices, ...foreignKeys].find((constraint) => constraint.name === name)
    if (onColumns !== undefined) {
      return { table, columns: onColumns.columns.map((column) => column.databaseName), condition: '' }
    }
    const condition = conditionOf(name, metadata)
    if (condition !== undefined) return { table, columns: [], condition }
  }
  return undefined
}

function conditionOf(name: string, { checks, exclusions }: EntityMetadata): string | undefined {
  return [...checks, ...exclusions].find((constraint) => constraint.name === name)?.expression
}

function findField(
  table: string | undefined,
  column: string,
  mapping: DatabaseMapping,
  type: StoredType,
): Field | undefined {
  const quoted = mapping.dialect.quote(column)
  const tables = tablesNamed(type, table, mapping)
  const hasColumn = (name: string) => tables.some(({ columns }) => columns.get(name) === quoted)
  const attribute = type.attributes.find((candidate) =>
    columnOrEmbeddedColumns(mapping.columnOf(candidate)).some(({ column: name }) => hasColumn(name)),
  )
  return (
    attribute ??
    type.relationships.find((relationship) => foreignKeyColumnsOf(relationship, table, mapping, type).includes(quoted))
  )
}

function tablesNamed(
  type: ResourceType,
  table: string | undefined,
  mapping: DatabaseMapping,
): readonly PhysicalTable[] {
  const parts = type.concreteTypes.flatMap((stored) => mapping.tableOf(stored).tables)
  return parts.filter(({ metadata }) => table === undefined || metadata.tableName === table)
}

/** Compares all columns of a foreign key, because other foreign keys may share some of them. */
function isForeignKeyOf(
  relationship: Relationship,
  { table, columns }: ViolatedConstraint,
  mapping: DatabaseMapping,
  type: StoredType,
): boolean {
  const foreignKey = foreignKeyColumnsOf(relationship, table, mapping, type)
  return (
    columns.length > 1 &&
    foreignKey.length === columns.length &&
    columns.every((column) => foreignKey.includes(mapping.dialect.quote(column)))
  )
}

/** Returns the quoted columns of the foreign key of a relationship in this table. */
function foreignKeyColumnsOf(
  relationship: Relationship,
  table: string | undefined,
  mapping: DatabaseMapping,
  type: StoredType,
): readonly string[] {
  const relation = mapping.relationOf(relationship)
  if (relation.kind === 'junction') {
    // The source row exists, so a related row must be missing.
    return table !== undefined && relation.table.endsWith(mapping.dialect.quote(table)) ? relation.relatedColumns : []
  }
  const holder = relation.kind === 'owning' ? type : relationship.target
  if (table === undefined && relation.kind === 'inverse') return []
  const [part] = tablesNamed(holder, table, mapping).filter(({ columns }) =>
    columns.has(relation.columns[0]?.column ?? ''),
  )
  return part === undefined ? [] : relation.columns.flatMap(({ column }) => part.columns.get(column) ?? [])
}

/** Returns the attribute with a column of this type, if there is only one. */
function findOfType(databaseType: string, mapping: DatabaseMapping, type: StoredType): readonly Field[] {
  const candidates = type.attributes.filter((attribute) => mapping.columnOf(attribute).databaseType === databaseType)
  return candidates.length === 1 ? candidates : []
}

/** Returns the attribute whose column the check constraint mentions, if there is only one. */
function findMentioned(condition: string, mapping: DatabaseMapping, type: StoredType): readonly Field[] {
  const names = new Set(condition.match(/[\p{L}\p{N}_$]+/gu) ?? [])
  const mentioned = type.attributes.filter((attribute) => {
    return columnOrEmbeddedColumns(mapping.columnOf(attribute)).some(({ metadata }) => names.has(metadata.databaseName))
  })
  return mentioned.length === 1 ? mentioned : []
}
