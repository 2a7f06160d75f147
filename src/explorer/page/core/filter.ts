import type { FieldInfo } from './api-types'
import { isFreeTextSchema, isNullable, valueKindOf } from './schema'

/** An operator of a condition, as the page offers it. */
export interface Operator {
  /** The text in the list. */
  readonly name: string
  readonly takes: 'value' | 'values' | 'nothing'
  readonly print: (path: string, value: string) => string
}

const comparison = (name: string, label: string): Operator => ({
  name: label,
  takes: 'value',
  print: (path, value) => `${name}(${path},${quoted(value)})`,
})

const EQUALS: readonly Operator[] = [
  comparison('equals', 'is'),
  { name: 'is not', takes: 'value', print: (path, value) => `not(equals(${path},${quoted(value)}))` },
]

const ANY: readonly Operator[] = [
  {
    name: 'is any of',
    takes: 'values',
    print: (path, value) => `any(${[path, ...value.split(',').map((each) => quoted(each.trim()))].join(',')})`,
  },
]

const ORDER: readonly Operator[] = [
  comparison('lessThan', 'is less than'),
  comparison('lessOrEqual', 'is at most'),
  comparison('greaterThan', 'is greater than'),
  comparison('greaterOrEqual', 'is at least'),
]

const TEXT: readonly Operator[] = [
  comparison('contains', 'contains'),
  comparison('startsWith', 'starts with'),
  comparison('endsWith', 'ends with'),
]

const NULL: readonly Operator[] = [
  { name: 'is null', takes: 'nothing', print: (path) => `equals(${path},null)` },
  { name: 'is not null', takes: 'nothing', print: (path) => `not(equals(${path},null))` },
]

const MANY: readonly Operator[] = [
  { name: 'has any', takes: 'nothing', print: (path) => `has(${path})` },
  { name: 'has none', takes: 'nothing', print: (path) => `not(has(${path}))` },
  { name: 'has as many as', takes: 'value', print: (path, value) => `equals(count(${path}),${quoted(value)})` },
  { name: 'has more than', takes: 'value', print: (path, value) => `greaterThan(count(${path}),${quoted(value)})` },
]

/** Returns the operators that a field supports. */
export function operatorsFor({ kind, schema }: Pick<FieldInfo, 'kind' | 'schema'>): readonly Operator[] {
  if (kind === 'toMany') return MANY
  if (kind === 'toOne') return NULL
  const nothing = schema.type === undefined || isNullable(schema) ? NULL : []
  switch (valueKindOf(schema)) {
    case 'json':
      return NULL
    case 'boolean':
      return [...EQUALS, ...nothing]
    case 'enum':
      return [...EQUALS, ...ANY, ...ORDER, ...nothing]
    default:
      return isFreeTextSchema(schema)
        ? [...TEXT, ...EQUALS, ...ANY, ...ORDER, ...nothing]
        : [...EQUALS, ...ORDER, ...ANY, ...nothing]
  }
}

/** `O'Hara` -> `'O''Hara'` */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
