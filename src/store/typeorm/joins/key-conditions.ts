import type { Dialect } from '../dialects/dialect'
import type { ColumnMapping, Key } from '../mapping/mapping'
import { bindConstant, join, type Sql, sqlTag, value } from '../sql/sql'
import { mapParam, type SqlParam } from '../sql/sql-param'

/** The columns of a key, or of one that refers to it: as many, in the same order. */
export type KeySql = readonly Sql[]

/** `"id" = ?`, `("a" = ? and "b" = ?)` */
export function keyEquals(columns: KeySql, key: SqlParam<Key>): Sql {
  return keyColumnsEqual(
    columns,
    columns.map((_, index) => partOf(key, index)),
  )
}

/** `"id" <> ?`, `not ("a" = ? and "b" = ?)`; of columns that are never null. */
export function keyDiffers(columns: KeySql, key: SqlParam<Key>): Sql {
  const [column, ...others] = columns
  if (column === undefined || others.length > 0) return sqlTag`not ${keyEquals(columns, key)}`
  return sqlTag`${column} <> ${partOf(key, 0)}`
}

/** `"id" = "other_id"`, `("a" = "other_a" and "b" = "other_b")` */
export function keyColumnsEqual(lefts: KeySql, rights: KeySql): Sql {
  const pairs = lefts.map((left, place) => sqlTag`${left} = ${rights[place] ?? bindConstant(null)}`)
  return pairs.length === 1 ? join(pairs, ' and ') : sqlTag`(${join(pairs, ' and ')})`
}

/** Exactly this key, whatever the collations of its columns. */
export function keyEqualsExactly(
  columns: KeySql,
  key: SqlParam<Key>,
  of: readonly ColumnMapping[],
  dialect: Dialect,
): readonly Sql[] {
  return columns.map((column, place) => {
    const part = partOf(key, place)
    return of[place]?.comparedAs === 'text' ? dialect.textEquals(column, part) : sqlTag`${column} = ${part}`
  })
}

/** One of these keys. `of`: the columns of the key itself, by which they are compared. */
export function keyInList(
  columns: KeySql,
  keys: SqlParam<readonly Key[]>,
  of: readonly ColumnMapping[],
  dialect: Dialect,
): Sql {
  const [column, ...others] = columns
  const [type] = of
  if (column !== undefined && type !== undefined && others.length === 0) {
    const values = mapParam(keys, (all) => all.map(([only]) => only))
    return dialect.inList(column, values, type)
  }
  const parts = columns.flatMap((expression, index) => {
    const part = of[index]
    return part === undefined ? [] : [{ expression, ...part }]
  })
  return dialect.keyInList(parts, keys)
}

/** `"id"`, `("a", "b")`: to be compared with rows of a select. */
export function asRowValue(columns: KeySql): Sql {
  const list = join(columns, ', ')
  return columns.length === 1 ? list : sqlTag`(${list})`
}

function partOf(key: SqlParam<Key>, index: number): Sql {
  return value(mapParam(key, (parts) => parts[index]))
}
