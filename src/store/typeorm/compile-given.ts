import type { Literal, Operand } from '../../query/ast'
import { rangeOf } from '../../query/comparability'
import type { ComparedPart, Span } from './compare-parts'
import { toParameter } from './convert-values'
import { bindKey, columnsAt } from './keys'
import type { ColumnMapping } from './mapping'
import type { Scope } from './scope'
import { value } from './sql'

/** What an operand is compared with, as parameters. An id has as many parts as the key. */
export function compileGiven(
  operand: Operand,
  literal: Literal,
  { mapping }: Scope,
): readonly Pick<ComparedPart, 'other' | 'given' | 'span'>[] {
  if (operand.kind !== 'attributePath') {
    const bound = toParameter(literal.value, rangeOf(operand), mapping.dialect)
    return [{ other: value(bound), given: bound }]
  }
  const columns = columnsAt(mapping, operand)
  const [bound, ...others] = bindKey(columns, literal.value)
  if (others.length > 0) return [bound, ...others].map((part) => ({ other: value(part), given: part }))
  const [column] = columns
  const span = column?.isFiner && literal.value instanceof Date ? { span: toSpan(literal.value, column) } : {}
  return [{ other: value(bound), given: bound, ...span }]
}

/** All that a column may hold for one millisecond, which is what clients see of it. */
function toSpan(held: Date, { toDatabase }: ColumnMapping): Span {
  const from = toDatabase(held)
  const next = new Date(held.getTime() + 1)
  // SQLite keeps text, and the defaults of its columns have no milliseconds: they come before those that have.
  const least = typeof from === 'string' ? from.replace(/\.000$/, '') : from
  return [value(least), next.getUTCFullYear() > LAST_YEAR ? undefined : value(toDatabase(next))]
}

const LAST_YEAR = 9999
