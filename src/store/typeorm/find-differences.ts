import type { DataSource } from 'typeorm'
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata'
import type { ConfigurationWarning } from '../../errors/configuration-warning'
import type { Attribute, ResourceGraph } from '../../graph/resource-graph'
import type { ColumnMapping, Mapping } from './mapping'
import { isExpression } from './scope'

type Difference = Pick<ConfigurationWarning, 'kind' | 'problem' | 'remedy'> & {
  readonly isIn: (field: MappedField) => boolean
}

interface MappedField {
  readonly attribute: Attribute
  readonly column: ColumnMapping
}

/** Columns of which this database makes something else than others do, or less: one warning for all of a kind. */
export function findDifferences(graph: ResourceGraph, mapping: Mapping): readonly ConfigurationWarning[] {
  const fields = fieldsOf(graph, mapping)
  return differencesOf(mapping.dataSource, mapping.dialect.name).flatMap(({ isIn, ...difference }) => {
    const places = new Set(fields.filter(isIn).map(placeOf))
    return places.size === 0 ? [] : [{ ...difference, at: listed([...places]) }]
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
  if (column.parts === undefined) return [{ attribute, column }]
  return column.parts.map((part) => ({ attribute: { ...attribute, range: part.range }, column: part.column }))
}

function placeOf({ attribute, column }: MappedField): string {
  return `${attribute.declaringType.resourceClass.name}.${column.metadata.propertyPath}`
}

function listed(places: readonly string[]): string {
  const [shown, left] = [places.slice(0, MOST_SHOWN), places.length - MOST_SHOWN]
  return left > 0 ? `${shown.join(', ')} and ${left} more` : shown.join(', ')
}

const MOST_SHOWN = 5

function differencesOf(dataSource: DataSource, family: Mapping['dialect']['name']): readonly Difference[] {
  switch (family) {
    case 'sqlite':
      return [INEXACT_DECIMALS]
    case 'postgres':
      return [textOrder('C'), ...(isInUtc() ? [] : [LOCAL_TIMESTAMPS])]
    case 'mysql':
      return [textOrder('utf8mb4_bin'), UUID_ORDER, WHOLE_SECONDS, ...(hasUtc(dataSource) ? [] : [LOCAL_DATETIMES])]
  }
}

const INEXACT_DECIMALS: Difference = {
  kind: 'inexactDecimals',
  problem:
    'SQLite keeps decimals as floating-point numbers, so values of more than 15 digits are refused, and zeros at the end of others may be lost.',
  remedy: 'Give the column a precision of at most 15 and a scale.',
  isIn: ({ attribute: { range }, column: { metadata } }) => {
    if (range.valueType !== 'decimal' || metadata.transformer !== undefined) return false
    return range.scale === undefined || (range.precision ?? Number.POSITIVE_INFINITY) > DIGITS_OF_DOUBLES
  },
}

const DIGITS_OF_DOUBLES = 15

function textOrder(collation: string): Difference {
  return {
    kind: 'textOrder',
    problem:
      'it is sorted as the collation of the database says, which other databases do otherwise (equality is exact on all).',
    remedy: `Give the column { collation: '${collation}' }, or that which is meant.`,
    isIn: ({ attribute: { range, capabilities }, column: { metadata } }) => {
      if (!capabilities.includes('sort') || metadata.collation !== undefined) return false
      return range.valueType === 'string' && range.isOpaque !== true && isText(metadata)
    },
  }
}

/** Not a number behind an `idCodec`, nor an address. */
function isText({ type }: ColumnMetadata): boolean {
  return type === String || (type !== 'citext' && /char|text|clob/.test(String(type)))
}

const UUID_ORDER: Difference = {
  kind: 'uuidOrder',
  problem:
    'MariaDB sorts its type uuid from the last group to the first, as no other database does, also where no sort is asked for.',
  remedy: "Let clients sort by another column, or make it { type: 'char', length: 36 }.",
  isIn: ({ attribute: { capabilities }, column: { databaseType } }) =>
    databaseType === 'uuid' && capabilities.includes('sort'),
}

const WHOLE_SECONDS: Difference = {
  kind: 'wholeSeconds',
  problem: 'without a precision it keeps whole seconds, and times with milliseconds are refused.',
  remedy: 'Give the column { precision: 3 }.',
  isIn: ({ attribute: { range }, column: { metadata } }) =>
    range.valueType === 'datetime' && metadata.precision == null && metadata.transformer === undefined,
}

const LOCAL_TIMESTAMPS: Difference = {
  kind: 'localTime',
  problem:
    'it holds the wall clock of the process, which is not on UTC: what other processes and the server write and read is shifted, and an hour comes twice a year.',
  remedy: "Make it { type: 'timestamptz' }, or run the process with TZ=UTC.",
  isIn: ({ attribute: { range }, column: { databaseType } }) =>
    range.valueType === 'datetime' && /^timestamp( without time zone)?$/.test(databaseType),
}

const LOCAL_DATETIMES: Difference = {
  ...LOCAL_TIMESTAMPS,
  remedy: "Give the DataSource { timezone: 'Z', dateStrings: ['DATE'] }, or run the process with TZ=UTC.",
  isIn: ({ attribute: { range } }) => range.valueType === 'datetime',
}

/** In January as in July. */
function isInUtc(): boolean {
  return [0, 6].every((month) => new Date(2024, month, 1).getTimezoneOffset() === 0)
}

function hasUtc({ options }: DataSource): boolean {
  const timezone = 'timezone' in options ? options.timezone : undefined
  return timezone === 'Z' || timezone === '+00:00' || isInUtc()
}
