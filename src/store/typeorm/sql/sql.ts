import type { SqlFragment } from '../../../graph/model/filter-or-sort-function'
import { Param } from '../../../query/tree/param'
import { ComputedParam, evaluateParamWhileCompiling, type ParamOrComputedParam } from './sql-param'

/** SQL text without user input, with its values separate from it. Only the functions of this file create it. */
export interface Sql extends SqlFragment {
  /** Contains a NUL for each value, because no identifier can contain a NUL. */
  readonly text: string
  /** Parameters, and constants that are the same in each execution of the text. */
  readonly values: readonly unknown[]
}

/**
 * Joins parts of SQL to one text.
 *
 * sqlTag`(${rawSql('"title"')} = ${boundValueSql("O'Hara")})` -> `("title" = ?)` with the value `O'Hara`
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

/** Creates SQL from a text without escaping it: a quoted name, an operator or a number. */
export function rawSql(text: string): Sql {
  return createSql(text, [])
}

export function paramSql(source: ParamOrComputedParam<unknown>): Sql {
  return createSql(VALUE_MARKER, [source])
}

/** Binds a value of a write. */
export function boundValueSql(content: unknown): Sql {
  return paramSql(new Param(content))
}

/** Binds a value of the mapping or of the graph. Equal cache keys of statements must imply equal constants. */
export function boundConstantSql(constant: unknown): Sql {
  return createSql(VALUE_MARKER, [constant])
}

export function joinSql(parts: readonly Sql[], separator: ', ' | ' and ' | ' or ' | ' ' | ' + ' | ' union all '): Sql {
  return createSql(
    parts.map((part) => part.text).join(separator),
    parts.flatMap((part) => part.values),
  )
}

/** Joins hundreds of conditions in groups. Without groups the depth of the expression is the number of conditions, and SQLite limits it to 1000. */
export function joinConditionsInGroups(conditions: readonly Sql[], separator: ' and ' | ' or '): Sql {
  if (conditions.length <= GROUP_SIZE) return joinSql(conditions, separator)
  const groups = Array.from({ length: Math.ceil(conditions.length / GROUP_SIZE) }, (_, index) =>
    conditions.slice(index * GROUP_SIZE, (index + 1) * GROUP_SIZE),
  )
  return joinConditionsInGroups(
    groups.map((group) => sqlTag`(${joinSql(group, separator)})`),
    separator,
  )
}

const GROUP_SIZE = 50

export const EMPTY_SQL: Sql = createSql('', [])

/** A statement as the driver takes it. */
export interface Statement {
  /** SQL with the placeholders of the dialect. */
  readonly text: string
  readonly values: unknown[]
}

export function toSqlStatement({ text, values }: Sql, dialect: PlaceholderStyle): Statement {
  return {
    text: replaceMarkersInTextByPlaceholders(text, dialect),
    values: values.map((source) => (isParam(source) ? evaluateParamWhileCompiling(source) : source)),
  }
}

export function isParam(source: unknown): source is ParamOrComputedParam<unknown> {
  return source instanceof Param || source instanceof ComputedParam
}

/** Writes placeholders of the dialect for the marks of values in a text. */
export function replaceMarkersInTextByPlaceholders(text: string, { placeholder }: PlaceholderStyle): string {
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
export function toSelectListWithNumberedAliases(columns: readonly Sql[]): Sql {
  return joinSql(
    columns.map((column, index) => sqlTag`${column} as ${rawSql(derivedTableColumnName(index))}`),
    ', ',
  )
}
