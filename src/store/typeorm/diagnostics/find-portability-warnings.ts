import type { DataSource } from 'typeorm'
import type { ConfigurationWarning } from '../../../errors/configuration-warning'
import type { Attribute, ResourceGraph } from '../../../graph/model/resource-graph'
import { type ColumnMapping, type DatabaseMapping, isVirtualColumnOrEmbeddedObject } from '../mapping/database-mapping'
import type { ColumnMetadata } from '../metadata/typeorm-metadata'

type PortabilityRule = Pick<ConfigurationWarning, 'kind' | 'message' | 'remedy'> & {
  readonly appliesTo: (field: MappedField) => boolean
}

interface MappedField {
  readonly attribute: Attribute
  readonly column: ColumnMapping
}

/** Finds columns that this database treats differently from others: one warning for all columns of a kind. */
export function findPortabilityWarnings(
  graph: ResourceGraph,
  mapping: DatabaseMapping,
): readonly ConfigurationWarning[] {
  const fields = fieldsOf(graph, mapping)
  return rulesOf(mapping.dataSource, mapping.dialect.name).flatMap(({ appliesTo, ...difference }) => {
    const names = new Set(fields.filter(appliesTo).map(nameOf))
    return names.size === 0 ? [] : [{ ...difference, location: toList([...names]) }]
  })
}

function fieldsOf({ types }: ResourceGraph, mapping: DatabaseMapping): readonly MappedField[] {
  return [...types.values()]
    .flatMap((type) => [
      ...mapping.tableOf(type).key.map((column) => ({ attribute: type.id, column })),
      ...type.attributes.flatMap((attribute) => fieldsBehind(attribute, mapping.columnOf(attribute))),
    ])
    .filter(({ column }) => !isVirtualColumnOrEmbeddedObject(column))
}

/** Returns the field of an attribute, or a field for each column of an embedded object. */
function fieldsBehind(attribute: Attribute, column: ColumnMapping): readonly MappedField[] {
  if (column.embeddedColumns === undefined) return [{ attribute, column }]
  return column.embeddedColumns.map((part) => ({
    attribute: { ...attribute, constraints: part.constraints },
    column: part.column,
  }))
}

function nameOf({ attribute, column }: MappedField): string {
  return `${attribute.declaringType.resourceClass.name}.${column.metadata.propertyPath}`
}

function toList(names: readonly string[]): string {
  const [projection, remaining] = [names.slice(0, MAX_LISTED), names.length - MAX_LISTED]
  return remaining > 0 ? `${projection.join(', ')} and ${remaining} more` : projection.join(', ')
}

const MAX_LISTED = 5

function rulesOf(dataSource: DataSource, family: DatabaseMapping['dialect']['name']): readonly PortabilityRule[] {
  switch (family) {
    case 'sqlite':
      return [INEXACT_DECIMALS]
    case 'postgres':
      return [textOrder('C'), ...(isInUtc() ? [] : [LOCAL_TIMESTAMPS])]
    case 'mysql':
      return [textOrder('utf8mb4_bin'), UUID_ORDER, WHOLE_SECONDS, ...(hasUtc(dataSource) ? [] : [LOCAL_DATETIMES])]
  }
}

const INEXACT_DECIMALS: PortabilityRule = {
  kind: 'inexact-decimal',
  message:
    'SQLite stores decimals as floating-point numbers: values of more than 15 digits are rejected, and trailing zeros may be lost.',
  remedy: 'Set a precision of at most 15 and a scale.',
  appliesTo: ({ attribute: { constraints }, column: { metadata } }) => {
    if (constraints.valueType !== 'decimal' || metadata.transformer !== undefined) return false
    return constraints.scale === undefined || (constraints.precision ?? Number.POSITIVE_INFINITY) > DIGITS_OF_DOUBLES
  },
}

const DIGITS_OF_DOUBLES = 15

function textOrder(collation: string): PortabilityRule {
  return {
    kind: 'collation-dependent-order',
    message:
      'its sort order depends on the collation of the column and differs between databases. Equality is exact on all.',
    remedy: `Set a collation on the column, for example { collation: '${collation}' }.`,
    appliesTo: ({ attribute: { constraints, capabilities }, column: { metadata } }) => {
      if (!capabilities.includes('sort') || metadata.collation !== undefined) return false
      return constraints.valueType === 'string' && constraints.isOpaque !== true && isText(metadata)
    },
  }
}

/** Returns true for text types. Numbers with an `idCodec` and network addresses are strings for clients, but have other column types. */
function isText({ type }: ColumnMetadata): boolean {
  return type === String || (type !== 'citext' && /char|text|clob/.test(String(type)))
}

const UUID_ORDER: PortabilityRule = {
  kind: 'uuid-group-order',
  message:
    'MariaDB sorts the type uuid from its last group to its first, unlike other databases, also without a sort parameter.',
  remedy: "Sort by another column, or use { type: 'char', length: 36 }.",
  appliesTo: ({ attribute: { capabilities }, column: { databaseType } }) =>
    databaseType === 'uuid' && capabilities.includes('sort'),
}

const WHOLE_SECONDS: PortabilityRule = {
  kind: 'second-precision',
  message: 'without a precision it stores whole seconds, and times with milliseconds are rejected.',
  remedy: 'Set { precision: 3 } on the column.',
  appliesTo: ({ attribute: { constraints }, column: { metadata } }) =>
    constraints.valueType === 'datetime' && metadata.precision == null && metadata.transformer === undefined,
}

const LOCAL_TIMESTAMPS: PortabilityRule = {
  kind: 'timezone-dependent-datetime',
  message:
    'it stores the local time of the process, which is not UTC: other processes and the server read shifted times, and one hour a year is ambiguous.',
  remedy: "Use { type: 'timestamptz' }, or run the process with TZ=UTC.",
  appliesTo: ({ attribute: { constraints }, column: { databaseType } }) =>
    constraints.valueType === 'datetime' && /^timestamp( without time zone)?$/.test(databaseType),
}

const LOCAL_DATETIMES: PortabilityRule = {
  ...LOCAL_TIMESTAMPS,
  remedy: "Set { timezone: 'Z', dateStrings: ['DATE'] } on the DataSource, or run the process with TZ=UTC.",
  appliesTo: ({ attribute: { constraints } }) => constraints.valueType === 'datetime',
}

/** Returns true if the process runs in UTC, in winter and in summer. */
function isInUtc(): boolean {
  return [0, 6].every((month) => new Date(2024, month, 1).getTimezoneOffset() === 0)
}

function hasUtc({ options }: DataSource): boolean {
  const timezone = 'timezone' in options ? options.timezone : undefined
  return timezone === 'Z' || timezone === '+00:00' || isInUtc()
}
