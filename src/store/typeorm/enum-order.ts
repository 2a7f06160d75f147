import type { ValueRange } from '../../graph/value-type'
import { identifier, join, type Sql, toSql, value } from './sql'

// The values of an enum come one after the other as they are declared. Databases keep that order, or sort them as text, or do one here
// and the other there.

export type OrderOperator = '>' | '<' | '>=' | '<='

/** The place of a value in the declaration; null for null. */
export function enumPlace(expression: Sql, { enumValues = [] }: ValueRange): Sql {
  const places = enumValues.map((each, place) => {
    return toSql`when ${value(String(each))} then ${identifier(String(place))}`
  })
  return places.length === 0 ? expression : toSql`case ${expression} ${join(places, ' ')} end`
}

/** The values on one side of one of them. */
export function enumSide(operator: OrderOperator, of: string, { enumValues = [] }: ValueRange): readonly string[] {
  const all = enumValues.map(String)
  const place = all.indexOf(of)
  const side = operator.startsWith('>') ? all.slice(place + 1) : all.slice(0, place)
  return operator.endsWith('=') ? [of, ...side] : side
}
