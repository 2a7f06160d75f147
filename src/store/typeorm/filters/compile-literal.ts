import type { AttributeType } from '../../../graph/model/value-type'
import type { Literal, Operand } from '../../../query/tree/ast'
import { constraintsOfOperand } from '../../../query/tree/comparability'
import type { Param } from '../../../query/tree/param'
import type { Dialect } from '../dialects/dialect'
import type { SqlScope } from '../joins/scope'
import { toDatabaseValue } from '../mapping/convert-values'
import { columnsOfPath, toDatabaseKey } from '../mapping/keys'
import type { ColumnMapping } from '../mapping/mapping'
import { value } from '../sql/sql'
import { mapParam, type SqlParam, valueOfFirstExecution } from '../sql/sql-param'
import type { ComparedPair, HalfOpenRange } from './compile-value-comparison'

/** What an operand is compared with, as parameters. An id has as many parts as the key. */
export function compileLiteral(
  operand: Operand,
  literal: Literal,
  { mapping }: SqlScope,
): readonly Pick<ComparedPair, 'other' | 'literalValue' | 'span'>[] {
  const { dialect } = mapping
  if (operand.kind !== 'attributePath') {
    const range = constraintsOfOperand(operand)
    const only = mapParam(literal.value, (plain) => toDatabaseValue(plain, range, dialect))
    return [toPart(only, range.valueType, dialect)]
  }
  const columns = columnsOfPath(mapping, operand)
  const whole = constraintsOfOperand(operand)
  const parts = columns.map(({ metadata }, place) => {
    const part = mapParam(literal.value, (plain) => toDatabaseKey(columns, plain)[place])
    // What a transformer makes of a value need not be of its type.
    if (metadata.transformer !== undefined) return { other: value(part), literalValue: valueOfFirstExecution(part) }
    return toPart(part, (whole.parts?.[place] ?? whole).valueType, dialect)
  })
  const [column] = columns
  if (parts.length > 1 || column?.hasSubMillisecondPrecision !== true || !(literal.value.value instanceof Date))
    return parts
  return parts.map((part) => ({ ...part, span: toMillisecondSpan(literal.value as Param<Date>, column) }))
}

function toPart(
  parameter: SqlParam<unknown>,
  valueType: AttributeType,
  dialect: Dialect,
): Pick<ComparedPair, 'other' | 'literalValue'> {
  return { other: dialect.asComparand(value(parameter), valueType), literalValue: valueOfFirstExecution(parameter) }
}

/** All that a column may hold for one millisecond, which is what clients see of it. */
function toMillisecondSpan(moment: Param<Date>, { toDatabase }: ColumnMapping): HalfOpenRange {
  // SQLite keeps text, and the defaults of its columns have no milliseconds: they come before those that have.
  const least = mapParam(moment, (date) => withoutZeros(toDatabase(date)))
  const next = mapParam(moment, (date) => toDatabase(new Date(date.getTime() + 1)))
  return [value(least), isLastStorableDate(moment.value) ? undefined : value(next)]
}

function withoutZeros(moment: unknown): unknown {
  return typeof moment === 'string' ? moment.replace(/\.000$/, '') : moment
}

/** Behind it there is no moment that every database can hold. */
export function isLastStorableDate(moment: Date): boolean {
  return new Date(moment.getTime() + 1).getUTCFullYear() > LAST_YEAR
}

const LAST_YEAR = 9999
