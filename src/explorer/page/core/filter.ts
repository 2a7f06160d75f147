import type { FieldInfo } from './api-types'
import { inputKindOf, isFreeTextSchema, schemaAllowsNull } from './schema'

/** An operator of a condition, as the page offers it. */
interface OperatorChoice {
  /** The text in the list. */
  readonly name: string
  readonly takes: 'value' | 'values' | 'nothing'
  readonly print: (path: string, value: string) => string
}

const comparison = (name: string, label: string): OperatorChoice => ({
  name: label,
  takes: 'value',
  print: (path, value) => `${name}(${path},${toFilterLiteral(value)})`,
})

const EQUALS: readonly OperatorChoice[] = [
  comparison('equals', 'is'),
  { name: 'is not', takes: 'value', print: (path, value) => `not(equals(${path},${toFilterLiteral(value)}))` },
]

const ANY: readonly OperatorChoice[] = [
  {
    name: 'is any of',
    takes: 'values',
    print: (path, value) => `any(${[path, ...value.split(',').map((each) => toFilterLiteral(each.trim()))].join(',')})`,
  },
]

const ORDER: readonly OperatorChoice[] = [
  comparison('lessThan', 'is less than'),
  comparison('lessOrEqual', 'is at most'),
  comparison('greaterThan', 'is greater than'),
  comparison('greaterOrEqual', 'is at least'),
]

const TEXT: readonly OperatorChoice[] = [
  comparison('contains', 'contains'),
  comparison('startsWith', 'starts with'),
  comparison('endsWith', 'ends with'),
]

const NULL: readonly OperatorChoice[] = [
  { name: 'is null', takes: 'nothing', print: (path) => `equals(${path},null)` },
  { name: 'is not null', takes: 'nothing', print: (path) => `not(equals(${path},null))` },
]

const MANY: readonly OperatorChoice[] = [
  { name: 'has any', takes: 'nothing', print: (path) => `has(${path})` },
  { name: 'has none', takes: 'nothing', print: (path) => `not(has(${path}))` },
  {
    name: 'has as many as',
    takes: 'value',
    print: (path, value) => `equals(count(${path}),${toFilterLiteral(value)})`,
  },
  {
    name: 'has more than',
    takes: 'value',
    print: (path, value) => `greaterThan(count(${path}),${toFilterLiteral(value)})`,
  },
]

/** Returns the operators that a field supports. */
export function operatorsFor({ kind, schema }: Pick<FieldInfo, 'kind' | 'schema'>): readonly OperatorChoice[] {
  if (kind === 'toMany') return MANY
  if (kind === 'toOne') return NULL
  const nothing = schema.type === undefined || schemaAllowsNull(schema) ? NULL : []
  switch (inputKindOf(schema)) {
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
function toFilterLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
