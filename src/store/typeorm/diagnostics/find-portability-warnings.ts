import type { DataSource } from 'typeorm'
import type { ConfigurationWarning } from '../../../errors/configuration-warning'
import type { Attribute, ResourceGraph } from '../../../graph/resource-graph'
import type { ColumnMapping, Mapping } from '../mapping/mapping'
import type { ColumnMetadata } from '../metadata/typeorm-metadata'
import { isExpression } from '../select/scope'

type PortabilityRule = Pick<ConfigurationWarning, 'kind' | 'message' | 'remedy'> & {
  readonly appliesTo: (field: MappedField) => boolean
}

interface MappedField {
  readonly attribute: Attribute
  readonly column: ColumnMapping
}

/** Finds columns that this database treats differently from others: one warning for all columns of a kind. */
export function findPortabilityWarnings(graph: ResourceGraph, mapping: Mapping): readonly ConfigurationWarning[] {
  const fields = fieldsOf(graph, mapping)
  return rulesOf(mapping.dataSource, mapping.dialect.name).flatMap(({ appliesTo, ...difference }) => {
    const places = new Set(fields.filter(appliesTo).map(placeOf))
    return places.size === 0 ? [] : [{ ...difference, location: toList([...places]) }]
  })
}

function fieldsOf({ types }: ResourceGraph, mapping: Mapping): readonly MappedField[] {
  return [...types.values()]
    .flatMap((type) => [
      ...mapping.tableOf(type).key.map((column) => ({ attribute: type.id, column })),
      ...type.attributes.flatMap((attribute) => fieldsBehind(attribute, mapping.columnOf(type, attribute))),
    ])
    .filter(({ column }) => !isExpression(column))
}

/** One, or each member of an embedded object. */
function fieldsBehind(attribute: Attribute, column: ColumnMapping): readonly MappedField[] {
  if (column.embeddedColumns === undefined) return [{ attribute, column }]
  return column.embeddedColumns.map((part) => ({ attribute: { ...attribute, range: part.range }, column: part.column }))
}

function placeOf({ attribute, column }: MappedField): string {
  return `${attribute.declaringType.resourceClass.name}.${column.metadata.propertyPath}`
}

function toList(places: readonly string[]): string {
  const [projection, left] = [places.slice(0, MAX_LISTED), places.length - MAX_LISTED]
  return left > 0 ? `${projection.join(', ')} and ${left} more` : projection.join(', ')
}

const MAX_LISTED = 5

function rulesOf(dataSource: DataSource, family: Mapping['dialect']['name']): readonly PortabilityRule[] {
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
    'SQLite keeps decimals as floating-point numbers, so values of more than 15 digits are refused, and zeros at the end of others may be lost.',
  remedy: 'Give the column a precision of at most 15 and a scale.',
  appliesTo: ({ attribute: { range }, column: { metadata } }) => {
    if (range.valueType !== 'decimal' || metadata.transformer !== undefined) return false
    return range.scale === undefined || (range.precision ?? Number.POSITIVE_INFINITY) > DIGITS_OF_DOUBLES
  },
}

const DIGITS_OF_DOUBLES = 15

function textOrder(collation: string): PortabilityRule {
  return {
    kind: 'collation-dependent-order',
    message:
      'it is sorted as the collation of the database says, which other databases do otherwise (equality is exact on all).',
    remedy: `Give the column { collation: '${collation}' }, or that which is meant.`,
    appliesTo: ({ attribute: { range, capabilities }, column: { metadata } }) => {
      if (!capabilities.includes('sort') || metadata.collation !== undefined) return false
      return range.valueType === 'string' && range.isOpaque !== true && isText(metadata)
    },
  }
}

/** Not a number behind an `idCodec`, nor an address. */
function isText({ type }: ColumnMetadata): boolean {
  return type === String || (type !== 'citext' && /char|text|clob/.test(String(type)))
}

const UUID_ORDER: PortabilityRule = {
  kind: 'uuid-group-order',
  message:
    'MariaDB sorts its type uuid from the last group to the first, as no other database does, also where no sort is asked for.',
  remedy: "Let clients sort by another column, or make it { type: 'char', length: 36 }.",
  appliesTo: ({ attribute: { capabilities }, column: { databaseType } }) =>
    databaseType === 'uuid' && capabilities.includes('sort'),
}

const WHOLE_SECONDS: PortabilityRule = {
  kind: 'second-precision',
  message: 'without a precision it keeps whole seconds, and times with milliseconds are refused.',
  remedy: 'Give the column { precision: 3 }.',
  appliesTo: ({ attribute: { range }, column: { metadata } }) =>
    range.valueType === 'datetime' && metadata.precision == null && metadata.transformer === undefined,
}

const LOCAL_TIMESTAMPS: PortabilityRule = {
  kind: 'timezone-dependent-datetime',
  message:
    'it holds the wall clock of the process, which is not on UTC: what other processes and the server write and read is shifted, and an hour comes twice a year.',
  remedy: "Make it { type: 'timestamptz' }, or run the process with TZ=UTC.",
  appliesTo: ({ attribute: { range }, column: { databaseType } }) =>
    range.valueType === 'datetime' && /^timestamp( without time zone)?$/.test(databaseType),
}

const LOCAL_DATETIMES: PortabilityRule = {
  ...LOCAL_TIMESTAMPS,
  remedy: "Give the DataSource { timezone: 'Z', dateStrings: ['DATE'] }, or run the process with TZ=UTC.",
  appliesTo: ({ attribute: { range } }) => range.valueType === 'datetime',
}

/** The offset must be the same in summer and winter. */
function isInUtc(): boolean {
  return [0, 6].every((month) => new Date(2024, month, 1).getTimezoneOffset() === 0)
}

function hasUtc({ options }: DataSource): boolean {
  const timezone = 'timezone' in options ? options.timezone : undefined
  return timezone === 'Z' || timezone === '+00:00' || isInUtc()
}
