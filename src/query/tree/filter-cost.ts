import type { ResourceType } from '../../graph/model/resource-graph'
import type { AttributeType } from '../../graph/model/value-type'
import type {
  CountOperand,
  EqualsAnyNode,
  FilterNode,
  FunctionArgument,
  HasNode,
  IsTypeNode,
  NonLiteralOperand,
  SortKeyNode,
  ToManyPathOperand,
  ToOneStep,
} from './ast'
import { valueConstraintsOfOperand } from './comparability'

/** Returns the filter that a definition requires for rows of a type, or `undefined` if there is none. */
export type FindVisibilityFilter = (type: ResourceType) => FilterNode | undefined

/**
 * The cost of testing all rows of a type, in resources of a response. One resource takes about 10 microseconds of SQLite on one core, and a
 * type is assumed to have 100,000 rows. `scripts/measure-costs.js` measures each constant, `scripts/expensive-requests.js` whole requests.
 */
const COMPARISON = 400
/** A count is a column of a joined table, or null. */
const COUNT_COMPARISON = 600
/** A date and time is compared as text, in two comparisons. */
const DATETIME_COMPARISON = 800
/** Searching in text. Functions of the application are assumed to cost the same. */
const TEXT_FUNCTION = 1000
/** Three functions of SQL. */
const ENDS_WITH = 1600
/** Looking up a value in a list, and one value of it. */
const LIST = 1500
const LISTED_VALUE = 5
/** Looking up a row of another table by its key. */
const STEP = 2400
/** Looking up related rows by an index. */
const SUBQUERY = 9000
/** Looking up related rows through the index of a junction table. */
const JUNCTION_SUBQUERY = 18_000
const SORT_KEY = 1250
/**
 * Factor for a path through rows that many resources share. For `has(blog.articles)`, many articles have the same blog, and the articles of
 * that blog are read for each of them.
 */
const SHARED_ROW_FACTOR = 2.5
/** Factor of a lookup within another, which reads its rows in no order. */
const NESTED_LOOKUP_FACTOR = 1.5

/**
 * Whether a filter tests all rows of a table, or only the rows of some parents. For all rows, the statement reads the rows behind shared
 * rows once (decision 012).
 */
export type AllRowsOrRowsOfSomeParents = 'all' | 'some'

/** Estimates the cost of a filter. Parts that occur several times count once. */
export function costOfFilter(
  filter: FilterNode | undefined,
  visibilityFilterOf: FindVisibilityFilter,
  rows: AllRowsOrRowsOfSomeParents,
): number {
  return filter === undefined ? 0 : costOf(filter, startScope(visibilityFilterOf, { rows }))
}

export function costOfSort(
  keys: readonly SortKeyNode[],
  visibilityFilterOf: FindVisibilityFilter,
  rows: AllRowsOrRowsOfSomeParents,
): number {
  const scope = startScope(visibilityFilterOf, { rows })
  return keys.reduce((sum, { by }) => sum + SORT_KEY + costOfValue(by, scope), 0)
}

/** The rows that an expression is evaluated for. */
interface CostScope {
  /** How often each row is tested. */
  readonly times: number
  /** Filter nodes and path names whose cost for these rows is already counted. */
  readonly counted: Set<object | string>
  readonly visibilityFilterOf: FindVisibilityFilter
  readonly rows: AllRowsOrRowsOfSomeParents
  /** False in a rule that is tested for each outer row, where a count can't be computed once by a join. */
  readonly runsOnce: boolean
  readonly isNested: boolean
}

type OuterRows = Pick<CostScope, 'rows'> & Partial<Pick<CostScope, 'times' | 'runsOnce' | 'isNested'>>

function startScope(
  visibilityFilterOf: FindVisibilityFilter,
  { rows, times = 1, runsOnce = true, isNested = false }: OuterRows,
): CostScope {
  return { times, counted: new Set(), visibilityFilterOf, rows, runsOnce, isNested }
}

function costOf(filter: FilterNode, scope: CostScope): number {
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
      return (
        (filter.operator === 'endsWith' ? ENDS_WITH : TEXT_FUNCTION) * scope.times + costOfValue(filter.left, scope)
      )
    case 'equalsAny':
      return costOfList(filter, scope)
    case 'logical':
      return filter.terms.reduce((sum, term) => sum + costOf(term, scope), 0)
    case 'not':
      return costOf(filter.term, scope)
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

function costOfValue(value: FunctionArgument | NonLiteralOperand, scope: CostScope): number {
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

/** Estimates a test of a list of values. Dates, times, booleans and composite ids are compared with each value in turn. */
function costOfList({ left, values }: EqualsAnyNode, scope: CostScope): number {
  const { valueType, parts } = valueConstraintsOfOperand(left)
  const isListed = parts === undefined && !COMPARED_ONE_BY_ONE.has(valueType)
  const list = isListed ? LIST + LISTED_VALUE * values.length : comparisonOf(left) * values.length
  return list * scope.times + costOfValue(left, scope)
}

const COMPARED_ONE_BY_ONE: ReadonlySet<AttributeType> = new Set<AttributeType>(['datetime', 'date', 'time', 'boolean'])

function comparisonOf(left: NonLiteralOperand): number {
  if (left.kind === 'count') return COUNT_COMPARISON
  return valueConstraintsOfOperand(left).valueType === 'datetime' ? DATETIME_COMPARISON : COMPARISON
}

/** Estimates the inner filter of a type test. Behind a path it tests other rows, so nothing is counted for them yet. */
function costOfTypeTest({ path, filter }: IsTypeNode, scope: CostScope): number {
  if (filter === undefined) return 0
  return costOf(filter, path.length === 0 ? scope : startScope(scope.visibilityFilterOf, scope))
}

/** Estimates a subquery. It has its own table reference, so its conditions count separately. */
function costOfSubquery(node: HasNode | CountOperand, scope: CostScope): number {
  const { steps, relationship } = node.path
  const stepCost = costOfSteps(steps, scope)
  if (isAlreadyCounted(node.kind === 'has' ? node : nameOf([...steps, node.path]), scope)) return stepCost
  const timesPerRow =
    scope.times * SHARED_ROW_FACTOR ** steps.filter((step) => step.relationship.relatedResourceCanBeShared).length
  const runsOnce = scope.rows === 'all' && timesPerRow > 1 && (node.kind === 'has' || scope.runsOnce)
  const times = runsOnce ? 1 : timesPerRow
  const isManyToMany = relationship.relatedResourceCanBeShared
  const lookUpCost = (isManyToMany ? JUNCTION_SUBQUERY : SUBQUERY) * (scope.isNested ? NESTED_LOOKUP_FACTOR : 1)
  const innerRows: OuterRows = {
    rows: scope.rows,
    isNested: true,
    times: isManyToMany && !runsOnce ? times * SHARED_ROW_FACTOR : times,
  }
  const filter =
    node.kind === 'has' && node.filter !== undefined
      ? costOf(node.filter, startScope(scope.visibilityFilterOf, innerRows))
      : 0
  return (
    stepCost +
    lookUpCost * times +
    costOfRule(relationship.target, { ...innerRows, times, runsOnce: false }, scope.visibilityFilterOf) +
    filter
  )
}

/** Estimates the joins of a path. A statement contains each join once. */
function costOfSteps(steps: readonly ToOneStep[], scope: CostScope): number {
  return steps.reduce((sum, { relationship }, index) => {
    if (isAlreadyCounted(nameOf(steps.slice(0, index + 1)), scope)) return sum
    return (
      sum +
      STEP * scope.times +
      costOfRule(relationship.target, { ...scope, runsOnce: false }, scope.visibilityFilterOf)
    )
  }, 0)
}

/** Estimates the rule of a type. Other rules do not apply within a rule. */
function costOfRule(type: ResourceType, outer: OuterRows, visibilityFilterOf: FindVisibilityFilter): number {
  const rule = visibilityFilterOf(type)
  return rule === undefined ? 0 : costOf(rule, startScope(NO_VISIBILITY_FILTER, outer))
}

export const NO_VISIBILITY_FILTER: FindVisibilityFilter = () => undefined

/** Returns true if the node is already counted; otherwise marks it as counted. */
function isAlreadyCounted(node: object | string, { counted }: CostScope): boolean {
  if (counted.has(node)) return true
  counted.add(node)
  return false
}

function nameOf(steps: readonly Pick<ToOneStep | ToManyPathOperand, 'type' | 'relationship'>[]): string {
  return steps.map(({ type, relationship }) => `${type.name}:${relationship.name}`).join('.')
}
