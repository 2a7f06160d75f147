import type { ApiModel } from './api-model'
import type { FieldInfo } from './api-types'
import { operatorsFor } from './filter'

/** A condition that the builder can show as field, operator and value. */
export interface Condition {
  readonly path: string
  /** The name of an `Operator`. */
  readonly operator: string
  readonly value: string
}

/** An expression that is too complex for that. */
export interface UnparsedFilterExpression {
  readonly text: string
}

export type FilterRow = Condition | UnparsedFilterExpression

/** A filter as a list of conditions. */
export interface FilterRows {
  readonly joint: 'and' | 'or'
  readonly rows: readonly FilterRow[]
}

/** The field at the end of a path. */
export interface PathEnd {
  readonly field: FieldInfo
  /** The derived type that has the first field of the path, if the type itself lacks it. */
  readonly onlyIn: string | undefined
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
export function resolveFieldPath(path: string, type: string, model: ApiModel): PathEnd | undefined {
  const [first = '', ...rest] = path.split('.')
  const isOwn = (name: string) => (model.types.get(type)?.fields ?? []).some((field) => field.name === name)
  const owner = model.withDerived(type).find(({ fields }) => fields.some(({ name }) => name === first))
  const onlyIn = first === 'id' || isOwn(first) ? undefined : owner?.name
  let field = first === 'id' ? ID : model.fieldAt(type, first)
  for (const name of rest) field = name === 'id' ? ID : model.fieldAt(field?.target ?? '', name)
  return field && { field, onlyIn }
}

/** Splits a filter into conditions. What is too complex for one becomes an expression. */
export function parseFilterBuilderRows(text: string, type: string, model: ApiModel): FilterRows {
  const trimmed = text.trim()
  if (trimmed === '') return { joint: 'and', rows: [] }
  for (const joint of ['and', 'or'] as const) {
    const inner = argumentsOf(trimmed, joint)
    if (inner !== undefined) return { joint, rows: inner.map((each) => parseRow(each, type, model)) }
  }
  return { joint: 'and', rows: [parseRow(trimmed, type, model)] }
}

export function printFilterBuilderRows({ joint, rows }: FilterRows, type: string, model: ApiModel): string {
  const texts = rows.map((row) => printRow(row, type, model)).filter((text) => text !== '')
  return texts.length > 1 ? `${joint}(${texts.join(',')})` : (texts[0] ?? '')
}

/** Prints a condition. A field that only a derived type has is wrapped in `isType`. */
export function printRow(row: FilterRow, type: string, model: ApiModel): string {
  if ('text' in row) return row.text.trim()
  const end = resolveFieldPath(row.path, type, model)
  const operator = end && operatorsFor(end.field).find(({ name }) => name === row.operator)
  if (end === undefined || operator === undefined) return ''
  const condition = operator.print(row.path, row.value)
  return end.onlyIn === undefined ? condition : `isType(,${end.onlyIn},${condition})`
}

/** Describes a condition in few words: `name contains Smith`. */
export function describeRow(row: FilterRow): string {
  return 'text' in row ? row.text : [row.path, row.operator, row.value].filter((part) => part !== '').join(' ')
}

/** Tries the operators of the field: the right one prints the same text. */
function parseRow(text: string, type: string, model: ApiModel): FilterRow {
  const bare = argumentsOf(text, 'isType')?.at(-1) ?? text
  const [, path = ''] = /\(([^(),']+)[,)]/.exec(bare) ?? []
  const value = [...bare.matchAll(/'((?:[^']|'')*)'/g)].map(([, inner = '']) => inner.replaceAll("''", "'")).join(', ')
  const end = resolveFieldPath(path, type, model)
  const rows = (end === undefined ? [] : operatorsFor(end.field)).map(({ name }) => ({ path, operator: name, value }))
  return rows.find((row) => withoutSpace(printRow(row, type, model)) === withoutSpace(text)) ?? { text }
}

function withoutSpace(text: string): string {
  return text.replace(/'(?:[^']|'')*'|\s+/g, (part) => (part.startsWith("'") ? part : ''))
}

/** Returns the arguments if the whole text is a call: `and(a,b)`, not `and(a,b),c`. Ignores commas and brackets within quotes and calls. */
export function argumentsOf(text: string, name: string): readonly string[] | undefined {
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
