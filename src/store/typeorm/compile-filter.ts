import { assertNever } from '../../errors/invariant'
import type { ValueType } from '../../graph/value-type'
import type {
  AnyOf,
  AttributePath,
  Comparison,
  ComparisonOperator,
  Count,
  Filter,
  Has,
  IsType,
  Literal,
  Operand,
  TextMatch,
  ToManyPath,
} from '../../query/ast'
import { rangeOf } from '../../query/comparability'
import { compileCall } from './compile-call'
import { toParameter } from './convert-values'
import {
  branchCondition,
  columnOf,
  directLink,
  FALSE,
  followHops,
  fromClause,
  idColumn,
  innerScope,
  narrowScope,
  onlyCondition,
  presence,
  qualified,
  ruleCondition,
  type Scope,
  storedAs,
  TRUE,
} from './scope'
import { identifier, join, type Sql, toSql, value } from './sql'

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
      return toSql`(${idColumn(followHops(scope, filter.path.hops, compileFilter))} is null)`
    case 'textMatch':
      return compileTextMatch(filter, scope)
    case 'anyOf':
      return compileAnyOf(filter, scope)
    case 'logical':
      return toSql`(${join(
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

/** An attribute, also over to-one relationships; null where the path breaks. */
export function compileAttribute(path: AttributePath, scope: Scope): Sql {
  const end = followHops(scope, path.hops, compileFilter)
  const column = qualified(end, columnOf(narrowScope(end, path.type), path.attribute).column)
  const [condition] = onlyCondition(end, path.only)
  return condition === undefined ? column : toSql`case when ${condition} then ${column} end`
}

/** How many related rows there are; 0 where the path breaks. */
export function compileCount({ path }: Count, scope: Scope): Sql {
  return toSql`(select count(*) from ${relatedRows(path, undefined, scope)})`
}

function compileComparison({ operator, left, right }: Comparison, scope: Scope): Sql {
  if (left.kind === 'truth' && right.kind === 'literal') {
    return (right.value === true) === (operator === 'equals')
      ? certain(left.filter, scope)
      : toSql`not ${certain(left.filter, scope)}`
  }
  const one = compileOperand(left, scope)
  const other = right.kind === 'literal' ? literalFor(left, right, scope) : compileOperand(right, scope)
  if (operator === 'equals' && isText(left)) return scope.mapping.dialect.textEquals(one, other)
  return toSql`(${one} ${OPERATORS[operator]} ${other})`
}

const OPERATORS: Record<ComparisonOperator, Sql> = {
  equals: identifier('='),
  lessThan: identifier('<'),
  lessOrEqual: identifier('<='),
  greaterThan: identifier('>'),
  greaterOrEqual: identifier('>='),
}

function compileOperand(operand: Operand, scope: Scope): Sql {
  switch (operand.kind) {
    case 'attributePath':
      return compileAttribute(operand, scope)
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

function literalFor(operand: Operand, literal: Literal, scope: Scope): Sql {
  if (operand.kind !== 'attributePath')
    return value(toParameter(literal.value, rangeOf(operand), scope.mapping.dialect))
  return value(scope.mapping.columnOf(operand.type, operand.attribute).toDatabase(literal.value))
}

const TEXTUAL: ReadonlySet<ValueType> = new Set<ValueType>(['string', 'enum', 'uuid'])

function isText(operand: Operand): boolean {
  return TEXTUAL.has(rangeOf(operand).valueType)
}

function compileTextMatch({ operator, left, text }: TextMatch, scope: Scope): Sql {
  const column = compileOperand(left, scope)
  const { dialect } = scope.mapping
  switch (operator) {
    case 'contains':
      return dialect.contains(column, value(text))
    case 'startsWith':
      return dialect.startsWith(column, value(text))
    case 'endsWith':
      return dialect.endsWith(column, value(text))
    default:
      return assertNever(operator)
  }
}

function compileAnyOf({ left, values }: AnyOf, scope: Scope): Sql {
  const equals = values.map((right) =>
    compileComparison({ kind: 'comparison', operator: 'equals', left, right }, scope),
  )
  return toSql`(${join(equals, ' or ')})`
}

function compileHas({ path, filter }: Has, scope: Scope): Sql {
  return toSql`exists (select 1 from ${relatedRows(path, filter, scope)})`
}

/** Table, joins and conditions of the rows at the end of a to-many path. */
function relatedRows(path: ToManyPath, filter: Filter | undefined, scope: Scope): Sql {
  const left = followHops(scope, path.hops, compileFilter)
  const right = innerScope(left, path.relationship.target)
  const conditions = [
    directLink(left, path.relationship, right),
    ...branchCondition(left, path.type),
    ...onlyCondition(left, path.only),
    ...presence(right),
    ...ruleCondition(right, path.rule, compileFilter),
    ...(filter === undefined ? [] : [compileFilter(filter, right)]),
  ]
  return toSql`${fromClause(right)} where ${join(conditions, ' and ')}`
}

function compileIsType({ path, type, filter }: IsType, scope: Scope): Sql {
  const end = followHops(scope, path, compileFilter)
  const condition = storedAs(end, type.concreteTypes) ?? toSql`(${idColumn(end)} is not null)`
  if (filter === undefined) return condition
  return toSql`(${condition} and ${compileFilter(filter, narrowScope(end, type))})`
}
