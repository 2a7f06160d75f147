import { identifier, join, type Sql, toSql } from './sql'

/** What a column of a derived table of one row is called. */
export function derivedColumnName(place: number): string {
  return `n${place}`
}

/** `(select count(*) …) as n0, exists (…) as n1` */
export function listDerivedColumns(columns: readonly Sql[]): Sql {
  return join(
    columns.map((column, place) => toSql`${column} as ${identifier(derivedColumnName(place))}`),
    ', ',
  )
}
