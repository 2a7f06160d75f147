import { assertNever } from '../../errors/invariant'
import type {
  AnyOf,
  AttributePath,
  Comparison,
  Count,
  Filter,
  Has,
  IsType,
  Operand,
  TextMatch,
  ToManyPath,
} from '../../query/ast'
import { rangeOf } from '../../query/comparability'
import { type ComparedPart, compareParts, compareWithEach } from './compare-parts'
import { compileCall } from './compile-call'
import { compileGiven } from './compile-given'
import { followHops, linkToMany, type ManyLink, ruleCondition } from './hops'
import type { KeySql } from './key-sql'
import { columnsAt } from './keys'
import type { Source } from './mapping'
import { given } from './parameter'
import {
  branchCondition,
  columnIn,
  FALSE,
  firstOfKey,
  fromClause,
  innerScope,
  narrowScope,
  onlyCondition,
  presence,
  type Scope,
  storedAs,
  TRUE,
} from './scope'
import { sharedBehind, sharedColumn, shareSubselects } from './shared-subselects'
import { join, joinMany, NOTHING, type Sql, toSql, value } from './sql'

/** A whole condition on the rows of a scope: what is looked up for several of its terms is looked up once. */
export function compileCondition(filter: Filter, scope: Scope): Sql {
  return shareSubselects(filter, scope, compileFilter) ?? compileFilter(filter, scope)
}

/** A filter as a condition on the rows of a scope; joins that it needs are put into the scope. */
export function compileFilter(filter: Filter, scope: Scope): Sql {
  switch (filter.kind) {
    case 'constant':
      return filter.value ? TRUE : FALSE
    case 'comparison':
      return compileComparison(filter, scope)
    case 'isNull':
      return toSql`(${compileOperand(filter.left, scope)} is null)`
    case 'hasNone':
      return toSql`(${firstOfKey(followHops(scope, filter.path.hops, compileFilter))} is null)`
    case 'textMatch':
      return compileTextMatch(filter, scope)
    case 'anyOf':
      return compileAnyOf(filter, scope)
    case 'logical':
      return toSql`(${joinMany(
        filter.terms.map((term) => compileFilter(term, scope)),
        filter.operator === 'and' ? ' and ' : ' or ',
      )})`
    // A comparison with a null column is unknown, and `not unknown` is unknown still: count unknown as false first.
    case 'not':
      return toSql`not ${certain(filter.term, scope)}`
    case 'has':
      return compileHas(filter, scope)
    case 'isType':
      return compileIsType(filter, scope)
    case 'isExactly':
      return storedAs(scope, filter.types) ?? TRUE
    case 'functionCall':
      return compileCall(filter, scope, compileOperand)
    default:
      return assertNever(filter)
  }
}

/** An attribute, also over to-one relationships; null where the path breaks. An id has as many columns as the key. */
export function compileAttribute(path: AttributePath, scope: Scope): KeySql {
  const end = followHops(scope, path.hops, compileFilter)
  const columns = columnsAt(scope.mapping, path).map((column) => columnIn(end, column))
  const [condition] = onlyCondition(end, path.only)
  return condition === undefined ? columns : columns.map((column) => toSql`case when ${condition} then ${column} end`)
}

/** How many related rows there are; 0 where the path breaks. */
export function compileCount(count: Count, scope: Scope): Sql {
  return sharedColumn(count, scope, () => {
    const counts = relatedRows(count.path, undefined, scope).map((rows) => toSql`(select count(*) from ${rows})`)
    return counts.length === 1 ? join(counts, ' + ') : toSql`(${join(counts, ' + ')})`
  })
}

function compileComparison({ operator, left, right }: Comparison, scope: Scope): Sql {
  if (left.kind === 'truth' && right.kind === 'literal') {
    return (right.value === true) === (operator === 'equals')
      ? certain(left.filter, scope)
      : toSql`not ${certain(left.filter, scope)}`
  }
  const others =
    right.kind === 'literal' ? compileGiven(left, right, scope) : compileParts(right, scope).map((other) => ({ other }))
  return compareParts(operator, pair(left, compileParts(left, scope), others), scope.mapping.dialect)
}

function pair(left: Operand, ones: KeySql, others: readonly Partial<ComparedPart>[]): readonly ComparedPart[] {
  const range = rangeOf(left)
  return ones.map((one, place) => ({ one, other: NOTHING, ...others[place], range: range.parts?.[place] ?? range }))
}

function compileParts(operand: Operand, scope: Scope): KeySql {
  return operand.kind === 'attributePath' ? compileAttribute(operand, scope) : [compileOperand(operand, scope)]
}

/** Of an id with several columns the first: all or none of them are null. */
function compileOperand(operand: Operand, scope: Scope): Sql {
  switch (operand.kind) {
    case 'attributePath':
      return compileAttribute(operand, scope)[0] ?? NOTHING
    case 'count':
      return compileCount(operand, scope)
    case 'truth':
      return certain(operand.filter, scope)
    case 'functionCall':
      return compileCall(operand, scope, compileOperand)
    default:
      return assertNever(operand)
  }
}

function certain(filter: Filter, scope: Scope): Sql {
  return toSql`coalesce(${compileFilter(filter, scope)}, false)`
}

function compileTextMatch(match: TextMatch, scope: Scope): Sql {
  const { operator, left } = match
  const column = compileOperand(left, scope)
  const text = value(given(match, (node) => node.text))
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

function compileAnyOf({ left, values }: AnyOf, scope: Scope): Sql {
  if (left.kind === 'truth') {
    const each = values.map((right) =>
      compileComparison({ kind: 'comparison', operator: 'equals', left, right }, scope),
    )
    return toSql`(${joinMany(each, ' or ')})`
  }
  const ones = compileParts(left, scope)
  const comparisons = values.map((right) => pair(left, ones, compileGiven(left, right, scope)))
  return compareWithEach(comparisons, scope.mapping.dialect)
}

function compileHas(has: Has, scope: Scope): Sql {
  return sharedColumn(has, scope, () => {
    const { dialect } = scope.mapping
    const exists = scope.nextHas() > MOST_JOINED ? dialect.existsForEach : dialect.exists
    const each = relatedRows(has.path, has.filter, scope).map((rows) => exists(toSql`select 1 from ${rows}`))
    return each.length === 1 ? join(each, ' or ') : toSql`(${join(each, ' or ')})`
  })
}

/** PostgreSQL plans ten joins in some milliseconds, sixty in seconds. */
const MOST_JOINED = 6

/** Table, joins and conditions of the rows at the end of a to-many path: of each table that they lie in. */
function relatedRows(path: ToManyPath, filter: Filter | undefined, scope: Scope): readonly Sql[] {
  const left = followHops(scope, path.hops, compileFilter)
  const right = innerScope(left, path.relationship.target)
  const link = linkToMany(left, path.relationship, right)
  const outer = [...branchCondition(left, path.type), ...onlyCondition(left, path.only)]
  const asked = [
    ...ruleCondition(right, path.rule, compileCondition),
    ...(filter === undefined ? [] : [compileCondition(filter, right)]),
  ]
  const { source, branches } = right.table
  if (scope.mapping.dialect.looksIntoUnions === 'inSubselects' && branches.length > 1 && asked.length > 0) {
    const conditions = [...outer, ...presence(right), ...asked]
    return [toSql`${fromClause(right, linkedFirst(right, link))} where ${join(conditions, ' and ')}`]
  }
  const { pairs, condition } = link
  const conditions = [condition, ...outer, ...presence(right), ...asked]
  // Of what stands within others it would be one text for each way through the tables.
  const isSplit = scope.mapping.dialect.looksIntoUnions === 'nowhere' && scope.depth === 0
  const sources = isSplit ? branches.map((each) => each.source) : [source]
  return sources.map((each) => toSql`${fromClause(right, each)}${pairs} where ${join(conditions, ' and ')}`)
}

/**
 * The rows of united tables that belong to one at the left. SQLite makes a select of each table, and repeats in each what stands around them:
 * a subselect within a subselect within another one as often as there are tables, to the power of how deep it is. The limit keeps it from that.
 */
function linkedFirst({ alias, table }: Scope, { condition, pairs }: ManyLink): Source {
  return (asked) =>
    `(select ${alias}.* from ${table.source(asked)} ${alias}${pairs.text} where ${condition.text} limit -1)`
}

function compileIsType({ path, type, filter }: IsType, scope: Scope): Sql {
  const end = followHops(scope, path, compileFilter)
  const condition = storedAs(end, type.concreteTypes) ?? toSql`(${firstOfKey(end)} is not null)`
  if (filter === undefined) return condition
  const within = { ...narrowScope(end, type), shared: sharedBehind(scope.shared, path) }
  return toSql`(${condition} and ${compileFilter(filter, within)})`
}
