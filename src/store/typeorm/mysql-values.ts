/**
 * Values for a driver that writes them into the text of a statement, as `mysql2` and `mysql` do. They escape with backslashes, which end no text
 * where `sql_mode` has `NO_BACKSLASH_ESCAPES`. A text that needs no escape stays as it is, others are literals that are right in every mode.
 */
export function toMysqlValues(values: readonly unknown[]): unknown[] {
  return values.map(toMysqlValue)
}

function toMysqlValue(value: unknown): unknown {
  if (typeof value === 'string') return ESCAPED.test(value) ? new Literal(value) : value
  return Array.isArray(value) ? toMysqlValues(value) : value
}

/** What these drivers would put a backslash before. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are escaped, too
const ESCAPED = /[\0\b\t\n\r\x1a"'\\]/

/** A text, for loggers and subscribers too. The drivers ask an object with this method for its SQL. */
class Literal extends String {
  toSqlString(): string {
    const text = this.valueOf()
    if (!text.includes('\\')) return `'${text.replaceAll("'", "''")}'`
    return `_utf8mb4 x'${Buffer.from(text).toString('hex')}'`
  }
}
