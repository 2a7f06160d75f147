import type { Dialect } from '../dialects/dialect'
import type { ColumnMapping, Key } from '../mapping/database-mapping'
import { boundConstantSql, joinSql, paramSql, type Sql, sqlTag } from '../sql/sql'
import { mapParam, type ParamOrComputedParam } from '../sql/sql-param'

/** The columns of a key or of a foreign key, in the order of the key. */
export type KeyColumnsSql = readonly Sql[]

/** `"id" = ?`, `("a" = ? and "b" = ?)` */
export function compileKeyEqualsValue(columns: KeyColumnsSql, key: ParamOrComputedParam<Key>): Sql {
  return compileKeyColumnsEqual(
    columns,
    columns.map((_, index) => partOf(key, index)),
  )
}

/** `"id" <> ?`, `not ("a" = ? and "b" = ?)`; only for columns that are never null. */
export function compileKeyNotEqualsValue(columns: KeyColumnsSql, key: ParamOrComputedParam<Key>): Sql {
  const [column, ...rest] = columns
  if (column === undefined || rest.length > 0) return sqlTag`not ${compileKeyEqualsValue(columns, key)}`
  return sqlTag`${column} <> ${partOf(key, 0)}`
}

/** `"id" = "other_id"`, `("a" = "other_a" and "b" = "other_b")` */
export function compileKeyColumnsEqual(leftKey: KeyColumnsSql, rightKey: KeyColumnsSql): Sql {
  const conditions = leftKey.map((left, index) => sqlTag`${left} = ${rightKey[index] ?? boundConstantSql(null)}`)
  return conditions.length === 1 ? joinSql(conditions, ' and ') : sqlTag`(${joinSql(conditions, ' and ')})`
}

/** Compares with a key exactly, whatever the collations of its columns are. */
export function compileKeyEqualsValueExactly(
  columns: KeyColumnsSql,
  key: ParamOrComputedParam<Key>,
  keyMapping: readonly ColumnMapping[],
  dialect: Dialect,
): readonly Sql[] {
  return columns.map((column, index) => {
    const part = partOf(key, index)
    return keyMapping[index]?.comparedAs === 'text' ? dialect.textEquals(column, part) : sqlTag`${column} = ${part}`
  })
}

/** Compares with a list of keys. `keyMapping`: the columns of the primary key, which determine the types. */
export function compileKeyInList(
  columns: KeyColumnsSql,
  keys: ParamOrComputedParam<readonly Key[]>,
  keyMapping: readonly ColumnMapping[],
  dialect: Dialect,
): Sql {
  const [column, ...rest] = columns
  const [type] = keyMapping
  if (column !== undefined && type !== undefined && rest.length === 0) {
    const values = mapParam(keys, (all) => all.map((key) => key[0]))
    return dialect.inList(column, values, type)
  }
  const parts = columns.flatMap((expression, index) => {
    const part = keyMapping[index]
    return part === undefined ? [] : [{ expression, ...part }]
  })
  return dialect.keyInList(parts, keys)
}

/** `"id"`, `("a", "b")`: for comparison with the rows of a select. */
export function toSqlTuple(columns: KeyColumnsSql): Sql {
  const list = joinSql(columns, ', ')
  return columns.length === 1 ? list : sqlTag`(${list})`
}

function partOf(key: ParamOrComputedParam<Key>, index: number): Sql {
  return paramSql(mapParam(key, (parts) => parts[index]))
}
