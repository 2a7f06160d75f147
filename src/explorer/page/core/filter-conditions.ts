import type { FieldInfo } from './api-types'
import type { ExplorerApiModel } from './explorer-api-model'
import { operatorsFor } from './filter'
import { inputKindOf } from './schema'

/** A condition that the builder can show as field, operator and value. */
export interface FilterCondition {
  readonly path: string
  /** The name of an `Operator`. */
  readonly operator: string
  readonly value: string
}

/** An expression that is too complex for that. */
interface UnsupportedFilterExpression {
  readonly text: string
}

export type FilterRow = FilterCondition | UnsupportedFilterExpression

/** A filter as a list of conditions. */
export interface FilterRowsJoinedByAndOr {
  readonly joint: 'and' | 'or'
  readonly rows: readonly FilterRow[]
}

/** The field at the end of a path. */
interface ResolvedFieldPath {
  readonly field: FieldInfo
  /** The derived types that declare the first field of the path; none if the type itself has it. */
  readonly owners: readonly string[]
}

const ID: FieldInfo = {
  name: 'id',
  kind: 'attribute',
  target: undefined,
  description: undefined,
  capabilities: ['view', 'filter', 'sort'],
  schema: { type: 'string', pattern: '.*' },
  isOwn: true,
}

/** Finds the field of a path such as `father.name`. */
export function findFieldAtPath(path: string, type: string, model: ExplorerApiModel): ResolvedFieldPath | undefined {
  const [first = '', ...rest] = path.split('.')
  const start = first === 'id' ? ID : model.fieldAt(type, first)
  let field = start
  for (const name of rest) field = name === 'id' ? ID : model.fieldAt(field?.target ?? '', name)
  if (start === undefined || field === undefined) return undefined
  const owners = first === 'id' ? [] : model.ownersOf(type, first).filter((owner) => isAlike(owner.field, start))
  return { field, owners: owners.flatMap((owner) => (owner.type === type ? [] : [owner.type])) }
}

/** Returns true if a condition on one field suits another field of the same name. */
function isAlike(one: FieldInfo, other: FieldInfo): boolean {
  if (one.kind !== other.kind || one.target !== other.target) return false
  return one.kind !== 'attribute' || inputKindOf(one.schema) === inputKindOf(other.schema)
}

/** Splits a filter into conditions. What is too complex for one becomes an expression. */
export function parseFilterBuilderRows(text: string, type: string, model: ExplorerApiModel): FilterRowsJoinedByAndOr {
  const trimmed = text.trim()
  if (trimmed === '') return { joint: 'and', rows: [] }
  const whole = parseRow(trimmed, type, model)
  if (!('text' in whole)) return { joint: 'and', rows: [whole] }
  for (const joint of ['and', 'or'] as const) {
    const inner = splitFilterCallArguments(trimmed, joint)
    if (inner !== undefined) return { joint, rows: inner.map((each) => parseRow(each, type, model)) }
  }
  return { joint: 'and', rows: [whole] }
}

export function printFilterBuilderRows(
  { joint, rows }: FilterRowsJoinedByAndOr,
  type: string,
  model: ExplorerApiModel,
): string {
  const texts = rows.map((row) => printFilterRow(row, type, model)).filter((text) => text !== '')
  return texts.length > 1 ? `${joint}(${texts.join(',')})` : (texts[0] ?? '')
}

/** Prints a condition. On a field that only derived types have, it is wrapped in `isType` for each of them. */
function printFilterRow(row: FilterRow, type: string, model: ExplorerApiModel): string {
  if ('text' in row) return row.text.trim()
  const end = findFieldAtPath(row.path, type, model)
  const operator = end && operatorsFor(end.field).find(({ name }) => name === row.operator)
  if (end === undefined || operator === undefined) return ''
  const condition = operator.print(row.path, row.value)
  if (end.owners.length === 0) return condition
  const perType = end.owners.map((owner) => `isType(,${owner},${condition})`)
  return perType.length > 1 ? `or(${perType.join(',')})` : perType.join()
}

/** Describes a condition in few words: `name contains Smith`. */
export function describeFilterRow(row: FilterRow): string {
  return 'text' in row ? row.text : [row.path, row.operator, row.value].filter((part) => part !== '').join(' ')
}

/** Tries the operators of the field: the right one prints the same text. */
function parseRow(text: string, type: string, model: ExplorerApiModel): FilterRow {
  const [one = text] = splitFilterCallArguments(text, 'or') ?? []
  const bare = splitFilterCallArguments(one, 'isType')?.at(-1) ?? text
  const [, path = ''] = /\(([^(),']+)[,)]/.exec(bare) ?? []
  const value = [...bare.matchAll(/'((?:[^']|'')*)'/g)].map(([, inner = '']) => inner.replaceAll("''", "'")).join(', ')
  const end = findFieldAtPath(path, type, model)
  const rows = (end === undefined ? [] : operatorsFor(end.field)).map(({ name }) => ({ path, operator: name, value }))
  return rows.find((row) => withoutSpace(printFilterRow(row, type, model)) === withoutSpace(text)) ?? { text }
}

function withoutSpace(text: string): string {
  return text.replace(/'(?:[^']|'')*'|\s+/g, (part) => (part.startsWith("'") ? part : ''))
}

/** Returns the arguments if the whole text is a call: `and(a,b)`, not `and(a,b),c`. Ignores commas and brackets within quotes and calls. */
export function splitFilterCallArguments(text: string, name: string): readonly string[] | undefined {
  const hasOpenQuote = text.split("'").length % 2 === 0
  if (!text.startsWith(`${name}(`) || !text.endsWith(')') || hasOpenQuote) return undefined
  let depth = 0
  const parts = ['']
  for (const [token] of text.slice(name.length + 1, -1).matchAll(/'(?:[^']|'')*'|[^']/g)) {
    if (token === '(') depth += 1
    if (token === ')') depth -= 1
    if (depth < 0) return undefined
    if (token === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += token
  }
  return depth === 0 ? parts.map((part) => part.trim()) : undefined
}
