import type { Dialect } from './dialect'
import type { ColumnMapping, Key } from './mapping'
import { convert, type Parameter } from './parameter'
import { join, type Sql, toSql, value } from './sql'

/** The columns of a key, or of one that refers to it: as many, in the same order. */
export type KeySql = readonly Sql[]

/** `"id" = ?`, `("a" = ? and "b" = ?)` */
export function isKey(columns: KeySql, key: Parameter<Key>): Sql {
  return areSame(
    columns,
    columns.map((_, place) => partOf(key, place)),
  )
}

/** `"id" <> ?`, `not ("a" = ? and "b" = ?)`; of columns that are never null. */
export function isOtherKey(columns: KeySql, key: Key): Sql {
  const [column, ...others] = columns
  if (column === undefined || others.length > 0) return toSql`not ${isKey(columns, key)}`
  return toSql`${column} <> ${value(key[0])}`
}

/** `"id" = "other_id"`, `("a" = "other_a" and "b" = "other_b")` */
export function areSame(lefts: KeySql, rights: KeySql): Sql {
  const pairs = lefts.map((left, place) => toSql`${left} = ${rights[place] ?? value(null)}`)
  return pairs.length === 1 ? join(pairs, ' and ') : toSql`(${join(pairs, ' and ')})`
}

/** Exactly this key, whatever the collations of its columns. */
export function isExactlyKey(
  columns: KeySql,
  key: Parameter<Key>,
  of: readonly ColumnMapping[],
  dialect: Dialect,
): readonly Sql[] {
  return columns.map((column, place) => {
    const part = partOf(key, place)
    return of[place]?.comparedAs === 'text' ? dialect.textEquals(column, part) : toSql`${column} = ${part}`
  })
}

/** One of these keys. `of`: the columns of the key itself, by which they are compared. */
export function isAmongKeys(
  columns: KeySql,
  keys: Parameter<readonly Key[]>,
  of: readonly ColumnMapping[],
  dialect: Dialect,
): Sql {
  const [column, ...others] = columns
  const [type] = of
  if (column !== undefined && type !== undefined && others.length === 0) {
    const values = convert(keys, (all) => all.map(([only]) => only))
    return dialect.isAmong(column, values, type)
  }
  const parts = columns.flatMap((expression, place) => {
    const part = of[place]
    return part === undefined ? [] : [{ expression, ...part }]
  })
  return dialect.areAmong(parts, keys)
}

/** `"id"`, `("a", "b")`: to be compared with rows of a select. */
export function asRow(columns: KeySql): Sql {
  const list = join(columns, ', ')
  return columns.length === 1 ? list : toSql`(${list})`
}

function partOf(key: Parameter<Key>, place: number): Sql {
  return value(convert(key, (parts) => parts[place]))
}
