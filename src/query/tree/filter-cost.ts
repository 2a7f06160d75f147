import { isManyToOneOrMany, type ResourceType } from '../../graph/model/resource-graph'
import type { AttributeType } from '../../graph/model/value-type'
import type { AnyOf, Argument, Count, Filter, Has, IsType, Operand, RelationshipStep, SortKey, ToManyPath } from './ast'
import { constraintsOfOperand } from './comparability'

/** Returns the filter that a definition requires of rows of a type; `undefined`: none. */
export type FindVisibilityFilter = (type: ResourceType) => Filter | undefined

/**
 * The cost of testing all rows of a type, in resources of a response. One resource takes about 10 microseconds of SQLite on one core, and a
 * type is assumed to have 100,000 rows. `scripts/measure-costs.js` measures each, `scripts/expensive-requests.js` whole requests.
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

/** Whether all rows of a table are tested, or those of some parents. For all, rows related to shared rows are read once (decision 012). */
export type TestedRows = 'all' | 'some'

/** Estimates the cost of a filter. Equal parts count once. */
export function costOfFilter(
  filter: Filter | undefined,
  visibilityFilterOf: FindVisibilityFilter,
  rows: TestedRows,
): number {
  return filter === undefined ? 0 : costOf(filter, startScope(visibilityFilterOf, { rows }))
}

export function costOfSort(
  keys: readonly SortKey[],
  visibilityFilterOf: FindVisibilityFilter,
  rows: TestedRows,
): number {
  const scope = startScope(visibilityFilterOf, { rows })
  return keys.reduce((sum, { by }) => sum + SORT_KEY + costOfValue(by, scope), 0)
}

/** The rows that an expression is evaluated for. */
interface CostScope {
  /** How often each row is evaluated. */
  readonly times: number
  /** What was counted already for these rows: nodes of filters, and names of paths. */
  readonly known: Set<object | string>
  readonly visibilityFilterOf: FindVisibilityFilter
  readonly rows: TestedRows
  /** False within a rule that is tested per outer row: counts can't be joined there. */
  readonly runsOnce: boolean
}

type OuterRows = Pick<CostScope, 'rows'> & Partial<Pick<CostScope, 'times' | 'runsOnce'>>

function startScope(
  visibilityFilterOf: FindVisibilityFilter,
  { rows, times = 1, runsOnce = true }: OuterRows,
): CostScope {
  return { times, known: new Set(), visibilityFilterOf, rows, runsOnce }
}

function costOf(filter: Filter, scope: CostScope): number {
  switch (filter.kind) {
    case 'comparison':
      return (
        comparisonOf(filter.left) * scope.times + costOfValue(filter.left, scope) + costOfValue(filter.right, scope)
      )
    case 'isNull':
      return COMPARISON * scope.times + costOfValue(filter.left, scope)
    case 'hasNone':
      return COMPARISON * scope.times + costOfSteps(filter.path.steps, scope)
    case 'textMatch':
      return TEXT_FUNCTION * scope.times + costOfValue(filter.left, scope)
    case 'anyOf':
      return costOfList(filter, scope)
    case 'logical':
      return filter.terms.reduce((sum, term) => sum + costOf(term, scope), 0)
    case 'not':
      return NOT * scope.times + costOf(filter.term, scope)
    case 'has':
      return costOfSubquery(filter, scope)
    case 'isType':
      return COMPARISON * scope.times + costOfSteps(filter.path, scope) + costOfTypeTest(filter, scope)
    case 'functionCall':
      return costOfValue(filter, scope)
    case 'constant':
    // Statements for a table of several types filter by type anyway.
    case 'isExactly':
      return 0
  }
}

function costOfValue(value: Argument | Operand, scope: CostScope): number {
  switch (value.kind) {
    case 'attributePath':
      return costOfSteps(value.steps, scope)
    case 'literal':
      return 0
    case 'count':
      return costOfSubquery(value, scope)
    case 'truth':
      return costOf(value.filter, scope)
    case 'functionCall':
      return value.arguments.reduce((sum, each) => sum + costOfValue(each, scope), TEXT_FUNCTION * scope.times)
  }
}

/** Dates and times, booleans and composite ids are compared one by one. */
function costOfList({ left, values }: AnyOf, scope: CostScope): number {
  const { valueType, parts } = constraintsOfOperand(left)
  const isListed = parts === undefined && !COMPARED_ALONE.has(valueType)
  const list = isListed ? COMPARISON + LISTED_VALUE * values.length : comparisonOf(left) * values.length
  return list * scope.times + costOfValue(left, scope)
}

const COMPARED_ALONE: ReadonlySet<AttributeType> = new Set<AttributeType>(['datetime', 'date', 'time', 'boolean'])

function comparisonOf(left: Operand): number {
  return constraintsOfOperand(left).valueType === 'datetime' ? MOMENT_COMPARISON : COMPARISON
}

/** Rows at the end of a path are different rows, so nothing was counted for them yet. */
function costOfTypeTest({ path, filter }: IsType, scope: CostScope): number {
  if (filter === undefined) return 0
  return costOf(filter, path.length === 0 ? scope : startScope(scope.visibilityFilterOf, scope))
}

/** A subquery has its own table reference, so its conditions count separately. */
function costOfSubquery(node: Has | Count, scope: CostScope): number {
  const { steps, relationship } = node.path
  const stepCost = costOfSteps(steps, scope)
  if (isKnown(node.kind === 'has' ? node : nameOf([...steps, node.path]), scope)) return stepCost
  const each = scope.times * SHARED ** steps.filter((step) => isManyToOneOrMany(step.relationship)).length
  const isOnce = scope.rows === 'all' && each > 1 && (node.kind === 'has' || scope.runsOnce)
  const times = isOnce ? 1 : each
  const isManyToMany = isManyToOneOrMany(relationship)
  const lookUp = isManyToMany ? JUNCTION_SUBQUERY : SUBQUERY
  const within: OuterRows = { rows: scope.rows, times: isManyToMany && !isOnce ? times * SHARED : times }
  const filter =
    node.kind === 'has' && node.filter !== undefined
      ? costOf(node.filter, startScope(scope.visibilityFilterOf, within))
      : 0
  return (
    stepCost +
    lookUp * times +
    costOfRule(relationship.target, { ...within, times, runsOnce: false }, scope.visibilityFilterOf) +
    filter
  )
}

/** Each step is a join, and a statement has each join once. */
function costOfSteps(steps: readonly RelationshipStep[], scope: CostScope): number {
  return steps.reduce((sum, { relationship }, index) => {
    if (isKnown(nameOf(steps.slice(0, index + 1)), scope)) return sum
    return (
      sum +
      STEP * scope.times +
      costOfRule(relationship.target, { ...scope, runsOnce: false }, scope.visibilityFilterOf)
    )
  }, 0)
}

/** No rules apply within a rule. */
function costOfRule(type: ResourceType, outer: OuterRows, visibilityFilterOf: FindVisibilityFilter): number {
  const rule = visibilityFilterOf(type)
  return rule === undefined ? 0 : costOf(rule, startScope(NO_VISIBILITY_FILTER, outer))
}

export const NO_VISIBILITY_FILTER: FindVisibilityFilter = () => undefined

/** Returns true if the node was counted already; otherwise remembers it. */
function isKnown(node: object | string, { known }: CostScope): boolean {
  if (known.has(node)) return true
  known.add(node)
  return false
}

function nameOf(steps: readonly Pick<RelationshipStep | ToManyPath, 'type' | 'relationship'>[]): string {
  return steps.map(({ type, relationship }) => `${type.name}:${relationship.name}`).join('.')
}
