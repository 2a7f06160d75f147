import { hasField, isA } from '../../../src/graph/inheritance'
import type { ValueRange } from '../../../src/graph/value-type'
import type {
  AttributePath,
  ComparisonOperator,
  Filter,
  Hop,
  Literal,
  Operand,
  SortKey,
  ToManyPath,
} from '../../../src/query/ast'
import { type Comparable, compareValues, partsOf } from './compare-values'
import { type Row, relatedRows } from './rows'
import { compareBytes, type Order } from './world'

/** Whether a filter is true for a row. What is unknown is false, wherever it stands. */
export function holds(filter: Filter, row: Row, order: Order): boolean {
  switch (filter.kind) {
    case 'constant':
      return filter.value
    case 'comparison': {
      const left = operandOf(filter.left, row, order)
      const right =
        filter.right.kind === 'literal' ? literalOf(filter.right, left.range) : operandOf(filter.right, row, order)
      // Columns may have different collations: their texts are compared by code points.
      const comparing = filter.right.kind === 'literal' ? order : { ...order, compareTexts: compareBytes }
      return COMPARISONS[filter.operator](left, right, comparing)
    }
    case 'isNull':
      return operandOf(filter.left, row, order).value === null
    case 'hasNone':
      return follow(row, filter.path.hops) === undefined
    case 'textMatch': {
      const { value } = operandOf(filter.left, row, order)
      return typeof value === 'string' && TEXT_MATCHES[filter.operator](value, filter.text)
    }
    case 'anyOf': {
      const left = operandOf(filter.left, row, order)
      return filter.values.some((each) => COMPARISONS.equals(left, literalOf(each, left.range), order))
    }
    case 'logical':
      return filter.operator === 'and'
        ? filter.terms.every((term) => holds(term, row, order))
        : filter.terms.some((term) => holds(term, row, order))
    case 'not':
      return !holds(filter.term, row, order)
    case 'has':
      return members(row, filter.path).some(
        (right) => filter.filter === undefined || holds(filter.filter, right, order),
      )
    case 'isType': {
      const end = follow(row, filter.path)
      if (end === undefined || !isA(end.type, filter.type)) return false
      return filter.filter === undefined || holds(filter.filter, end, order)
    }
    case 'isExactly':
      return filter.types.includes(row.type)
    case 'functionCall':
      return operandOf(filter, row, order).value === true
  }
}

/** Orders two rows by sort keys; those that lack a key come last, in both directions. */
export function compareRows(one: Row, other: Row, keys: readonly SortKey[], order: Order): number {
  for (const { by, direction } of keys) {
    const [left, right] = [keyOf(by, one, order), keyOf(by, other, order)]
    if (left.value === null && right.value === null) continue
    if (left.value === null) return 1
    if (right.value === null) return -1
    const difference = compareValues(left, right, order)
    if (difference !== 0) return direction === 'ascending' ? difference : -difference
  }
  return 0
}

/** Rows without the relationship of a count lack the key. */
function keyOf(by: SortKey['by'], row: Row, order: Order): Comparable {
  if (by.kind !== 'count') return operandOf(by, row, order)
  const end = follow(row, by.path.hops)
  const isThere = end !== undefined && isA(end.type, by.path.type) && hasField(end.type, by.path.relationship)
  return isThere ? operandOf(by, row, order) : { value: null, range: { valueType: 'integer' } }
}

type Compare = (left: Comparable, right: Comparable, order: Order) => boolean

const COMPARISONS: Readonly<Record<ComparisonOperator, Compare>> = {
  equals: areEqual,
  lessThan: (left, right, order) => areThere(left, right) && compareValues(left, right, order) < 0,
  lessOrEqual: (left, right, order) => areThere(left, right) && compareValues(left, right, order) <= 0,
  greaterThan: (left, right, order) => areThere(left, right) && compareValues(left, right, order) > 0,
  greaterOrEqual: (left, right, order) => areThere(left, right) && compareValues(left, right, order) >= 0,
}

/** Exactly, whatever the collation takes for equal. */
function areEqual(left: Comparable, right: Comparable, order: Order): boolean {
  if (!areThere(left, right)) return false
  if (left.range.parts !== undefined) {
    const others = partsOf(right)
    return partsOf(left).every((one, place) => areEqual(one, others[place] ?? one, order))
  }
  return typeof left.value === 'string' && left.range.valueType === 'string'
    ? left.value === right.value
    : compareValues(left, right, order) === 0
}

const TEXT_MATCHES = {
  contains: (value: string, text: string) => value.includes(text),
  startsWith: (value: string, text: string) => value.startsWith(text),
  endsWith: (value: string, text: string) => value.endsWith(text),
}

function areThere(left: Comparable, right: Comparable): boolean {
  return left.value !== null && right.value !== null
}

function literalOf({ value }: Literal, range: ValueRange): Comparable {
  return { value, range }
}

function operandOf(operand: Operand, row: Row, order: Order): Comparable {
  switch (operand.kind) {
    case 'attributePath':
      return { value: valueAt(operand, row), range: operand.attribute.range }
    case 'count':
      return { value: members(row, operand.path).length, range: { valueType: 'integer' } }
    case 'truth':
      return { value: holds(operand.filter, row, order), range: { valueType: 'boolean' } }
    // What functions of an application give is up to them: there are none here.
    case 'functionCall':
      return { value: null, range: { valueType: operand.called.gives } }
  }
}

/** Null where the path breaks, and where the row at its end is of another branch. */
function valueAt({ hops, type, attribute }: AttributePath, row: Row): unknown {
  const end = follow(row, hops)
  if (end === undefined || !isA(end.type, type)) return null
  if (attribute === end.type.id) return end.values.get(attribute)
  if (!hasField(end.type, attribute)) return null
  return end.values.get(attribute) ?? null
}

function members(row: Row, { hops, type, relationship }: ToManyPath): readonly Row[] {
  const end = follow(row, hops)
  return end === undefined || !isA(end.type, type) ? [] : relatedRows(end, relationship)
}

function follow(row: Row, hops: readonly Hop[]): Row | undefined {
  let end: Row | undefined = row
  for (const { relationship, type } of hops) {
    if (end === undefined || !isA(end.type, type)) return undefined
    end = relatedRows(end, relationship)[0]
  }
  return end
}
