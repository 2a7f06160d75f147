import type { FieldInfo, OpenApiSchema } from './api-types'

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
    name: 'is any of (with commas)',
    takes: 'values',
    print: (path, value) =>
      `any(${path},${value
        .split(',')
        .map((each) => quoted(each.trim()))
        .join(',')})`,
  },
]

const ORDER = [
  comparison('lessThan', 'is less than'),
  comparison('lessOrEqual', 'is at most'),
  comparison('greaterThan', 'is greater than'),
  comparison('greaterOrEqual', 'is at least'),
]

const TEXT = [
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
  const types = [schema.type].flat()
  const nothing = types.includes('null') || schema.type === undefined ? NULL : []
  if (types.includes('boolean')) return [...EQUALS, ...nothing]
  if (types.includes('object') || types.includes('array')) return NULL
  if (schema.enum !== undefined) return [...EQUALS, ...ANY, ...ORDER, ...nothing]
  return [...EQUALS, ...(isText(schema) ? TEXT : []), ...ORDER, ...ANY, ...nothing]
}

function isText({ type, format, pattern }: OpenApiSchema): boolean {
  return [type].flat().includes('string') && format === undefined && pattern === undefined
}

/** `O'Hara` -> `'O''Hara'` */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** Adds a condition to a filter. */
export function joinFilter(filter: string, condition: string, joint: 'and' | 'or'): string {
  if (filter === '') return condition
  const start = `${joint}(`
  return isWholeCall(filter, start) ? `${filter.slice(0, -1)},${condition})` : `${start}${filter},${condition})`
}

/** Returns true if the first bracket closes at the end: `and(a,b)`, not `and(a,b),c`. Ignores brackets in quotes. */
function isWholeCall(text: string, start: string): boolean {
  if (!text.startsWith(start) || !text.endsWith(')')) return false
  let depth = 0
  const bare = text.replace(/'(?:[^']|'')*'/g, (quote) => '_'.repeat(quote.length))
  for (const [index, character] of [...bare].entries()) {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (depth === 0 && character === ')' && index < [...bare].length - 1) return false
  }
  return true
}

/** Wraps a condition for a field of a derived type in `isType`. */
export function wrapInIsType(condition: string, type: string | undefined): string {
  return type === undefined ? condition : `isType(,${type},${condition})`
}
