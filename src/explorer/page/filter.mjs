/** @import { FieldInfo, ExplorerOpenApiSchema } from './types' */

/**
 * @typedef {object} Operator
 * @property {string} name The text in the list.
 * @property {'value' | 'values' | 'nothing'} takes
 * @property {(path: string, value: string) => string} print
 */

/** @type {(name: string, label: string) => Operator} */
const comparison = (name, label) => ({
  name: label,
  takes: 'value',
  print: (path, value) => `${name}(${path},${quoted(value)})`,
})

const EQUALS = [
  comparison('equals', 'is'),
  /** @type {Operator} */ ({
    name: 'is not',
    takes: 'value',
    print: (path, value) => `not(equals(${path},${quoted(value)}))`,
  }),
]

/** @type {readonly Operator[]} */
const ANY = [
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

/** @type {readonly Operator[]} */
const NULL = [
  { name: 'is null', takes: 'nothing', print: (path) => `equals(${path},null)` },
  { name: 'is not null', takes: 'nothing', print: (path) => `not(equals(${path},null))` },
]

/** @type {readonly Operator[]} */
const MANY = [
  { name: 'has any', takes: 'nothing', print: (path) => `has(${path})` },
  { name: 'has none', takes: 'nothing', print: (path) => `not(has(${path}))` },
  { name: 'has as many as', takes: 'value', print: (path, value) => `equals(count(${path}),${quoted(value)})` },
  { name: 'has more than', takes: 'value', print: (path, value) => `greaterThan(count(${path}),${quoted(value)})` },
]

/**
 * Returns the operators that a field supports.
 *
 * @param {Pick<FieldInfo, 'kind' | 'schema'>} field
 * @returns {readonly Operator[]}
 */
export function operatorsFor({ kind, schema }) {
  if (kind === 'toMany') return MANY
  if (kind === 'toOne') return NULL
  const types = [schema.type].flat()
  const nothing = types.includes('null') || schema.type === undefined ? NULL : []
  if (types.includes('boolean')) return [...EQUALS, ...nothing]
  if (types.includes('object') || types.includes('array')) return NULL
  if (schema.enum !== undefined) return [...EQUALS, ...ANY, ...ORDER, ...nothing]
  return [...EQUALS, ...(isText(schema) ? TEXT : []), ...ORDER, ...ANY, ...nothing]
}

/** @param {ExplorerOpenApiSchema} schema */
function isText({ type, format, pattern }) {
  return [type].flat().includes('string') && format === undefined && pattern === undefined
}

/**
 * `O'Hara` -> `'O''Hara'`
 *
 * @param {string} text
 */
export function quoted(text) {
  return `'${text.replaceAll("'", "''")}'`
}

/**
 * Adds a condition to a filter.
 *
 * @param {string} filter
 * @param {string} condition
 * @param {string} joint `and` or `or`.
 */
export function joinFilter(filter, condition, joint) {
  if (filter === '') return condition
  const start = `${joint}(`
  return isWholeCall(filter, start) ? `${filter.slice(0, -1)},${condition})` : `${start}${filter},${condition})`
}

/**
 * Returns true if the first bracket closes at the end: `and(a,b)`, not `and(a,b),c`. Ignores brackets in quotes.
 *
 * @param {string} text
 * @param {string} start
 */
function isWholeCall(text, start) {
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

/**
 * Wraps a condition for a field of a derived type in `isType`.
 *
 * @param {string} condition
 * @param {string | undefined} type
 */
export function wrapInIsType(condition, type) {
  return type === undefined ? condition : `isType(,${type},${condition})`
}
