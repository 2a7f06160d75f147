import {
  createRangeFromOffsetAndSize,
  type OffsetRange,
  type ReadPlan,
  type ReadPlanLayer,
} from '../../../plan/read-plan'
import type { ReadResult, ResourceRow, Total } from '../../read-result'
import type { DatabaseMapping } from '../mapping/database-mapping'
import { compileCachedPrimarySelect } from '../select/compile-statements'
import { convertCriteriaIdsToKeys } from '../select/row-criteria'
import { hasLoadListeners } from './apply-load-listeners'
import { countOrEstimateRows, loadRequestedTotal } from './count-rows'
import { executeReadPlan, READ_WITHOUT_LOCK_OR_TOTAL } from './execute-read-plan'
import type { ReadExecutionContext } from './load-includes'
import type { StreamRows } from './stream-rows'

/** Returns true if the rows can exceed the memory, and each row can be read without the others. */
export function mayNeedStreaming({ layer }: ReadPlan, mapping: DatabaseMapping): boolean {
  const { range, includes, criteria, type } = layer
  const isOpen = range === undefined || (range.kind === 'numbers' && range.size > STREAMING_THRESHOLD)
  return isOpen && criteria.kind !== 'ids' && includes.length === 0 && !hasLoadListeners(type, mapping)
}

/** Reads a small number of rows at once, and streams a large number. */
export async function readAtOnceOrStreaming(
  plan: ReadPlan,
  context: ReadExecutionContext,
  stream: StreamRows,
): Promise<ReadResult> {
  const { layer } = plan
  const range = numbersOf(layer)
  const first = await readRange(plan, { ...range, size: STREAMING_THRESHOLD }, context)
  if (!first.hasMore)
    return { ...first, total: await loadRequestedTotal(plan, { counted: undefined, ...first }, context) }
  const nextRow = createRangeFromOffsetAndSize(endOf(range), 1)
  const hasMore = layer.range !== undefined && (await readRange(plan, nextRow, context)).rows.length > 0
  return {
    rows: [],
    batches: toWindows(plan, context, stream),
    total: await countUnread(plan, hasMore ? nextRow : undefined, context),
    hasMore,
  }
}

/** Counts as `loadRequestedTotal` does, but before the rows are read. `nextRow`: the row after the page; `undefined`: the list ends with the page. */
async function countUnread(
  plan: ReadPlan,
  nextRow: OffsetRange | undefined,
  context: ReadExecutionContext,
): Promise<Total | undefined> {
  if (plan.total === false) return undefined
  const countExactly = () => countOrEstimateRows({ ...plan, total: 'exact' }, context)
  if (plan.layer.range === undefined) return countExactly()
  const total = await countOrEstimateRows(plan, context)
  if (total?.kind !== 'estimated') return total
  if (nextRow !== undefined) return { ...total, count: Math.max(total.count, endOf(nextRow)) }
  const counted = await countExactly()
  return counted && { ...counted, kind: 'estimated' }
}

function numbersOf({ range }: ReadPlanLayer): OffsetRange {
  return range?.kind === 'numbers' ? range : createRangeFromOffsetAndSize(0, STREAMING_THRESHOLD)
}

function endOf({ offset, size }: OffsetRange): number {
  return offset.value + size
}

function readRange(plan: ReadPlan, range: OffsetRange, context: ReadExecutionContext): Promise<ReadResult> {
  return executeReadPlan({ ...plan, total: false, layer: { ...plan.layer, range } }, context, 'noLock')
}

async function* toWindows(
  { layer, projection }: ReadPlan,
  context: ReadExecutionContext,
  stream: StreamRows,
): AsyncGenerator<readonly ResourceRow[]> {
  const criteria = convertCriteriaIdsToKeys(layer.criteria, layer.type, context.mapping)
  if (criteria === undefined) return
  const { query, statement } = compileCachedPrimarySelect(layer, criteria, READ_WITHOUT_LOCK_OR_TOTAL, {
    projection,
    ...context,
  })
  let remaining = layer.range?.size ?? Infinity
  for await (const records of stream(statement)) {
    const rows = records.slice(0, remaining).flatMap((rawRow) => query.columns.readRow(rawRow) ?? [])
    remaining -= records.length
    yield rows
    // The statement reads one row beyond the page.
    if (remaining <= 0) return
  }
}

/** The number of rows that are read at once; about ten megabytes. */
const STREAMING_THRESHOLD = 5000
