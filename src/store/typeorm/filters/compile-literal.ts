import type { ValueConstraints } from '../../../graph/model/value-type'
import type { Literal, NonLiteralOperand } from '../../../query/tree/ast'
import { valueConstraintsOfOperand } from '../../../query/tree/comparability'
import type { Param } from '../../../query/tree/param'
import type { Dialect } from '../dialects/dialect'
import type { SqlScope } from '../joins/scope'
import { toComparisonParameter } from '../mapping/convert-values'
import type { ColumnMapping } from '../mapping/database-mapping'
import { columnsOfAttributePath, toDatabaseKey } from '../mapping/keys'
import { paramSql } from '../sql/sql'
import { evaluateParamWhileCompiling, mapParam, type ParamOrComputedParam } from '../sql/sql-param'
import type { ComparedPair, HalfOpenSqlRange } from './compile-value-comparison'

/** Compiles the literal that an operand is compared with to parameters. An id has as many parts as the key. */
export function compileLiteralForOperand(
  operand: NonLiteralOperand,
  literal: Literal,
  { mapping }: SqlScope,
): readonly Pick<ComparedPair, 'other' | 'literalValue' | 'span'>[] {
  const { dialect } = mapping
  if (operand.kind !== 'attributePath') {
    const constraints = valueConstraintsOfOperand(operand)
    const parameter = mapParam(literal.value, (plain) => toComparisonParameter(plain, constraints, dialect))
    return [toPart(parameter, constraints, dialect)]
  }
  const columns = columnsOfAttributePath(mapping, operand)
  const whole = valueConstraintsOfOperand(operand)
  const parts = columns.map(({ metadata }, index) => {
    const part = mapParam(literal.value, (plain) => toDatabaseKey(columns, plain)[index])
    // A transformer can return a value of another type.
    if (metadata.transformer !== undefined)
      return { other: paramSql(part), literalValue: evaluateParamWhileCompiling(part) }
    return toPart(part, whole.parts?.[index] ?? whole, dialect)
  })
  const [column] = columns
  if (parts.length > 1 || column?.hasSubMillisecondPrecision !== true || !(literal.value.value instanceof Date))
    return parts
  return parts.map((part) => ({ ...part, span: toMillisecondSpan(literal.value as Param<Date>, column) }))
}

function toPart(
  parameter: ParamOrComputedParam<unknown>,
  constraints: ValueConstraints,
  dialect: Dialect,
): Pick<ComparedPair, 'other' | 'literalValue'> {
  return {
    other: dialect.asComparand(paramSql(parameter), constraints),
    literalValue: evaluateParamWhileCompiling(parameter),
  }
}

/** Returns the range of values within one millisecond. Clients see moments with milliseconds, but the column is more precise. */
function toMillisecondSpan(moment: Param<Date>, { toDatabase }: ColumnMapping): HalfOpenSqlRange {
  // SQLite compares moments as text, and its column defaults lack milliseconds: `12:00:00` sorts before `12:00:00.000`.
  const least = mapParam(moment, (date) => withoutZeros(toDatabase(date)))
  const next = mapParam(moment, (date) => toDatabase(new Date(date.getTime() + 1)))
  return [paramSql(least), isLastStorableDate(moment.value) ? undefined : paramSql(next)]
}

function withoutZeros(moment: unknown): unknown {
  return typeof moment === 'string' ? moment.replace(/\.000$/, '') : moment
}

/** Returns true for the last millisecond that every database can store. */
export function isLastStorableDate(moment: Date): boolean {
  return new Date(moment.getTime() + 1).getUTCFullYear() > LAST_YEAR
}

const LAST_YEAR = 9999
