import { assertNever } from '../../../errors/invariant'
import type {
  AttributePath,
  ComparisonNode,
  CountOperand,
  EqualsAnyNode,
  FilterNode,
  HasNode,
  IsTypeNode,
  NonLiteralOperand,
  TextMatchNode,
  ToManyPathOperand,
} from '../../../query/tree/ast'
import { valueConstraintsOfOperand } from '../../../query/tree/comparability'
import { compileRuleCondition, compileToManyJoin, leftJoinedSqlScope, unflattenedUnionFromItem } from '../joins/joins'
import { compileKeyColumnsEqual, type KeyColumnsSql, toSqlTuple } from '../joins/key-conditions'
import {
  columnSql,
  compileTableAndJoins,
  innerSqlScope,
  liveRowOfTypeConditions,
  qualifiedFirstKeyColumn,
  qualifiedKeyColumns,
  SQL_FALSE,
  SQL_TRUE,
  type SqlScope,
  storedTypeConditions,
  subtypeConditions,
  whereClause,
  wouldExceedJoinLimit,
} from '../joins/scope'
import { columnsOfAttributePath } from '../mapping/keys'
import { EMPTY_SQL, joinConditionsInGroups, joinSql, paramSql, rawSql, type Sql, sqlTag } from '../sql/sql'
import { compileCustomFunctionCall } from './compile-custom-function-call'
import { compileLiteralForOperand } from './compile-literal'
import { type ComparedPair, compileEqualsAnyComparison, compileValueComparison } from './compile-value-comparison'
import {
  compileFilterIfSubselectsRepeat,
  compileSubselectOnce,
  extendPathOfSharedSubselects,
  findCountOperands,
} from './shared-subselects'

/** Compiles a whole condition on the rows of a scope. A subselect that several of its terms contain runs once. */
export function compileFilterSharingSubselects(filter: FilterNode, scope: SqlScope): Sql {
  return compileFilterIfSubselectsRepeat(filter, scope, compileFilter) ?? compileFilter(filter, scope)
}

/** Compiles a filter to a condition on the rows of a scope, and adds the joins that it needs to the scope. */
export function compileFilter(filter: FilterNode, scope: SqlScope): Sql {
  switch (filter.kind) {
    case 'constant':
      return filter.value ? SQL_TRUE : SQL_FALSE
    case 'comparison':
      return compileComparison(filter, scope)
    case 'isNull':
      return sqlTag`(${compileOperand(filter.left, scope)} is null)`
    case 'hasNone':
      return sqlTag`(${qualifiedFirstKeyColumn(leftJoinedSqlScope(scope, filter.path.steps, compileFilter))} is null)`
    case 'textMatch':
      return compileTextMatch(filter, scope)
    case 'equalsAny':
      return compileEqualsAny(filter, scope)
    case 'logical':
      return sqlTag`(${joinConditionsInGroups(
        filter.terms.map((term) => compileFilter(term, scope)),
        filter.operator === 'and' ? ' and ' : ' or ',
      )})`
    // A comparison with a null column is unknown, and `not unknown` is unknown still: count unknown as false first.
    case 'not':
      return sqlTag`not ${isTrue(filter.term, scope)}`
    case 'has':
      return compileHas(filter, scope)
    case 'isType':
      return compileIsType(filter, scope)
    case 'isExactly':
      return storedTypeConditions(scope, filter.types)[0] ?? SQL_TRUE
    case 'functionCall':
      return compileCustomFunctionCall(filter, scope, compileOperand)
    default:
      return assertNever(filter)
  }
}

/** Compiles an attribute, also over to-one relationships; null if a step has no row. An id has all columns of the key. */
export function compileAttributePath(path: AttributePath, scope: SqlScope): KeyColumnsSql {
  const end = leftJoinedSqlScope(scope, path.steps, compileFilter)
  const columns = columnsOfAttributePath(scope.mapping, path).map((column) => columnSql(end, column))
  const [condition] = storedTypeConditions(end, path.only)
  return condition === undefined ? columns : columns.map((column) => sqlTag`case when ${condition} then ${column} end`)
}

/** Counts related rows; 0 if a step of the path has no row. */
export function compileCountExpression(count: CountOperand, scope: SqlScope): Sql {
  return compileSubselectOnce(count, scope, () => {
    const { path } = count
    const left = leftJoinedSqlScope(scope, path.steps, compileFilter)
    const joined = areShared(path, left) ? joinCounts(path, left) : undefined
    if (joined !== undefined) return joined
    const counts = relatedRows(path, undefined, left).map((rows) => sqlTag`(select count(*) from ${rows})`)
    return counts.length === 1 ? joinSql(counts, ' + ') : sqlTag`(${joinSql(counts, ' + ')})`
  })
}

function compileComparison({ operator, left, right }: ComparisonNode, scope: SqlScope): Sql {
  if (left.kind === 'truth' && right.kind === 'literal') {
    return (right.value.value === true) === (operator === 'equals')
      ? isTrue(left.filter, scope)
      : sqlTag`not ${isTrue(left.filter, scope)}`
  }
  const rightParts =
    right.kind === 'literal'
      ? compileLiteralForOperand(left, right, scope)
      : compileParts(right, scope).map((other) => ({ other }))
  return compileValueComparison(operator, pairParts(left, compileParts(left, scope), rightParts), scope.mapping.dialect)
}

type PartialPairs = readonly Partial<ComparedPair>[]

function pairParts(left: NonLiteralOperand, parts: KeyColumnsSql, others: PartialPairs): readonly ComparedPair[] {
  const whole = valueConstraintsOfOperand(left)
  const partOf = (index: number) => whole.parts?.[index] ?? whole
  return parts.map((one, index) => ({ one, other: EMPTY_SQL, ...others[index], constraints: partOf(index) }))
}

function compileParts(operand: NonLiteralOperand, scope: SqlScope): KeyColumnsSql {
  return operand.kind === 'attributePath' ? compileAttributePath(operand, scope) : [compileOperand(operand, scope)]
}

/** Compiles the first column of an id with several columns: all or none of them are null. */
function compileOperand(operand: NonLiteralOperand, scope: SqlScope): Sql {
  switch (operand.kind) {
    case 'attributePath':
      return compileAttributePath(operand, scope)[0] ?? EMPTY_SQL
    case 'count':
      return compileCountExpression(operand, scope)
    case 'truth':
      return isTrue(operand.filter, scope)
    case 'functionCall':
      return compileCustomFunctionCall(operand, scope, compileOperand)
    default:
      return assertNever(operand)
  }
}

/** Unknown counts as false. SQLite evaluates constants within `coalesce` for each row, so `is true` takes half the time. */
function isTrue(filter: FilterNode, scope: SqlScope): Sql {
  return sqlTag`((${compileFilter(filter, scope)}) is true)`
}

function compileTextMatch({ operator, left, text: parameter }: TextMatchNode, scope: SqlScope): Sql {
  const column = compileOperand(left, scope)
  const text = paramSql(parameter)
  const { dialect } = scope.mapping
  switch (operator) {
    case 'contains':
      return dialect.contains(column, text)
    case 'startsWith':
      return dialect.startsWith(column, text)
    case 'endsWith':
      return dialect.endsWith(column, text)
    default:
      return assertNever(operator)
  }
}

function compileEqualsAny({ left, values }: EqualsAnyNode, scope: SqlScope): Sql {
  if (left.kind === 'truth') {
    const comparisons = values.map((right) =>
      compileComparison({ kind: 'comparison', operator: 'equals', left, right }, scope),
    )
    return sqlTag`(${joinConditionsInGroups(comparisons, ' or ')})`
  }
  const leftParts = compileParts(left, scope)
  const comparisons = values.map((right) => pairParts(left, leftParts, compileLiteralForOperand(left, right, scope)))
  return compileEqualsAnyComparison(comparisons, scope.mapping.dialect)
}

function compileHas(has: HasNode, scope: SqlScope): Sql {
  return compileSubselectOnce(has, scope, () => {
    const { dialect } = scope.mapping
    const { path, filter } = has
    const left = leftJoinedSqlScope(scope, path.steps, compileFilter)
    const isListed = (dialect.listsShared && areShared(path, left)) || countsSharedRows(has, left)
    if (isListed) return isAmongSources(path, filter, left)
    const exists = scope.nextHas() > MAX_SEMI_JOINS ? dialect.existsPerRow : dialect.exists
    const conditions = relatedRows(path, filter, left).map((rows) => exists(sqlTag`select 1 from ${rows}`))
    return conditions.length === 1 ? joinSql(conditions, ' or ') : sqlTag`(${joinSql(conditions, ' or ')})`
  })
}

/** Returns true if many rows share related rows, which are then read once. A statement about a few rows needs few related rows. */
function areShared({ relationship }: ToManyPathOperand, left: SqlScope): boolean {
  return (
    left.mayRepeat && left.reads === 'allRows' && left.mapping.tableOf(relationship.target).tableRowSources.length === 1
  )
}

/** Returns true if the filter of `has` counts shared rows. Counts can be joined to a list, but not to a subselect that runs for each row. */
function countsSharedRows({ path, filter }: HasNode, left: SqlScope): boolean {
  if (filter === undefined || left.reads === 'someRows') return false
  const isPair = path.relationship.relatedResourceCanBeShared
  return findCountOperands(filter).some(
    ({ path: { steps } }) => isPair || steps.some((step) => step.relationship.relatedResourceCanBeShared),
  )
}

/** Compares the key of the left row with a list: the keys of all rows that have such related rows. */
function isAmongSources(path: ToManyPathOperand, filter: FilterNode | undefined, left: SqlScope): Sql {
  const right = listScope(path, left)
  const { junctionJoin, leftKey } = compileToManyJoin(left, path.relationship, right)
  const conditions = [...liveRowOfTypeConditions(right), ...relatedRowConditions(right, path, filter)]
  const sources = sqlTag`select ${joinSql(leftKey, ', ')} from ${compileTableAndJoins(right)}${junctionJoin}${whereClause(conditions)}`
  const isFound = sqlTag`coalesce(${toSqlTuple(qualifiedKeyColumns(left))} in (${sources}), false)`
  return sqlTag`(${joinSql([...sourceRowConditions(left, path), isFound], ' and ')})`
}

/** Creates a scope for the related rows of all source rows, which are read once. A many-to-many relationship repeats a row for each of its pairs. */
function listScope({ relationship }: ToManyPathOperand, left: SqlScope): SqlScope {
  return {
    ...innerSqlScope(left, relationship.target),
    mayRepeat: relationship.relatedResourceCanBeShared,
    runsOnce: true,
  }
}

/** Joins a table that counts the related rows for each key. Returns `undefined` if nothing can be joined here. */
function joinCounts(path: ToManyPathOperand, left: SqlScope): Sql | undefined {
  const { joins, joinedTables } = left
  if (!left.runsOnce || joinedTables === undefined || wouldExceedJoinLimit(joins, 1)) return undefined
  const right = listScope(path, left)
  const { junctionJoin, leftKey } = compileToManyJoin(left, path.relationship, right)
  const where = whereClause([...liveRowOfTypeConditions(right), ...relatedRowConditions(right, path, undefined)])
  const key = joinSql(leftKey, ', ')
  const alias = left.nextAlias()
  const aliasedKey = leftKey.map((column, index) => sqlTag`${column} as ${rawSql(`key${index}`)}`)
  const isOfLeft = compileKeyColumnsEqual(
    leftKey.map((_, index) => rawSql(`${alias}.key${index}`)),
    qualifiedKeyColumns(left),
  )
  joins.texts.push(() => {
    const counts = sqlTag`select ${joinSql(aliasedKey, ', ')}, count(*) as n0 from ${compileTableAndJoins(right)}${junctionJoin}${where} group by ${key}`
    return sqlTag`left join (${counts}) ${rawSql(alias)} on ${isOfLeft}`
  })
  const counted = sqlTag`coalesce(${rawSql(`${alias}.n0`)}, 0)`
  const conditions = sourceRowConditions(left, path)
  return conditions.length === 0
    ? counted
    : sqlTag`case when ${joinSql(conditions, ' and ')} then ${counted} else 0 end`
}

/** The limit for semi-joins: PostgreSQL plans ten joins in milliseconds, but sixty in seconds. */
const MAX_SEMI_JOINS = 6

/** Compiles table, joins and conditions of the rows at the end of a to-many relationship, for each table that stores such rows. */
function relatedRows(path: ToManyPathOperand, filter: FilterNode | undefined, left: SqlScope): readonly Sql[] {
  const { mapping } = left
  const inner = innerSqlScope(left, path.relationship.target)
  const right: SqlScope = { ...inner, mayRepeat: left.mayRepeat || path.relationship.relatedResourceCanBeShared }
  const join = compileToManyJoin(left, path.relationship, right)
  const outer = sourceRowConditions(left, path)
  const own = relatedRowConditions(right, path, filter)
  const { fromItem, tableRowSources } = right.table
  if (mapping.dialect.pushesPredicatesIntoUnions === 'inSubselects' && tableRowSources.length > 1 && own.length > 0) {
    const conditions = [...outer, ...liveRowOfTypeConditions(right), ...own]
    return [
      sqlTag`${compileTableAndJoins(right, unflattenedUnionFromItem(right, join))} where ${joinSql(conditions, ' and ')}`,
    ]
  }
  const { junctionJoin, condition } = join
  const conditions = [condition, ...outer, ...liveRowOfTypeConditions(right), ...own]
  // A nested subselect would need one text for each combination of tables.
  const isSplit = mapping.dialect.pushesPredicatesIntoUnions === 'nowhere' && left.depth === 0
  const sources = isSplit ? tableRowSources.map((table) => table.fromItem) : [fromItem]
  return sources.map(
    (source) => sqlTag`${compileTableAndJoins(right, source)}${junctionJoin} where ${joinSql(conditions, ' and ')}`,
  )
}

/** Restricts the source rows to those that can have the relationship. */
function sourceRowConditions(left: SqlScope, { type, only }: ToManyPathOperand): readonly Sql[] {
  return [...subtypeConditions(left, type), ...storedTypeConditions(left, only)]
}

function relatedRowConditions(right: SqlScope, { rule }: ToManyPathOperand, filter?: FilterNode): readonly Sql[] {
  const ofFilter = filter === undefined ? [] : [compileFilterSharingSubselects(filter, right)]
  return [...compileRuleCondition(right, rule, compileFilterSharingSubselects), ...ofFilter]
}

function compileIsType({ path, type, filter }: IsTypeNode, scope: SqlScope): Sql {
  const end = leftJoinedSqlScope(scope, path, compileFilter)
  const exists = sqlTag`(${qualifiedFirstKeyColumn(end)} is not null)`
  const [condition = exists] = storedTypeConditions(end, type.concreteTypes)
  if (filter === undefined) return condition
  const narrowed = { ...end, type, shared: extendPathOfSharedSubselects(scope.shared, path) }
  return sqlTag`(${condition} and ${compileFilter(filter, narrowed)})`
}
