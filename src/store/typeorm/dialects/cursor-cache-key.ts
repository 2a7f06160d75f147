import type { CursorRange, Layer } from '../../../plan/read-plan'
import { rangeOf } from '../../../query/comparability'
import type { Param } from '../../../query/param'

/**
 * What the statement of a page follows from where it is cut: which cursors there are, which of their values are null, and what kind of number
 * each may be. `undefined`: from the values themselves. What stands in an id is known only once it is decoded, and of an enum the values on one
 * side are listed.
 */
export function findCursorCacheKey({ range, sort }: Pick<Layer, 'range' | 'sort'>): string | undefined {
  if (range?.kind !== 'cursors') return ''
  const { after, before } = range
  if (after === undefined && before === undefined) return 'none'
  const ranges = sort.map(({ by }) => rangeOf(by))
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
  return isInt64(text) ? 'integer' : String(scaleOf(text))
}

/** Of 64 bits: what SQLite keeps as an integer. */
export function isInt64(text: string): boolean {
  return /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)
}

/** Digits behind the point, at most as many as a decimal can have. */
export function scaleOf(digits: string): number {
  return Math.min(/\.(\d+)/.exec(digits)?.[1]?.length ?? 0, 30)
}
