import type { Layer, NumberRange, ReadPlan } from '../../plan/read-plan'
import type { ReadResult, ResultRow, Total } from '../read-result'
import { toKeyed } from './among'
import { countRows, readTotal } from './count-rows'
import type { Reading } from './load-includes'
import { hasListeners } from './load-listened'
import type { Mapping } from './mapping'
import { preparePrimary } from './prepare'
import { ALL_TABLES, read } from './read'
import type { StreamRows } from './stream-rows'

/** Whether there may be more rows than memory should hold at once, and each can be read for itself. */
export function mayBeLong({ layer }: ReadPlan, mapping: Mapping): boolean {
  const { range, includes, among, type } = layer
  const isOpen = range === undefined || (range.kind === 'numbers' && range.size > LONG)
  return isOpen && among.kind !== 'ids' && includes.length === 0 && !hasListeners(type, mapping)
}

/** Looks how many rows there are: a few are read as always, many when they are asked for. */
export async function readLong(plan: ReadPlan, reading: Reading, stream: StreamRows): Promise<ReadResult> {
  const { layer } = plan
  const range = numbersOf(layer)
  const first = await readRange(plan, { ...range, size: LONG }, reading)
  if (!first.hasMore) return { ...first, total: await readTotal(plan, { counted: undefined, ...first }, reading) }
  const behind: NumberRange = { ...range, offset: range.offset + range.size, size: 1 }
  const hasMore = layer.range !== undefined && (await readRange(plan, behind, reading)).rows.length > 0
  return {
    rows: [],
    windows: toWindows(plan, reading, stream),
    total: await countLong(plan, hasMore ? behind : undefined, reading),
    hasMore,
  }
}

/** As `readTotal` tells it, of rows that nobody has seen yet. `behind`: the row after the page; `undefined`: the list ends with the page. */
async function countLong(
  plan: ReadPlan,
  behind: NumberRange | undefined,
  reading: Reading,
): Promise<Total | undefined> {
  if (plan.total === 'off') return undefined
  const exactly = () => countRows({ ...plan, total: 'exact' }, reading)
  if (plan.layer.range === undefined) return exactly()
  const total = await countRows(plan, reading)
  if (total?.kind !== 'estimated') return total
  if (behind !== undefined) return { ...total, count: Math.max(total.count, behind.offset + behind.size) }
  const counted = await exactly()
  return counted && { ...counted, kind: 'estimated' }
}

function numbersOf({ range }: Layer): NumberRange {
  return range?.kind === 'numbers' ? range : { kind: 'numbers', offset: 0, size: LONG }
}

function readRange(plan: ReadPlan, range: NumberRange, reading: Reading): Promise<ReadResult> {
  return read({ ...plan, total: 'off', layer: { ...plan.layer, range } }, reading, 'noLock')
}

async function* toWindows(
  { layer, shown }: ReadPlan,
  reading: Reading,
  stream: StreamRows,
): AsyncGenerator<readonly ResultRow[]> {
  const among = toKeyed(layer.among, layer.type, reading.mapping)
  if (among === undefined) return
  const { made, statement } = preparePrimary(layer, among, ALL_TABLES, { shown, ...reading })
  let left = layer.range?.size ?? Infinity
  for await (const records of stream(statement)) {
    const rows = records.slice(0, left).flatMap((cells) => made.columns.readRow(cells) ?? [])
    left -= records.length
    yield rows
    // The statement reads one row more than the page has.
    if (left <= 0) return
  }
}

/** So many rows are read at once without a thought: some ten megabytes. */
const LONG = 5000
