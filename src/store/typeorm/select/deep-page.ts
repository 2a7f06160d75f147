import type { NumberRange, RowRange } from '../../../plan/read-plan'

/**
 * Whether a page is found in other ways than by passing over all rows before it, each as wide as it is shown: then the text of its statement
 * is another one.
 */
export function isDeepPage(range: RowRange | undefined): range is NumberRange {
  return range?.kind === 'numbers' && range.offset >= DEEP_OFFSET
}

/** Looking for keys first costs 6 µs on SQLite and 50 on PostgreSQL; on all databases that is won back before here (decision 009). */
const DEEP_OFFSET = 2000

/** The same rows, counted from the end of the list where that is nearer. `total`: of all rows, more than the offset. */
export function toReverseOffset({ offset, size }: NumberRange, total: number): NumberRange {
  const behind = Math.max(total - offset - size, 0)
  if (behind >= offset) return { kind: 'numbers', offset, size }
  return { kind: 'numbers', offset: behind, size: Math.min(size, total - offset), from: 'end' }
}
