import type { Argument, Filter, SortKey, Truth } from './ast'

/** How much of a database a filter or sort key asks for. */
export interface Measure {
  /** Functions and values. */
  readonly size: number
  /** In resources: what has to be looked at beside the rows that it is asked of, as far as can be told without knowing them. */
  readonly cost: number
}

/** Each row has its related ones looked at, by an index; and each of those theirs, where one function stands within another. */
const LOOK_UP = 100
const LOOK_UPS_OF_EACH = 10

/** `and(has(children),equals(name,'Ada'))` -> `{ size: 4, cost: 100 }` */
export function measureFilter(filter: Filter): Measure {
  return measure(filter, LOOK_UP)
}

export function measureSort(keys: readonly SortKey[]): Measure {
  return sum(keys.map(({ by }) => measureValue(by, LOOK_UP)))
}

/** `lookUp`: what one function over a to-many relationship costs here. */
function measure(filter: Filter, lookUp: number): Measure {
  switch (filter.kind) {
    case 'comparison':
      return around(measureOperand(filter.left, lookUp), measureOperand(filter.right, lookUp))
    case 'isNull':
      return around(measureOperand(filter.left, lookUp))
    case 'textMatch':
      return around(measureOperand(filter.left, lookUp), VALUE)
    case 'anyOf':
      return around(measureOperand(filter.left, lookUp), { size: filter.values.length, cost: 0 })
    case 'logical':
      return around(...filter.terms.map((term) => measure(term, lookUp)))
    case 'not':
      return around(measure(filter.term, lookUp))
    case 'has':
      return around(measureOptional(filter.filter, lookUp * LOOK_UPS_OF_EACH), { size: 0, cost: lookUp })
    case 'isType':
      return around(measureOptional(filter.filter, lookUp))
    case 'functionCall':
      return measureValue(filter, lookUp)
    case 'constant':
    case 'hasNone':
    case 'isExactly':
      return VALUE
  }
}

function measureOptional(filter: Filter | undefined, lookUp: number): Measure {
  return filter === undefined ? NOTHING : measure(filter, lookUp)
}

function measureOperand(operand: Argument | Truth, lookUp: number): Measure {
  return operand.kind === 'truth' ? measure(operand.filter, lookUp) : measureValue(operand, lookUp)
}

function measureValue(value: Argument, lookUp: number): Measure {
  switch (value.kind) {
    case 'attributePath':
      return NOTHING
    case 'literal':
      return VALUE
    case 'count':
      return { size: 1, cost: lookUp }
    case 'functionCall':
      return around(...value.arguments.map((each) => measureValue(each, lookUp)))
  }
}

/** A function, and what stands in its parentheses. */
function around(...within: readonly Measure[]): Measure {
  return sum([VALUE, ...within])
}

function sum(measures: readonly Measure[]): Measure {
  return measures.reduce((one, other) => ({ size: one.size + other.size, cost: one.cost + other.cost }), NOTHING)
}

const NOTHING: Measure = { size: 0, cost: 0 }
const VALUE: Measure = { size: 1, cost: 0 }
