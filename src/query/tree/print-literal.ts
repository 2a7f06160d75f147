import { encodeId } from '../../graph/model/record-id'
import type { ValueConstraints } from '../../graph/model/value-type'
import type { Literal } from './ast'

/** Prints a value as the query language writes it: `O'Hara` -> `'O''Hara'`, dates in ISO 8601. */
export function printLiteral(value: unknown): string {
  const text = value instanceof Date ? value.toISOString() : String(value)
  return `'${text.replaceAll("'", "''")}'`
}

/** Prints a literal that is compared with values of this range: of a coded key, the id. The reverse of `parseLiteral`. */
export function printLiteralOf({ value: { value } }: Literal, range: ValueConstraints): string {
  return printLiteral(range.codec === undefined ? value : encodeId(value, range))
}
