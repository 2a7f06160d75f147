import type { SqlFragment } from '../../../graph/model/query-function'
import { Param } from '../../../query/tree/param'
import { ComputedParam, type SqlParam, valueOfFirstExecution } from './sql-param'

/** Text without user input; values travel beside it. Only the functions of this file make one. */
export interface Sql extends SqlFragment {
  /** A NUL marks the place of each value: no identifier can contain one. */
  readonly text: string
  /** Parameters; and constants, which are the same whenever the text is executed. */
  readonly values: readonly unknown[]
}

/**
 * Puts parts of SQL together.
 *
 * sqlTag`(${rawSql('"title"')} = ${bindValue("O'Hara")})` -> `("title" = ?)` with the value `O'Hara`
 */
export function sqlTag(strings: TemplateStringsArray, ...parts: readonly Sql[]): Sql {
  let text = strings[0] ?? ''
  const values: unknown[] = []
  parts.forEach((part, index) => {
    text += part.text + (strings[index + 1] ?? '')
    values.push(...part.values)
  })
  return createSql(text, values)
}

/** Makes SQL of a text as it is: a name that the dialect has quoted already, an operator, a number. */
export function rawSql(quoted: string): Sql {
  return createSql(quoted, [])
}

export function value(source: SqlParam<unknown>): Sql {
  return createSql(VALUE_MARKER, [source])
}

/** A value of a write, as a parameter of its own. */
export function bindValue(plain: unknown): Sql {
  return value(new Param(plain))
}

/** A value of the mapping or of the graph. The cache key of a statement has to determine it, as it does the text. */
export function bindConstant(plain: unknown): Sql {
  return createSql(VALUE_MARKER, [plain])
}

export function join(parts: readonly Sql[], separator: ', ' | ' and ' | ' or ' | ' ' | ' + ' | ' union all '): Sql {
  return createSql(
    parts.map((part) => part.text).join(separator),
    parts.flatMap((part) => part.values),
  )
}

/** Joins hundreds of conditions in groups. A list without groups is an expression as deep as it is long, and SQLite limits the depth to 1000. */
export function joinInGroups(conditions: readonly Sql[], separator: ' and ' | ' or '): Sql {
  if (conditions.length <= GROUP_SIZE) return join(conditions, separator)
  const groups = Array.from({ length: Math.ceil(conditions.length / GROUP_SIZE) }, (_, nth) =>
    conditions.slice(nth * GROUP_SIZE, (nth + 1) * GROUP_SIZE),
  )
  return joinInGroups(
    groups.map((group) => sqlTag`(${join(group, separator)})`),
    separator,
  )
}

const GROUP_SIZE = 50

export const EMPTY_SQL: Sql = createSql('', [])

/** A statement as the driver takes it. */
export interface Statement {
  /** Each value's place written as the dialect writes it. */
  readonly text: string
  readonly values: unknown[]
}

export function printSql({ text, values }: Sql, dialect: PlaceholderStyle): Statement {
  return {
    text: replaceValueMarkers(text, dialect),
    values: values.map((each) => (isParam(each) ? valueOfFirstExecution(each) : each)),
  }
}

export function isParam(each: unknown): each is SqlParam<unknown> {
  return each instanceof Param || each instanceof ComputedParam
}

/** Writes placeholders of the dialect for the marks of values in a text. */
export function replaceValueMarkers(text: string, { placeholder }: PlaceholderStyle): string {
  return text.split(VALUE_MARKER).reduce((printed, piece, index) => printed + placeholder(index - 1) + piece)
}

/** Prints the placeholder of the value with this index, from 0. */
interface PlaceholderStyle {
  placeholder(index: number): string
}

const VALUE_MARKER = '\0'

function createSql(text: string, values: readonly unknown[]): Sql {
  return { text, values } as Sql
}

/** Returns the name of a column of a derived table of one row. */
export function derivedTableColumnName(index: number): string {
  return `n${index}`
}

/** Returns the select list of a derived table: `(select count(*) …) as n0, exists (…) as n1` */
export function derivedTableSelectList(columns: readonly Sql[]): Sql {
  return join(
    columns.map((column, place) => sqlTag`${column} as ${rawSql(derivedTableColumnName(place))}`),
    ', ',
  )
}
