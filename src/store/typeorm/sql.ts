import type { SqlPart } from '../../graph/query-function'

/** Text without user input; values travel beside it. Only `toSql`, `identifier`, `value` and `join` make one. */
export interface Sql extends SqlPart {
  /** With a NUL where each value belongs: no identifier can hold one. */
  readonly text: string
  readonly values: readonly unknown[]
}

/**
 * Puts parts of SQL together.
 *
 * toSql`(${identifier('"title"')} = ${value("O'Hara")})` -> `("title" = ?)` with the value `O'Hara`
 */
export function toSql(strings: TemplateStringsArray, ...parts: readonly Sql[]): Sql {
  let text = strings[0] ?? ''
  const values: unknown[] = []
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

export function value(parameter: unknown): Sql {
  return make(PLACE, [parameter])
}

export function join(parts: readonly Sql[], separator: ', ' | ' and ' | ' or ' | ' ' | ' + ' | ' union all '): Sql {
  return make(
    parts.map((part) => part.text).join(separator),
    parts.flatMap((part) => part.values),
  )
}

export const NOTHING: Sql = make('', [])

/** The text that a driver takes: each value's place written as the dialect writes it. */
export function printSql(
  { text, values }: Sql,
  placeholder: (index: number) => string,
): [text: string, values: unknown[]] {
  const pieces = text.split(PLACE)
  return [pieces.reduce((printed, piece, index) => printed + placeholder(index - 1) + piece), [...values]]
}

const PLACE = '\0'

function make(text: string, values: readonly unknown[]): Sql {
  return { text, values } as Sql
}
