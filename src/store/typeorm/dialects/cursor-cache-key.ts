import type { CursorRange, PlanLayer } from '../../../plan/read-plan'
import { constraintsOfOperand } from '../../../query/tree/comparability'
import type { Param } from '../../../query/tree/param'

/**
 * Returns the part of a cache key for cursors: the kind of number of each value. `undefined`: the text depends on the values, because an id has to be
 * decoded or an enum lists the values on one side.
 */
export function findCursorCacheKey({ range, sort }: Pick<PlanLayer, 'range' | 'sort'>): string | undefined {
  if (range?.kind !== 'cursors') return ''
  const { after, before } = range
  if (after === undefined && before === undefined) return 'none'
  const ranges = sort.map(({ by }) => constraintsOfOperand(by))
  if (ranges.some((each) => each.valueType === 'enum' || each.codec !== undefined || each.parts !== undefined)) {
    return undefined
  }
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

/** Digits behind the point, at most as many as a decimal can have. */
export function countFractionDigits(digits: string): number {
  return Math.min(/\.(\d+)/.exec(digits)?.[1]?.length ?? 0, 30)
}
