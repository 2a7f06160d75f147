import { createJsonApiError, type JsonApiError } from '../../../errors/json-api-error'
import type { OffsetRange, ReadPlan, RowRange } from '../../../plan/read-plan'
import { fieldsUsedBySortKey } from '../../../query/tree/sort-key'
import type { ReadResult, ResourceRow } from '../../read-result'
import { findViolation, isTooManyTables } from '../drivers/find-violation'
import type { Mapping } from '../mapping/mapping'
import type { RawRow } from '../mapping/raw-row'
import { compilePrimary, type ReadLockMode, type ReadVariant } from '../select/compile-statements'
import { replaceIdsByKeys } from '../select/key-criteria'
import type { LoadedRow } from '../select/loaded-row'
import { isBackwards, isDeepPage, toReverseOffset } from '../select/page-position'
import type { OneOrSeveralStatements } from '../transactions/sqlite-read-pool'
import { applyLoadListeners, hasLoadListeners } from './apply-load-listeners'
import { type CountedRows, correctEstimate, isCountedWithRows, readTotal, runTotalStatement } from './count-rows'
import { loadIncludes, type ReadContext } from './load-includes'

/**
 * Runs a plan: one statement for its rows and their total, one for each relationship of each include step. Of some column types only the
 * database knows what fits, or a transformer, and of paths how many tables they may lead through: what is refused is a mistake in the query.
 */
export function read(plan: ReadPlan, context: ReadContext, lock: ReadLockMode): Promise<ReadResult> {
  return readLayers(plan, context, lock).catch((error: unknown) => {
    throw findQueryError(plan, error) ?? error
  })
}

function findQueryError(plan: ReadPlan, error: unknown): JsonApiError | undefined {
  if (findViolation(error)?.kind === 'range') {
    const detail = 'A value in the filter does not fit the column that it is compared with.'
    return createJsonApiError('query.filter', detail, { parameter: parameterOf(plan) })
  }
  if (!isTooManyTables(error)) return undefined
  const parameter = longestParameterOf(plan)
  const detail = 'The query needs more joins than the database allows. Use fewer or shorter paths.'
  return createJsonApiError(`query.${parameter}`, detail, { parameter })
}

/** Each step of a path is a field, and a table or more: what has so many is a half of it at least. */
function longestParameterOf({ layer: { sort } }: ReadPlan): 'filter' | 'sort' {
  return sort.flatMap(({ by }) => fieldsUsedBySortKey(by)).length > LONG_PATHS ? 'sort' : 'filter'
}

const LONG_PATHS = 30

/** Returns whether `read` runs one statement or several, without locks. */
export function statementsNeededFor(plan: ReadPlan, mapping: Mapping): OneOrSeveralStatements {
  const { layer, total } = plan
  const isCounted = total !== false && layer.range !== undefined && !isCountedWithRows(plan)
  return isCounted || layer.includes.length > 0 || hasLoadListeners(layer.type, mapping) ? 'several' : 'one'
}

/** Positions are checked earlier, so the value comes from a filter if there is one. */
function parameterOf({ layer: { filter, range } }: ReadPlan): string {
  const position = range?.kind === 'cursors' && filter === undefined ? (range.after ?? range.before) : undefined
  return position === undefined ? 'filter' : 'page'
}

async function readLayers(plan: ReadPlan, context: ReadContext, lock: ReadLockMode): Promise<ReadResult> {
  const { concreteTables } = context.mapping.tableOf(plan.layer.type)
  if (lock === 'lock' && concreteTables.length > 1) return readPerTable(plan, context)
  if (plan.total !== false && isDeepPage(plan.layer.range)) return readDeep(plan, plan.layer.range, context)
  const isAlong = lock === 'noLock' && isCountedWithRows(plan)
  const read = await readRows({ tableIndex: undefined, lock, total: isAlong ? plan.total : false }, plan, context)
  const { rows, hasMore } = read
  return { rows, hasMore, total: plan.total === false ? undefined : await readTotal(plan, read, context) }
}

/** Once the total is known, a page can be read from the end that is nearer to it. */
async function readDeep(plan: ReadPlan, asked: OffsetRange, context: ReadContext): Promise<ReadResult> {
  const total = await runTotalStatement(plan, context)
  if (total?.kind !== 'exact') {
    const { rows, hasMore } = await readRows(PLAIN_READ, plan, context)
    return { rows, hasMore, total: correctEstimate(total, asked, { rows, hasMore }) }
  }
  if (total.count <= asked.offset.value) return { rows: [], total, hasMore: false }
  const layer = { ...plan.layer, range: toReverseOffset(asked, total.count) }
  const { rows } = await readRows(PLAIN_READ, { ...plan, layer }, context)
  return { rows, total, hasMore: asked.offset.value + asked.size.value < total.count }
}

/** Nothing but the rows. */
export const PLAIN_READ: ReadVariant = { tableIndex: undefined, lock: 'noLock', total: false }

async function readRows(
  variant: ReadVariant,
  { layer, projection }: ReadPlan,
  reading: ReadContext,
): Promise<CountedRows> {
  const { mapping, run } = reading
  const criteria = replaceIdsByKeys(layer.criteria, layer.type, mapping)
  if (criteria === undefined) return { rows: [], hasMore: false, counted: undefined }
  // New members come first: behind a spread they cost Node.js 20 a microsecond.
  const context = { projection, ...reading }
  const { query, statement } = compilePrimary(layer, criteria, variant, context)
  const { records } = await run(statement)
  const page = cutPage(records, layer.range)
  const rows: LoadedRow[] = []
  for (const rawRow of page) {
    const row = query.columns.readRow(rawRow)
    if (row !== undefined) rows.push(row)
  }
  if (hasLoadListeners(layer.type, mapping)) await applyLoadListeners(rows, context)
  if (layer.includes.length > 0) await loadIncludes(rows, layer, context)
  return {
    rows: rows satisfies readonly ResourceRow[],
    hasMore: records.length > page.length,
    counted: variant.total === false ? undefined : readCount(records, layer.range),
  }
}

/** Each row has it in its last cell. `undefined`: there is no row, unless on pages before. */
function readCount([first]: readonly RawRow[], range: RowRange | undefined): number | undefined {
  if (first !== undefined) return Number(first.at(-1))
  return range?.kind === 'numbers' && range.offset.value === 0 ? 0 : undefined
}

/** Rows that are united can't be locked: once it is known in which tables they lie, they are read from there. */
async function readPerTable(plan: ReadPlan, context: ReadContext): Promise<ReadResult> {
  const { layer } = plan
  const { rows } = await readLayers({ ...plan, layer: { ...layer, includes: [] } }, context, 'noLock')
  const found: ResourceRow[] = []
  for (const [place, type] of layer.type.concreteTypes.entries()) {
    const ids = rows.filter((row) => row.type === type).map(({ id }) => id)
    if (ids.length === 0) continue
    const own = { ...plan, layer: { ...layer, criteria: { kind: 'ids', ids } as const } }
    found.push(...(await readRows({ tableIndex: place, lock: 'lock', total: false }, own, context)).rows)
  }
  return { rows: found, total: undefined, hasMore: false }
}

/** One record beyond the page means that there are more rows. */
function cutPage<Item>(records: readonly Item[], range: RowRange | undefined): readonly Item[] {
  if (range === undefined) return records
  const page = records.slice(0, range.size.value)
  return isBackwards(range) ? page.reverse() : page
}
