import type { SqlPart } from '../../graph/query-function'
import { ownValue, type Parameter } from './parameter'

/** Text without user input; values travel beside it. Only `toSql`, `identifier`, `value`, `join` and `joinMany` make one. */
export interface Sql extends SqlPart {
  /** With a NUL where each value belongs: no identifier can hold one. */
  readonly text: string
  readonly values: readonly Parameter<unknown>[]
}

/**
 * Puts parts of SQL together.
 *
 * toSql`(${identifier('"title"')} = ${value("O'Hara")})` -> `("title" = ?)` with the value `O'Hara`
 */
export function toSql(strings: TemplateStringsArray, ...parts: readonly Sql[]): Sql {
  let text = strings[0] ?? ''
  const values: Parameter<unknown>[] = []
  parts.forEach((part, index) => {
    text += part.text + (strings[index + 1] ?? '')
    values.push(...part.values)
  })
  return make(text, values)
}

/** A name that the dialect has quoted already. */
export function identifier(quoted: string): Sql {
  return make(quoted, [])
}

export function value(parameter: Parameter<unknown>): Sql {
  return make(PLACE, [parameter])
}

export function join(parts: readonly Sql[], separator: ', ' | ' and ' | ' or ' | ' ' | ' + ' | ' union all '): Sql {
  return make(
    parts.map((part) => part.text).join(separator),
    parts.flatMap((part) => part.values),
  )
}

/**
 * Conditions of which there may be hundreds, in groups. A list without them counts as an expression as deep as it is long, and SQLite
 * takes one that is 1000 deep, of all that a statement consists of.
 */
export function joinMany(conditions: readonly Sql[], separator: ' and ' | ' or '): Sql {
  if (conditions.length <= OF_A_GROUP) return join(conditions, separator)
  const groups = Array.from({ length: Math.ceil(conditions.length / OF_A_GROUP) }, (_, nth) =>
    conditions.slice(nth * OF_A_GROUP, (nth + 1) * OF_A_GROUP),
  )
  return joinMany(
    groups.map((group) => toSql`(${join(group, separator)})`),
    separator,
  )
}

const OF_A_GROUP = 50

/** The same text with other values, as many. */
export function withOtherValues({ text }: Sql, values: readonly Parameter<unknown>[]): Sql {
  return make(text, values)
}

export const NOTHING: Sql = make('', [])

/** As a driver takes it. */
export interface Statement {
  /** Each value's place written as the dialect writes it. */
  readonly text: string
  readonly values: unknown[]
}

export function printSql({ text, values }: Sql, dialect: Placing): Statement {
  return { text: printText(text, dialect), values: values.map(ownValue) }
}

export function printText(text: string, { placeholder }: Placing): string {
  return text.split(PLACE).reduce((printed, piece, index) => printed + placeholder(index - 1) + piece)
}

/** How a dialect writes the place of the value with this index, from 0. */
interface Placing {
  placeholder(index: number): string
}

const PLACE = '\0'

function make(text: string, values: readonly Parameter<unknown>[]): Sql {
  return { text, values } as Sql
}
