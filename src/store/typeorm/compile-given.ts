import type { ValueType } from '../../graph/value-type'
import type { Literal, Operand } from '../../query/ast'
import { rangeOf } from '../../query/comparability'
import type { ComparedPart, Span } from './compare-parts'
import { toParameter } from './convert-values'
import type { Dialect } from './dialect'
import { bindKey, columnsAt } from './keys'
import type { ColumnMapping } from './mapping'
import { type Given, given, ownValue } from './parameter'
import type { Scope } from './scope'
import { value } from './sql'

/** What an operand is compared with, as parameters. An id has as many parts as the key. */
export function compileGiven(
  operand: Operand,
  literal: Literal,
  { mapping }: Scope,
): readonly Pick<ComparedPart, 'other' | 'given' | 'span'>[] {
  const { dialect } = mapping
  if (operand.kind !== 'attributePath') {
    const range = rangeOf(operand)
    const only = given(literal, (node) => toParameter(node.value, range, dialect))
    return [toPart(only, range.valueType, dialect)]
  }
  const columns = columnsAt(mapping, operand)
  const whole = rangeOf(operand)
  const parts = columns.map(({ metadata }, place) => {
    const part = given(literal, (node) => bindKey(columns, node.value)[place])
    // What a transformer makes of a value need not be of its type.
    if (metadata.transformer !== undefined) return { other: value(part), given: ownValue(part) }
    return toPart(part, (whole.parts?.[place] ?? whole).valueType, dialect)
  })
  const [column] = columns
  if (parts.length > 1 || column?.isFiner !== true || !(literal.value instanceof Date)) return parts
  return parts.map((part) => ({ ...part, span: toSpan(literal, column) }))
}

function toPart(
  parameter: Given<unknown>,
  valueType: ValueType,
  dialect: Dialect,
): Pick<ComparedPart, 'other' | 'given'> {
  return { other: dialect.compared(value(parameter), valueType), given: ownValue(parameter) }
}

/** All that a column may hold for one millisecond, which is what clients see of it. */
function toSpan(literal: Literal, { toDatabase }: ColumnMapping): Span {
  const momentOf = ({ value: held }: Literal) => held as Date
  // SQLite keeps text, and the defaults of its columns have no milliseconds: they come before those that have.
  const least = given(literal, (node) => withoutZeros(toDatabase(momentOf(node))))
  const next = given(literal, (node) => toDatabase(new Date(momentOf(node).getTime() + 1)))
  return [value(least), isLast(momentOf(literal)) ? undefined : value(next)]
}

function withoutZeros(moment: unknown): unknown {
  return typeof moment === 'string' ? moment.replace(/\.000$/, '') : moment
}

/** Behind it there is no moment that every database can hold. */
export function isLast(moment: Date): boolean {
  return new Date(moment.getTime() + 1).getUTCFullYear() > LAST_YEAR
}

const LAST_YEAR = 9999
