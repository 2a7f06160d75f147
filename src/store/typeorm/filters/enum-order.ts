import type { ValueConstraints } from '../../../graph/model/value-type'
import { FALSE } from '../joins/scope'
import { bindConstant, join, rawSql, type Sql, sqlTag } from '../sql/sql'

// Enums are sorted by declaration. Databases sort them by declaration, as text, or differently by context.

export type OrderOperator = '>' | '<' | '>=' | '<='

/** The place of a value in the declaration; null for null. */
export function compileEnumIndex(expression: Sql, { enumValues = [] }: ValueConstraints): Sql {
  const places = enumValues.map((each, place) => {
    return sqlTag`when ${bindConstant(String(each))} then ${rawSql(String(place))}`
  })
  return places.length === 0 ? expression : sqlTag`case ${expression} ${join(places, ' ')} end`
}

/** Compares by a list of the values on one side, which an index can look up. */
export function compareByEnumOrder(expression: Sql, operator: OrderOperator, of: string, range: ValueConstraints): Sql {
  const side = enumValuesOnSide(operator, of, range).map((each) => bindConstant(each))
  return side.length === 0 ? FALSE : sqlTag`(${expression} in (${join(side, ', ')}))`
}

function enumValuesOnSide(
  operator: OrderOperator,
  of: string,
  { enumValues = [] }: ValueConstraints,
): readonly string[] {
  const all = enumValues.map(String)
  const index = all.indexOf(of)
  const side = operator.startsWith('>') ? all.slice(index + 1) : all.slice(0, index)
  return operator.endsWith('=') ? [of, ...side] : side
}
