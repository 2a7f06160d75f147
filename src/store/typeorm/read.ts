import { JsonApiError, problem } from '../../errors/json-api-error'
import type { NumberRange, ReadPlan, RowRange } from '../../plan/read-plan'
import { fieldsWithin } from '../../query/fields-within'
import type { ReadResult, ResultRow } from '../read-result'
import { toKeyed } from './among'
import type { Cells } from './cells'
import { countRows, isCountedAlong, type ReadRows, readTotal, withSeen } from './count-rows'
import { fromNearerEnd, isDeep } from './deep-page'
import { loadIncludes, type Reading } from './load-includes'
import { hasListeners, loadListened } from './load-listened'
import type { LoadedRow } from './loaded-row'
import type { Mapping } from './mapping'
import { isBackwards } from './page-position'
import { type Lock, preparePrimary, type Reach } from './prepare'
import type { Statements } from './sqlite-readers'
import { isTooWide, violationIn } from './violation'

/**
 * Runs a plan: one statement for its rows and their total, one for each relationship of each include step. Of some column types only the
 * database knows what fits, or a transformer, and of paths how many tables they may lead through: what is refused is a mistake in the query.
 */
export function read(plan: ReadPlan, reading: Reading, lock: Lock): Promise<ReadResult> {
  return readLayers(plan, reading, lock).catch((error: unknown) => {
    throw findMistake(plan, error) ?? error
  })
}

function findMistake(plan: ReadPlan, error: unknown): JsonApiError | undefined {
  if (violationIn(error)?.kind === 'range') {
    const detail = 'A value that the rows are compared with is not of the right kind.'
    return new JsonApiError([problem('query.filter', detail, { parameter: parameterOf(plan) })])
  }
  if (!isTooWide(error)) return undefined
  const parameter = widestOf(plan)
  const detail = 'The paths lead through more tables than the database joins: take fewer of them, or shorter ones.'
  return new JsonApiError([problem(`query.${parameter}`, detail, { parameter })])
}

/** Each step of a path is a field, and a table or more: what has so many is a half of it at least. */
function widestOf({ layer: { sort } }: ReadPlan): 'filter' | 'sort' {
  return sort.flatMap(({ by }) => fieldsWithin(by)).length > MANY_FIELDS ? 'sort' : 'filter'
}

const MANY_FIELDS = 30

/** What `read` will run, without locks. */
export function statementsOf(plan: ReadPlan, mapping: Mapping): Statements {
  const { layer, total } = plan
  const isCounted = total !== 'off' && layer.range !== undefined && !isCountedAlong(plan)
  return isCounted || layer.includes.length > 0 || hasListeners(layer.type, mapping) ? 'several' : 'one'
}

/** Positions are checked before; what clients compare with otherwise stands in a filter. */
function parameterOf({ layer: { filter, range } }: ReadPlan): string {
  const position = range?.kind === 'cursors' && filter === undefined ? (range.after ?? range.before) : undefined
  return position === undefined ? 'filter' : 'page'
}

async function readLayers(plan: ReadPlan, reading: Reading, lock: Lock): Promise<ReadResult> {
  const { branches } = reading.mapping.tableOf(plan.layer.type)
  if (lock === 'lock' && branches.length > 1) return readEachTable(plan, reading)
  if (plan.total !== 'off' && isDeep(plan.layer.range)) return readDeep(plan, plan.layer.range, reading)
  const isAlong = lock === 'noLock' && isCountedAlong(plan)
  const read = await readFrom({ place: undefined, lock, total: isAlong ? plan.total : 'off' }, plan, reading)
  const { rows, hasMore } = read
  return { rows, hasMore, total: plan.total === 'off' ? undefined : await readTotal(plan, read, reading) }
}

/** Once the total is known, a page can be read from the end that is nearer to it. */
async function readDeep(plan: ReadPlan, asked: NumberRange, reading: Reading): Promise<ReadResult> {
  const total = await countRows(plan, reading)
  if (total?.kind !== 'exact') {
    const { rows, hasMore } = await readFrom(ALL_TABLES, plan, reading)
    return { rows, hasMore, total: withSeen(total, asked, { rows, hasMore }) }
  }
  if (total.count <= asked.offset) return { rows: [], total, hasMore: false }
  const layer = { ...plan.layer, range: fromNearerEnd(asked, total.count) }
  const { rows } = await readFrom(ALL_TABLES, { ...plan, layer }, reading)
  return { rows, total, hasMore: asked.offset + asked.size < total.count }
}

/** Nothing but the rows. */
export const ALL_TABLES: Reach = { place: undefined, lock: 'noLock', total: 'off' }

async function readFrom(reach: Reach, { layer, shown }: ReadPlan, reading: Reading): Promise<ReadRows> {
  const { mapping, run } = reading
  const among = toKeyed(layer.among, layer.type, mapping)
  if (among === undefined) return { rows: [], hasMore: false, counted: undefined }
  // New members come first: behind a spread they cost Node.js 20 a microsecond.
  const preparing = { shown, ...reading }
  const { made, statement } = preparePrimary(layer, among, reach, preparing)
  const { records } = await run(statement)
  const page = cutPage(records, layer.range)
  const rows: LoadedRow[] = []
  for (const cells of page) {
    const row = made.columns.readRow(cells)
    if (row !== undefined) rows.push(row)
  }
  if (hasListeners(layer.type, mapping)) await loadListened(rows, preparing)
  if (layer.includes.length > 0) await loadIncludes(rows, layer, preparing)
  return {
    rows: rows satisfies readonly ResultRow[],
    hasMore: records.length > page.length,
    counted: reach.total === 'off' ? undefined : readCount(records, layer.range),
  }
}

/** Each row has it in its last cell. `undefined`: there is no row, unless on pages before. */
function readCount([first]: readonly Cells[], range: RowRange | undefined): number | undefined {
  if (first !== undefined) return Number(first.at(-1))
  return range?.kind === 'numbers' && range.offset === 0 ? 0 : undefined
}

/** Rows that are united can't be locked: once it is known in which tables they lie, they are read from there. */
async function readEachTable(plan: ReadPlan, reading: Reading): Promise<ReadResult> {
  const { layer } = plan
  const { rows } = await readLayers({ ...plan, layer: { ...layer, includes: [] } }, reading, 'noLock')
  const found: ResultRow[] = []
  for (const [place, type] of layer.type.concreteTypes.entries()) {
    const ids = rows.filter((row) => row.type === type).map(({ id }) => id)
    if (ids.length === 0) continue
    const own = { ...plan, layer: { ...layer, among: { kind: 'ids', ids } as const } }
    found.push(...(await readFrom({ place, lock: 'lock', total: 'off' }, own, reading)).rows)
  }
  return { rows: found, total: undefined, hasMore: false }
}

/** One record more than fits tells that there are more rows. */
function cutPage<Item>(records: readonly Item[], range: RowRange | undefined): readonly Item[] {
  if (range === undefined) return records
  const page = records.slice(0, range.size)
  return isBackwards(range) ? page.reverse() : page
}
