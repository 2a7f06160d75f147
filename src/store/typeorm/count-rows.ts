import type { ReadPlan, RowRange } from '../../plan/read-plan'
import type { ReadResult, Total } from '../read-result'
import { toKeyed } from './among'
import { isDeep } from './deep-page'
import { isEstimated } from './estimate-rows'
import type { Reading } from './load-includes'
import type { Mapping } from './mapping'
import { prepareTotal } from './prepare'

export interface ReadRows extends Omit<ReadResult, 'total'> {
  /** What came along with the rows, if any did. */
  readonly counted: number | undefined
}

/**
 * Whether each of the rows tells the total: that is a statement less, and no transaction to see both at one moment. Of deep pages it has to be
 * known before; pages at cursors can well be empty, and then nobody has told it.
 */
export function isCountedAlong({ layer, total }: ReadPlan): boolean {
  return total !== 'off' && layer.range?.kind === 'numbers' && !isDeep(layer.range)
}

/** As far as the plan wants to know it, once the page is read. */
export async function readTotal(plan: ReadPlan, read: ReadRows, reading: Reading): Promise<Total | undefined> {
  const { range } = plan.layer
  if (plan.total === 'off') return undefined
  if (range === undefined) return { kind: 'exact', count: read.rows.length }
  const { counted } = read
  const total = counted === undefined ? await countRows(plan, reading) : toTotal(plan, counted, reading.mapping)
  return withSeen(total, range, read)
}

/** `undefined`: the plan does not want to know. */
export async function countRows(plan: ReadPlan, reading: Reading): Promise<Total | undefined> {
  const { layer } = plan
  if (plan.total === 'off') return undefined
  const among = toKeyed(layer.among, layer.type, reading.mapping)
  const counted = among && (await reading.run(prepareTotal(plan, among, reading).statement))
  return toTotal(plan, Number(counted?.records[0]?.[0] ?? 0), reading.mapping)
}

function toTotal(plan: ReadPlan, count: number, mapping: Mapping): Total {
  if (isEstimated(plan, mapping)) return { kind: 'estimated', count }
  const { total } = plan
  if (typeof total !== 'object' || count <= total.upTo) return { kind: 'exact', count }
  return { kind: 'over', count: total.upTo }
}

/** No estimate says less than what is seen, nor anything else than that where the list ends with the page. */
export function withSeen(
  total: Total | undefined,
  range: RowRange,
  { rows, hasMore }: Pick<ReadResult, 'rows' | 'hasMore'>,
): Total | undefined {
  if (total?.kind !== 'estimated') return total
  const before = range.kind === 'numbers' ? range.offset : 0
  const seen = before + rows.length + (hasMore ? 1 : 0)
  const isEnd = range.kind === 'numbers' && !hasMore && (rows.length > 0 || before === 0)
  return { kind: 'estimated', count: isEnd ? seen : Math.max(total.count, rows.length === 0 ? 0 : seen) }
}
