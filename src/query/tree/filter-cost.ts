import { isShared } from '../../graph/model/relationships'
import type { ResourceType } from '../../graph/model/resource-graph'
import type { AttributeType } from '../../graph/model/value-type'
import type { AnyOf, Argument, Count, Filter, Has, IsType, Operand, RelationshipStep, SortKey, ToManyPath } from './ast'
import { rangeOf } from './comparability'

/** The filter that a definition demands of rows of a type; `undefined`: none. */
export type RuleOf = (type: ResourceType) => Filter | undefined

/**
 * What it costs to ask all rows of a type, in resources of an answer: each takes about as long as 10 microseconds of SQLite on one core, and a
 * type is taken to have 100,000 rows. `scripts/measure-costs.js` measures each, `scripts/dear-requests.js` whole requests.
 */
const COMPARISON = 400
/** What is unknown has to be counted as false first. */
const NOT = 150
/** Two comparisons of text. */
const MOMENT_COMPARISON = 800
/** Text is looked through, and nothing is known of functions of the application. */
const TEXT_FUNCTION = 1000
/** A value is looked up in a list. */
const LISTED_VALUE = 1
/** A row of another table is found by its key. */
const STEP = 2400
/** Related rows are found by an index. */
const SUBQUERY = 9000
/** Over a many-to-many relationship by the index of a table of pairs first. */
const JUNCTION_SUBQUERY = 18_000
const SORT_KEY = 1250
/** Where many resources lead to the same one, and what is related to that is looked at for each of them: `has(blog.articles)` */
const SHARED = 2.5

/** Of all rows of a table, or of some: all have what is related to shared rows looked up once (decision 123). */
export type Asked = 'all' | 'some'

/** What is equal in a filter is asked once. */
export function costOfFilter(filter: Filter | undefined, ruleOf: RuleOf, asked: Asked): number {
  return filter === undefined ? 0 : costOf(filter, startScope(ruleOf, { asked }))
}

export function costOfSort(keys: readonly SortKey[], ruleOf: RuleOf, asked: Asked): number {
  const place = startScope(ruleOf, { asked })
  return keys.reduce((sum, { by }) => sum + SORT_KEY + costOfValue(by, place), 0)
}

/** Rows that are asked something. */
interface CostScope {
  /** How often each row of a table is asked. */
  readonly times: number
  /** What has been looked up for these rows: nodes of filters, and the names of paths. */
  readonly known: Set<object | string>
  readonly ruleOf: RuleOf
  readonly asked: Asked
  /** Whether it is no subselect for each row around it: counts are joined to all rows there. */
  readonly runsOnce: boolean
}

type Around = Pick<CostScope, 'asked'> & Partial<Pick<CostScope, 'times' | 'runsOnce'>>

function startScope(ruleOf: RuleOf, { asked, times = 1, runsOnce = true }: Around): CostScope {
  return { times, known: new Set(), ruleOf, asked, runsOnce }
}

function costOf(filter: Filter, place: CostScope): number {
  switch (filter.kind) {
    case 'comparison':
      return (
        comparisonOf(filter.left) * place.times + costOfValue(filter.left, place) + costOfValue(filter.right, place)
      )
    case 'isNull':
      return COMPARISON * place.times + costOfValue(filter.left, place)
    case 'hasNone':
      return COMPARISON * place.times + costOfSteps(filter.path.steps, place)
    case 'textMatch':
      return TEXT_FUNCTION * place.times + costOfValue(filter.left, place)
    case 'anyOf':
      return costOfList(filter, place)
    case 'logical':
      return filter.terms.reduce((sum, term) => sum + costOf(term, place), 0)
    case 'not':
      return NOT * place.times + costOf(filter.term, place)
    case 'has':
      return costOfSubquery(filter, place)
    case 'isType':
      return COMPARISON * place.times + costOfSteps(filter.path, place) + costOfTypeTest(filter, place)
    case 'functionCall':
      return costOfValue(filter, place)
    case 'constant':
    // Rows of a table of several types are read by their type anyway.
    case 'isExactly':
      return 0
  }
}

function costOfValue(value: Argument | Operand, place: CostScope): number {
  switch (value.kind) {
    case 'attributePath':
      return costOfSteps(value.steps, place)
    case 'literal':
      return 0
    case 'count':
      return costOfSubquery(value, place)
    case 'truth':
      return costOf(value.filter, place)
    case 'functionCall':
      return value.arguments.reduce((sum, each) => sum + costOfValue(each, place), TEXT_FUNCTION * place.times)
  }
}

/** Moments, truths and ids of several columns are compared one by one. */
function costOfList({ left, values }: AnyOf, place: CostScope): number {
  const { valueType, parts } = rangeOf(left)
  const isListed = parts === undefined && !COMPARED_ALONE.has(valueType)
  const list = isListed ? COMPARISON + LISTED_VALUE * values.length : comparisonOf(left) * values.length
  return list * place.times + costOfValue(left, place)
}

const COMPARED_ALONE: ReadonlySet<AttributeType> = new Set<AttributeType>(['datetime', 'date', 'time', 'boolean'])

function comparisonOf(left: Operand): number {
  return rangeOf(left).valueType === 'datetime' ? MOMENT_COMPARISON : COMPARISON
}

/** Rows at the end of a path are others, of which nothing is known yet. */
function costOfTypeTest({ path, filter }: IsType, place: CostScope): number {
  if (filter === undefined) return 0
  return costOf(filter, path.length === 0 ? place : startScope(place.ruleOf, place))
}

/** Conditions on related rows are those of a table reference of their own. */
function costOfSubquery(node: Has | Count, place: CostScope): number {
  const { steps: hops, relationship } = node.path
  const steps = costOfSteps(hops, place)
  if (isKnown(node.kind === 'has' ? node : nameOf([...hops, node.path]), place)) return steps
  const each = place.times * SHARED ** hops.filter((hop) => isShared(hop.relationship)).length
  const isOnce = place.asked === 'all' && each > 1 && (node.kind === 'has' || place.runsOnce)
  const times = isOnce ? 1 : each
  const isManyToMany = isShared(relationship)
  const lookUp = isManyToMany ? JUNCTION_SUBQUERY : SUBQUERY
  const within: Around = { ...place, runsOnce: false, times: isManyToMany && !isOnce ? times * SHARED : times }
  const filter =
    node.kind === 'has' && node.filter !== undefined ? costOf(node.filter, startScope(place.ruleOf, within)) : 0
  return steps + lookUp * times + costOfRule(relationship.target, { ...within, times }, place.ruleOf) + filter
}

/** Each step is a join, which a statement has once. */
function costOfSteps(hops: readonly RelationshipStep[], place: CostScope): number {
  return hops.reduce((sum, { relationship }, index) => {
    if (isKnown(nameOf(hops.slice(0, index + 1)), place)) return sum
    return sum + STEP * place.times + costOfRule(relationship.target, { ...place, runsOnce: false }, place.ruleOf)
  }, 0)
}

/** Rules see everything: no rule holds within one. */
function costOfRule(type: ResourceType, around: Around, ruleOf: RuleOf): number {
  const rule = ruleOf(type)
  return rule === undefined ? 0 : costOf(rule, startScope(NO_RULES, around))
}

export const NO_RULES: RuleOf = () => undefined

/** Notes what is not known yet. */
function isKnown(node: object | string, { known }: CostScope): boolean {
  if (known.has(node)) return true
  known.add(node)
  return false
}

function nameOf(steps: readonly Pick<RelationshipStep | ToManyPath, 'type' | 'relationship'>[]): string {
  return steps.map(({ type, relationship }) => `${type.name}:${relationship.name}`).join('.')
}
