import { JsonApiError, problem } from '../../errors/json-api-error'
import type { Layer, NumberRange, ReadPlan, RowRange } from '../../plan/read-plan'
import type { ReadResult, ResultRow } from '../read-result'
import { fromNearerEnd, isDeep } from './deep-page'
import { loadIncludes, type Reading } from './load-includes'
import { hasListeners, loadListened } from './load-listened'
import type { LoadedRow } from './loaded-row'
import type { Branch, Mapping } from './mapping'
import { isBackwards } from './page-position'
import { lockable } from './scope'
import { countPrimary, selectPrimary } from './select-layer'
import { toSql } from './sql'
import type { Statements } from './sqlite-readers'
import { violationIn } from './violation'

/**
 * Runs a plan: one statement for its rows, one for a total, one for each relationship of each include step. Of some column types only
 * the database knows what fits: what it refuses is a mistake in the query.
 */
export async function read(plan: ReadPlan, reading: Reading, lock: 'lock' | 'noLock'): Promise<ReadResult> {
  try {
    return await readLayers(plan, reading, lock)
  } catch (error) {
    if (violationIn(error)?.kind !== 'range') throw error
    const detail = 'A value that the rows are compared with is not of the right kind.'
    throw new JsonApiError([problem('query.filter', detail, { parameter: parameterOf(plan) })])
  }
}

/** What `read` will run, without locks. */
export function statementsOf({ layer, total }: ReadPlan, mapping: Mapping): Statements {
  const isCounted = total === 'counted' && layer.range !== undefined
  return isCounted || layer.includes.length > 0 || hasListeners(layer.type, mapping) ? 'several' : 'one'
}

/** Positions are checked before; what clients compare with otherwise stands in a filter. */
function parameterOf({ layer: { filter, range } }: ReadPlan): string {
  const position = range?.kind === 'cursors' && filter === undefined ? (range.after ?? range.before) : undefined
  return position === undefined ? 'filter' : 'page'
}

async function readLayers(plan: ReadPlan, reading: Reading, lock: 'lock' | 'noLock'): Promise<ReadResult> {
  const { layer } = plan
  const { mapping } = reading
  const { branches } = mapping.tableOf(layer.type)
  if (lock === 'lock' && branches.length > 1) return readEachTable(plan, reading)
  if (plan.total === 'counted' && isDeep(layer.range)) return readDeep(plan, layer.range, reading)
  return readFrom(branches, plan, reading, lock)
}

/** Once the total is known, a page can be read from the end that is nearer to it. */
async function readDeep(plan: ReadPlan, asked: NumberRange, reading: Reading): Promise<ReadResult> {
  const total = await countRows(plan.layer, 0, reading)
  if (total <= asked.offset) return { rows: [], total, hasMore: false }
  const range = fromNearerEnd(asked, total)
  const { branches } = reading.mapping.tableOf(plan.layer.type)
  const layer = { ...plan.layer, range }
  const { rows } = await readFrom(branches, { ...plan, layer, total: 'notCounted' }, reading, 'noLock')
  return { rows, total, hasMore: asked.offset + asked.size < total }
}

async function readFrom(
  branches: readonly Branch[],
  { layer, shown, ...plan }: ReadPlan,
  reading: Reading,
  lock: 'lock' | 'noLock',
): Promise<ReadResult> {
  const { mapping, run } = reading
  const select = selectPrimary(
    layer,
    shown,
    mapping,
    lock === 'lock' ? branches.map((branch) => lockable(branch, mapping.dialect)) : branches,
  )
  if (select === undefined) return { rows: [], total: plan.total === 'counted' ? 0 : undefined, hasMore: false }
  const locked = mapping.dialect.lock(select.alias)
  const records = await run(lock === 'lock' ? toSql`${select.sql}${locked}` : select.sql)
  const page = cutPage(records, layer.range)
  const rows: LoadedRow[] = []
  for (const record of page) {
    const row = select.columns.readRow(record)
    if (row !== undefined) rows.push(row)
  }
  if (hasListeners(layer.type, mapping)) await loadListened(rows, { ...reading, shown })
  if (layer.includes.length > 0) await loadIncludes(rows, layer, { ...reading, shown })
  return {
    rows: rows satisfies readonly ResultRow[],
    total: plan.total === 'counted' ? await countRows(layer, rows.length, reading) : undefined,
    hasMore: records.length > page.length,
  }
}

/** Rows that are united can't be locked: once it is known in which tables they lie, they are read from there. */
async function readEachTable(plan: ReadPlan, reading: Reading): Promise<ReadResult> {
  const { layer } = plan
  const { rows } = await readLayers({ ...plan, layer: { ...layer, includes: [] } }, reading, 'noLock')
  const { branches } = reading.mapping.tableOf(layer.type)
  const found: ResultRow[] = []
  for (const [place, type] of layer.type.concreteTypes.entries()) {
    const ids = rows.filter((row) => row.type === type).map(({ id }) => id)
    const own = branches.slice(place, place + 1)
    const among = { kind: 'ids', ids } as const
    if (ids.length > 0)
      found.push(...(await readFrom(own, { ...plan, layer: { ...layer, among } }, reading, 'lock')).rows)
  }
  return { rows: found, total: undefined, hasMore: false }
}

/** One record more than fits tells that there are more rows. */
function cutPage<Item>(records: readonly Item[], range: RowRange | undefined): readonly Item[] {
  if (range === undefined) return records
  const page = records.slice(0, range.size)
  return isBackwards(range) ? page.reverse() : page
}

async function countRows(layer: Layer, found: number, { mapping, run }: Reading): Promise<number> {
  if (layer.range === undefined) return found
  const count = countPrimary(layer, mapping)
  return count === undefined ? 0 : readCount(await run(count))
}

function readCount(records: readonly Record<string, unknown>[]): number {
  return Number(records[0]?.total)
}
