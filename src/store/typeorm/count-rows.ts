import type { ReadPlan, RowRange } from '../../plan/read-plan'
import type { ReadResult, Total } from '../read-result'
import { toKeyed } from './among'
import type { Cells } from './cells'
import { isWhole } from './estimate-rows'
import type { Reading } from './load-includes'
import { prepareCount, prepareEstimate } from './prepare'

export type ReadRows = Omit<ReadResult, 'total'>

/** As far as the plan wants to know it, once the page is read. */
export async function readTotal(plan: ReadPlan, read: ReadRows, reading: Reading): Promise<Total | undefined> {
  const { range } = plan.layer
  if (range !== undefined) return withSeen(await countRows(plan, reading), range, read)
  return plan.total === 'off' ? undefined : { kind: 'exact', count: read.rows.length }
}

/** `undefined`: the plan does not want to know. */
export async function countRows(plan: ReadPlan, reading: Reading): Promise<Total | undefined> {
  const { layer, total } = plan
  if (total === 'off') return undefined
  const { mapping, run } = reading
  const preparing = { ...reading, shown: plan.shown }
  if (total === 'estimated' && isWhole(layer, mapping)) {
    const { statement } = prepareEstimate(layer.type, preparing)
    return { kind: 'estimated', count: readCount(await run(statement)) }
  }
  const upTo = typeof total === 'object' ? total.upTo : undefined
  const among = toKeyed(layer.among, layer.type, mapping)
  const counting = among && prepareCount({ layer, upTo }, among, preparing)
  const count = counting === undefined ? 0 : readCount(await run(counting.statement))
  return upTo === undefined || count <= upTo ? { kind: 'exact', count } : { kind: 'over', count: upTo }
}

/** No estimate says less than what is seen, nor anything else than that where the list ends with the page. */
export function withSeen(total: Total | undefined, range: RowRange, { rows, hasMore }: ReadRows): Total | undefined {
  if (total?.kind !== 'estimated') return total
  const before = range.kind === 'numbers' ? range.offset : 0
  const seen = before + rows.length + (hasMore ? 1 : 0)
  const isEnd = range.kind === 'numbers' && !hasMore && (rows.length > 0 || before === 0)
  return { kind: 'estimated', count: isEnd ? seen : Math.max(total.count, rows.length === 0 ? 0 : seen) }
}

function readCount(records: readonly Cells[]): number {
  return Number(records[0]?.[0])
}
