import type { AttributeType } from '../../../graph/model/value-type'
import type { Literal, Operand } from '../../../query/tree/ast'
import { rangeOf } from '../../../query/tree/comparability'
import type { Dialect } from '../dialects/dialect'
import { toParameter } from '../mapping/convert-values'
import { bindKey, columnsOfPath } from '../mapping/keys'
import type { ColumnMapping } from '../mapping/mapping'
import { originalValue, type PlanParameter, planParameter } from '../sql/plan-parameter'
import { value } from '../sql/sql'
import type { ComparedPair, ValueSpan } from './compare-values'
import type { SqlScope } from './scope'

/** What an operand is compared with, as parameters. An id has as many parts as the key. */
export function compileComparand(
  operand: Operand,
  literal: Literal,
  { mapping }: SqlScope,
): readonly Pick<ComparedPair, 'other' | 'literalValue' | 'span'>[] {
  const { dialect } = mapping
  if (operand.kind !== 'attributePath') {
    const range = rangeOf(operand)
    const only = planParameter(literal, (node) => toParameter(node.value, range, dialect))
    return [toPart(only, range.valueType, dialect)]
  }
  const columns = columnsOfPath(mapping, operand)
  const whole = rangeOf(operand)
  const parts = columns.map(({ metadata }, place) => {
    const part = planParameter(literal, (node) => bindKey(columns, node.value)[place])
    // What a transformer makes of a value need not be of its type.
    if (metadata.transformer !== undefined) return { other: value(part), literalValue: originalValue(part) }
    return toPart(part, (whole.parts?.[place] ?? whole).valueType, dialect)
  })
  const [column] = columns
  if (parts.length > 1 || column?.hasSubMillisecondPrecision !== true || !(literal.value instanceof Date)) return parts
  return parts.map((part) => ({ ...part, span: toMillisecondSpan(literal, column) }))
}

function toPart(
  parameter: PlanParameter<unknown>,
  valueType: AttributeType,
  dialect: Dialect,
): Pick<ComparedPair, 'other' | 'literalValue'> {
  return { other: dialect.asComparand(value(parameter), valueType), literalValue: originalValue(parameter) }
}

/** All that a column may hold for one millisecond, which is what clients see of it. */
function toMillisecondSpan(literal: Literal, { toDatabase }: ColumnMapping): ValueSpan {
  const momentOf = ({ value: held }: Literal) => held as Date
  // SQLite keeps text, and the defaults of its columns have no milliseconds: they come before those that have.
  const least = planParameter(literal, (node) => withoutZeros(toDatabase(momentOf(node))))
  const next = planParameter(literal, (node) => toDatabase(new Date(momentOf(node).getTime() + 1)))
  return [value(least), isLastMoment(momentOf(literal)) ? undefined : value(next)]
}

function withoutZeros(moment: unknown): unknown {
  return typeof moment === 'string' ? moment.replace(/\.000$/, '') : moment
}

/** Behind it there is no moment that every database can hold. */
export function isLastMoment(moment: Date): boolean {
  return new Date(moment.getTime() + 1).getUTCFullYear() > LAST_YEAR
}

const LAST_YEAR = 9999
