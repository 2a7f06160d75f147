import { isShared } from '../../graph/model/relationships'
import type { ResourceType } from '../../graph/model/resource-graph'
import type { AttributeType } from '../../graph/model/value-type'
import type { AnyOf, Argument, Count, Filter, Has, IsType, Operand, RelationshipStep, SortKey, ToManyPath } from './ast'
import { rangeOf } from './comparability'

/** Returns the filter that a definition requires of rows of a type; `undefined`: none. */
export type RuleOf = (type: ResourceType) => Filter | undefined

/**
 * The cost of testing all rows of a type, in resources of a response. One resource takes about 10 microseconds of SQLite on one core, and a
 * type is assumed to have 100,000 rows. `scripts/measure-costs.js` measures each, `scripts/dear-requests.js` whole requests.
 */
const COMPARISON = 400
/** SQL's unknown must become false first. */
const NOT = 150
/** Two comparisons of text. */
const MOMENT_COMPARISON = 800
/** Searching in text. Functions of the application are assumed to cost the same. */
const TEXT_FUNCTION = 1000
/** One value of a list. */
const LISTED_VALUE = 1
/** Looking up a row of another table by its key. */
const STEP = 2400
/** Looking up related rows by an index. */
const SUBQUERY = 9000
/** The same through the index of a junction table. */
const JUNCTION_SUBQUERY = 18_000
const SORT_KEY = 1250
/** Factor where many resources share a related one, whose own related rows are read for each of them: `has(blog.articles)` */
const SHARED = 2.5

/** Whether all rows of a table are tested, or some. For all, rows related to shared rows are read once (decision 123). */
export type Asked = 'all' | 'some'

/** Estimates the cost of a filter. Equal parts count once. */
export function costOfFilter(filter: Filter | undefined, ruleOf: RuleOf, asked: Asked): number {
  return filter === undefined ? 0 : costOf(filter, startScope(ruleOf, { asked }))
}

export function costOfSort(keys: readonly SortKey[], ruleOf: RuleOf, asked: Asked): number {
  const place = startScope(ruleOf, { asked })
  return keys.reduce((sum, { by }) => sum + SORT_KEY + costOfValue(by, place), 0)
}

/** The rows that an expression is evaluated for. */
interface CostScope {
  /** How often each row is evaluated. */
  readonly times: number
  /** What was counted already for these rows: nodes of filters, and names of paths. */
  readonly known: Set<object | string>
  readonly ruleOf: RuleOf
  readonly asked: Asked
  /** True if it is not a subselect per outer row: counts are then joined to all rows. */
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
    // Statements for a table of several types filter by type anyway.
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

/** Dates and times, booleans and composite ids are compared one by one. */
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

/** Rows at the end of a path are different rows, so nothing was counted for them yet. */
function costOfTypeTest({ path, filter }: IsType, place: CostScope): number {
  if (filter === undefined) return 0
  return costOf(filter, path.length === 0 ? place : startScope(place.ruleOf, place))
}

/** A subquery has its own table reference, so its conditions count separately. */
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

/** Each step is a join, and a statement has each join once. */
function costOfSteps(hops: readonly RelationshipStep[], place: CostScope): number {
  return hops.reduce((sum, { relationship }, index) => {
    if (isKnown(nameOf(hops.slice(0, index + 1)), place)) return sum
    return sum + STEP * place.times + costOfRule(relationship.target, { ...place, runsOnce: false }, place.ruleOf)
  }, 0)
}

/** No rules apply within a rule. */
function costOfRule(type: ResourceType, around: Around, ruleOf: RuleOf): number {
  const rule = ruleOf(type)
  return rule === undefined ? 0 : costOf(rule, startScope(NO_RULES, around))
}

export const NO_RULES: RuleOf = () => undefined

/** Returns true if the node was counted already; otherwise remembers it. */
function isKnown(node: object | string, { known }: CostScope): boolean {
  if (known.has(node)) return true
  known.add(node)
  return false
}

function nameOf(steps: readonly Pick<RelationshipStep | ToManyPath, 'type' | 'relationship'>[]): string {
  return steps.map(({ type, relationship }) => `${type.name}:${relationship.name}`).join('.')
}
