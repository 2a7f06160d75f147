import type { ResourceType } from '../graph/resource-graph'
import type { ValueType } from '../graph/value-type'
import type { AnyOf, Argument, Count, Filter, Has, Hop, IsType, Operand, SortKey, ToManyPath } from './ast'
import { rangeOf } from './comparability'

/** The filter that a definition demands of rows of a type; `undefined`: none. */
export type RuleOf = (type: ResourceType) => Filter | undefined

/**
 * What it costs to ask all rows of a type, in resources of an answer: each takes about as long as 10 microseconds of SQLite on one core, and a
 * type is taken to have 100,000 rows. `scripts/dear-requests.js` measures them.
 */
const COMPARISON = 200
/** What is unknown has to be counted as false first. */
const NOT = 100
/** Two comparisons of text. */
const MOMENT_COMPARISON = 400
/** Text is looked through, and nothing is known of functions of the application. */
const TEXT_FUNCTION = 700
/** A value is looked up in a list. */
const LISTED_VALUE = 1
/** A row of another table is found by its key. */
const STEP = 1000
/** Related rows are found by an index. */
const LOOK_UP = 6000
/** Over a many-to-many relationship by the index of a table of pairs first. */
const LOOK_UP_OF_PAIRS = 10_000
const SORT_KEY = 1000
/** Where many resources lead to the same one, what is related to that is looked at for each of them: `has(blog.articles)` */
const SHARED = 2.5

/** What is equal in a filter is asked once. */
export function costOfFilter(filter: Filter | undefined, ruleOf: RuleOf): number {
  return filter === undefined ? 0 : costOf(filter, startAt(ruleOf))
}

export function costOfSort(keys: readonly SortKey[], ruleOf: RuleOf): number {
  const place = startAt(ruleOf)
  return keys.reduce((sum, { by }) => sum + SORT_KEY + costOfValue(by, place), 0)
}

/** Rows that are asked something. */
interface Place {
  /** How often each row of a table is asked. */
  readonly times: number
  /** What has been looked up for these rows: nodes of filters, and the names of paths. */
  readonly known: Set<object | string>
  readonly ruleOf: RuleOf
}

function startAt(ruleOf: RuleOf, times = 1): Place {
  return { times, known: new Set(), ruleOf }
}

function costOf(filter: Filter, place: Place): number {
  switch (filter.kind) {
    case 'comparison':
      return (
        comparisonOf(filter.left) * place.times + costOfValue(filter.left, place) + costOfValue(filter.right, place)
      )
    case 'isNull':
      return COMPARISON * place.times + costOfValue(filter.left, place)
    case 'hasNone':
      return COMPARISON * place.times + costOfSteps(filter.path.hops, place)
    case 'textMatch':
      return TEXT_FUNCTION * place.times + costOfValue(filter.left, place)
    case 'anyOf':
      return costOfList(filter, place)
    case 'logical':
      return filter.terms.reduce((sum, term) => sum + costOf(term, place), 0)
    case 'not':
      return NOT * place.times + costOf(filter.term, place)
    case 'has':
      return costOfLookUp(filter, place)
    case 'isType':
      return COMPARISON * place.times + costOfSteps(filter.path, place) + costOfBehind(filter, place)
    case 'functionCall':
      return costOfValue(filter, place)
    case 'constant':
    // Rows of a table of several types are read by their type anyway.
    case 'isExactly':
      return 0
  }
}

function costOfValue(value: Argument | Operand, place: Place): number {
  switch (value.kind) {
    case 'attributePath':
      return costOfSteps(value.hops, place)
    case 'literal':
      return 0
    case 'count':
      return costOfLookUp(value, place)
    case 'truth':
      return costOf(value.filter, place)
    case 'functionCall':
      return value.arguments.reduce((sum, each) => sum + costOfValue(each, place), TEXT_FUNCTION * place.times)
  }
}

/** Moments, truths and ids of several columns are compared one by one. */
function costOfList({ left, values }: AnyOf, place: Place): number {
  const { valueType, parts } = rangeOf(left)
  const isListed = parts === undefined && !COMPARED_ALONE.has(valueType)
  const list = isListed ? COMPARISON + LISTED_VALUE * values.length : comparisonOf(left) * values.length
  return list * place.times + costOfValue(left, place)
}

const COMPARED_ALONE: ReadonlySet<ValueType> = new Set<ValueType>(['datetime', 'date', 'time', 'boolean'])

function comparisonOf(left: Operand): number {
  return rangeOf(left).valueType === 'datetime' ? MOMENT_COMPARISON : COMPARISON
}

/** Rows at the end of a path are others, of which nothing is known yet. */
function costOfBehind({ path, filter }: IsType, place: Place): number {
  if (filter === undefined) return 0
  return costOf(filter, path.length === 0 ? place : startAt(place.ruleOf, place.times))
}

/** Conditions on related rows are those of a table reference of their own. */
function costOfLookUp(node: Has | Count, place: Place): number {
  const { hops, relationship } = node.path
  const steps = costOfSteps(hops, place)
  if (isKnown(node.kind === 'has' ? node : nameOf([...hops, node.path]), place)) return steps
  const times = place.times * SHARED ** hops.filter(isShared).length
  const isManyToMany = relationship.inverse?.kind !== 'toOne'
  const lookUp = isManyToMany ? LOOK_UP_OF_PAIRS : LOOK_UP
  const right = startAt(place.ruleOf, isManyToMany ? times * SHARED : times)
  const within = node.kind === 'has' && node.filter !== undefined ? costOf(node.filter, right) : 0
  return steps + lookUp * times + costOfRule(relationship.target, times, place.ruleOf) + within
}

/** Whether many resources can lead to the same one. */
function isShared({ relationship }: Hop): boolean {
  return relationship.inverse?.kind !== 'toOne'
}

/** Each step is a join, which a statement has once. */
function costOfSteps(hops: readonly Hop[], place: Place): number {
  return hops.reduce((sum, { relationship }, index) => {
    if (isKnown(nameOf(hops.slice(0, index + 1)), place)) return sum
    return sum + STEP * place.times + costOfRule(relationship.target, place.times, place.ruleOf)
  }, 0)
}

/** Rules see everything: no rule holds within one. */
function costOfRule(type: ResourceType, times: number, ruleOf: RuleOf): number {
  const rule = ruleOf(type)
  return rule === undefined ? 0 : costOf(rule, startAt(NO_RULES, times))
}

export const NO_RULES: RuleOf = () => undefined

/** Notes what is not known yet. */
function isKnown(node: object | string, { known }: Place): boolean {
  if (known.has(node)) return true
  known.add(node)
  return false
}

function nameOf(steps: readonly Pick<Hop | ToManyPath, 'type' | 'relationship'>[]): string {
  return steps.map(({ type, relationship }) => `${type.name}:${relationship.name}`).join('.')
}
