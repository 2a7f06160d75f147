import { type NumberRange, numberRange, type RowRange } from '../../../plan/read-plan'

/**
 * Whether a page is found in other ways than by passing over all rows before it, each as wide as it is shown: then the text of its statement
 * is another one.
 */
export function isDeepPage(range: RowRange | undefined): range is NumberRange {
  return range?.kind === 'numbers' && range.offset.value >= DEEP_OFFSET
}

/** Looking for keys first costs 6 µs on SQLite and 50 on PostgreSQL; on all databases that is won back before here (decision 028). */
const DEEP_OFFSET = 2000

/** The same rows, counted from the end of the list where that is nearer. `total`: of all rows, more than the offset. */
export function toReverseOffset(range: NumberRange, total: number): NumberRange {
  const [offset, size] = [range.offset.value, range.size.value]
  const behind = Math.max(total - offset - size, 0)
  if (behind >= offset) return range
  return { ...numberRange(behind, Math.min(size, total - offset)), from: 'end' }
}
