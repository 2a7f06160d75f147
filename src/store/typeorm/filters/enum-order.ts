import type { ValueConstraints } from '../../../graph/model/value-type'
import { SQL_FALSE } from '../joins/scope'
import { boundConstantSql, joinSql, rawSql, type Sql, sqlTag } from '../sql/sql'

// Enums are sorted by declaration. Databases sort them by declaration, as text, or differently by context.

export type SqlOrderComparisonOperator = '>' | '<' | '>=' | '<='

/** Compiles the index of a value in the declaration; null for null. */
export function compileEnumPosition(expression: Sql, { enumValues = [] }: ValueConstraints): Sql {
  const branches = enumValues.map((enumValue, index) => {
    return sqlTag`when ${boundConstantSql(String(enumValue))} then ${rawSql(String(index))}`
  })
  return branches.length === 0 ? expression : sqlTag`case ${expression} ${joinSql(branches, ' ')} end`
}

/** Compares with a list of the values on one side, for which the database can use an index. */
export function compileEnumOrderComparison(
  expression: Sql,
  operator: SqlOrderComparisonOperator,
  enumValue: string,
  constraints: ValueConstraints,
): Sql {
  const side = enumValuesOnSide(operator, enumValue, constraints).map(boundConstantSql)
  return side.length === 0 ? SQL_FALSE : sqlTag`(${expression} in (${joinSql(side, ', ')}))`
}

function enumValuesOnSide(
  operator: SqlOrderComparisonOperator,
  enumValue: string,
  { enumValues = [] }: ValueConstraints,
): readonly string[] {
  const all = enumValues.map(String)
  const index = all.indexOf(enumValue)
  const side = operator.startsWith('>') ? all.slice(index + 1) : all.slice(0, index)
  return operator.endsWith('=') ? [enumValue, ...side] : side
}
