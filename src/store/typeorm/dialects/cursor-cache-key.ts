import type { CursorRange, ReadPlanLayer } from '../../../plan/read-plan'
import { valueConstraintsOfOperand } from '../../../query/tree/comparability'
import type { Param } from '../../../query/tree/param'

/**
 * Returns the part of a cache key for cursors: for each value whether it is an integer, or its number of fraction digits. Returns `undefined` if the
 * statement text depends on the values: an id is decoded, or an enum compares with a list.
 */
export function cursorShapeCacheKeyIfCacheable({
  range,
  sort,
}: Pick<ReadPlanLayer<unknown>, 'range' | 'sort'>): string | undefined {
  if (range?.kind !== 'cursors') return ''
  const { after, before } = range
  if (after === undefined && before === undefined) return 'none'
  const constraints = sort.map(({ by }) => valueConstraintsOfOperand(by))
  const dependsOnValues = constraints.some(
    ({ valueType, codec, parts }) => valueType === 'enum' || codec !== undefined || parts !== undefined,
  )
  if (dependsOnValues) return undefined
  return `${positionKey(after)} ${positionKey(before)}`
}

function positionKey(position: CursorRange['after']): string {
  if (position === undefined || position === 'end') return position ?? 'none'
  return position.map(valueKey).join()
}

function valueKey(param: Param<string> | null): string {
  if (param === null) return 'null'
  const text = param.value
  return isInt64Text(text) ? 'integer' : String(countFractionDigits(text))
}

/** Returns true for an integer of 64 bits, which SQLite stores as an integer. */
export function isInt64Text(text: string): boolean {
  return /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)
}

/** Counts the digits after the decimal point, up to the maximum of a decimal column. */
export function countFractionDigits(digits: string): number {
  return Math.min(/\.(\d+)/.exec(digits)?.[1]?.length ?? 0, 30)
}
