import type { PageRange, ReadPlan } from '../../../plan/read-plan'
import type { ReadResult, Total } from '../../read-result'
import type { DatabaseMapping } from '../mapping/database-mapping'
import { compileCachedTotalSelect } from '../select/compile-statements'
import { canEstimateTotal } from '../select/estimate-rows'
import { isDeepPage } from '../select/page-position'
import { convertCriteriaIdsToKeys } from '../select/row-criteria'
import type { ReadExecutionContext } from './load-includes'

export interface RowsWithCount extends Omit<ReadResult, 'total'> {
  /** The total from the last column of the rows, if it was selected. */
  readonly counted: number | undefined
}

/**
 * Returns true if the total is a column of each row, which saves a statement and a transaction. Deep pages need the total first, and cursor pages can
 * be empty.
 */
export function isCountedWithRows({ layer, total }: ReadPlan): boolean {
  return total !== false && layer.range?.kind === 'numbers' && !isDeepPage(layer.range)
}

/** Returns the total that the plan requests, after the page was read. */
export async function loadRequestedTotal(
  plan: ReadPlan,
  read: RowsWithCount,
  context: ReadExecutionContext,
): Promise<Total | undefined> {
  const { range } = plan.layer
  if (plan.total === false) return undefined
  if (range === undefined) return { kind: 'exact', count: read.rows.length }
  const { counted } = read
  const total =
    counted === undefined ? await countOrEstimateRows(plan, context) : toTotal(plan, counted, context.mapping)
  return correctEstimatedTotal(total, range, read)
}

/** Counts or estimates the rows with a statement; `undefined` if the plan requests no total. */
export async function countOrEstimateRows(plan: ReadPlan, context: ReadExecutionContext): Promise<Total | undefined> {
  const { layer } = plan
  if (plan.total === false) return undefined
  const criteria = convertCriteriaIdsToKeys(layer.criteria, layer.type, context.mapping)
  const result = criteria && (await context.run(compileCachedTotalSelect(plan, criteria, context).statement))
  return toTotal(plan, Number(result?.records[0]?.[0] ?? 0), context.mapping)
}

function toTotal(plan: ReadPlan, count: number, mapping: DatabaseMapping): Total {
  if (canEstimateTotal(plan, mapping)) return { kind: 'estimated', count }
  const { total } = plan
  if (typeof total !== 'object' || count <= total.maxCount) return { kind: 'exact', count }
  return { kind: 'over', count: total.maxCount }
}

/** Raises an estimate to the number of rows that were read. Replaces it by the exact number if the list ends with the page. */
export function correctEstimatedTotal(
  total: Total | undefined,
  range: PageRange,
  { rows, hasMore }: Pick<ReadResult, 'rows' | 'hasMore'>,
): Total | undefined {
  if (total?.kind !== 'estimated') return total
  const before = range.kind === 'numbers' ? range.offset.value : 0
  const known = before + rows.length + (hasMore ? 1 : 0)
  const isEnd = range.kind === 'numbers' && !hasMore && (rows.length > 0 || before === 0)
  return { kind: 'estimated', count: isEnd ? known : Math.max(total.count, rows.length === 0 ? 0 : known) }
}
