/**
 * Converts texts for drivers that write values into the statement, as `mysql2` and `mysql` do. They escape with backslashes, which is unsafe if `sql_mode`
 * contains `NO_BACKSLASH_ESCAPES`. Texts that need escapes become literals that are safe in every mode.
 */
export function escapeTextsInMysqlParameters(values: unknown[]): unknown[] {
  // MySQL can compare two literals only if both have an explicit character set, or neither has.
  if (hasText(values, BACKSLASH)) return mapTexts(values, (text) => new HexLiteral(text))
  return hasText(values, ESCAPED) ? mapTexts(values, (text) => new QuotedLiteral(text)) : values
}

/** Characters that these drivers escape with a backslash. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the driver escapes control characters, so they have to be found
const ESCAPED = /[\0\b\t\n\r\x1a"'\\]/
const BACKSLASH = /\\/

function hasText(values: readonly unknown[], pattern: RegExp): boolean {
  return values.some((value) =>
    typeof value === 'string' ? pattern.test(value) : isList(value) && hasText(value, pattern),
  )
}

function mapTexts(values: readonly unknown[], toLiteral: (text: string) => SqlLiteral): unknown[] {
  return values.map((value) => {
    if (typeof value === 'string') return toLiteral(value)
    return isList(value) ? mapTexts(value, toLiteral) : value
  })
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

/** A text whose SQL literal the driver gets from `toSqlString`. Loggers and subscribers can use it as a string. */
abstract class SqlLiteral extends String {
  abstract toSqlString(): string
}

class QuotedLiteral extends SqlLiteral {
  toSqlString(): string {
    return `'${this.replaceAll("'", "''")}'`
  }
}

class HexLiteral extends SqlLiteral {
  toSqlString(): string {
    return `_utf8mb4 x'${Buffer.from(this.valueOf()).toString('hex')}'`
  }
}
