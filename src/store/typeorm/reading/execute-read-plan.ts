import { createJsonApiError, type JsonApiError } from '../../../errors/json-api-error'
import { keyHasSeveralTexts } from '../../../graph/model/record-id'
import type { ResourceType } from '../../../graph/model/resource-graph'
import type { OffsetRange, PageRange, ReadPlan, ReadPlanLayer } from '../../../plan/read-plan'
import { fieldsUsedBySortKey } from '../../../query/tree/sort-key'
import type { ReadResult, ResourceRow } from '../../read-result'
import { findConstraintViolation, isTooManyTablesError } from '../drivers/find-violation'
import type { ColumnValuesInSelectOrder } from '../mapping/column-values-in-select-order'
import type { DatabaseMapping } from '../mapping/database-mapping'
import { compileCachedPrimarySelect, type ReadStatementVariant } from '../select/compile-statements'
import type { MutableResourceRow } from '../select/mutable-resource-row'
import { isDeepPage, isRangeReadBackwards, rangeFromNearerEnd } from '../select/page-position'
import { convertCriteriaIdsToKeys } from '../select/row-criteria'
import type { ReadLockTarget } from '../select/select-layer'
import type { OneOrSeveralReadStatements } from '../transactions/sqlite-read-pool'
import { hasLoadListeners, setValuesFromLoadListeners } from './apply-load-listeners'
import {
  correctEstimatedTotal,
  countOrEstimateRows,
  isCountedWithRows,
  loadRequestedTotal,
  type RowsWithCount,
} from './count-rows'
import { loadIncludes, type ReadExecutionContext } from './load-includes'

/**
 * Runs a plan: one statement for its rows and their total, and one for each relationship of each include step. Converts errors that a query causes:
 * only the database knows the range of some column types and its limit of joins.
 */
export function executeReadPlan(
  plan: ReadPlan,
  context: ReadExecutionContext,
  lock: ReadLockTarget,
): Promise<ReadResult> {
  return readLayers(plan, context, lock).catch((error: unknown) => {
    throw findQueryError(plan, error) ?? error
  })
}

function findQueryError(plan: ReadPlan, error: unknown): JsonApiError | undefined {
  if (findConstraintViolation(error)?.kind === 'range') {
    const { criteria, filter, type } = plan.layer
    if (criteria.kind === 'ids' && filter === undefined) return missingRowError(type, criteria.ids)
    const detail = 'A value in the filter does not fit the column that it is compared with.'
    return createJsonApiError('query.filter', detail, { parameter: parameterOf(plan) })
  }
  if (!isTooManyTablesError(error)) return undefined
  const parameter = longestParameterOf(plan)
  const detail = 'The query needs more joins than the database allows. Use fewer or shorter paths.'
  return createJsonApiError(`query.${parameter}`, detail, { parameter })
}

/** Only the database knows whether the text of some keys is valid. */
function missingRowError({ name }: ResourceType, ids: readonly string[]): JsonApiError {
  return createJsonApiError(
    'resource.not-found',
    `There is no resource of type '${name}' with id '${ids.join("' or '")}'.`,
  )
}

/** Returns the parameter that needs the most joins. Each step of a path is a field and needs at least one table. */
function longestParameterOf({ layer: { sort } }: ReadPlan): 'filter' | 'sort' {
  return sort.flatMap(({ by }) => fieldsUsedBySortKey(by)).length > LONG_PATHS ? 'sort' : 'filter'
}

const LONG_PATHS = 30

/** Returns whether `read` runs one statement or several, without locks. */
export function predictOneOrSeveralStatements(plan: ReadPlan, mapping: DatabaseMapping): OneOrSeveralReadStatements {
  const { layer, total } = plan
  const isCounted = total !== false && layer.range !== undefined && !isCountedWithRows(plan)
  return isCounted || layer.includes.length > 0 || hasLoadListeners(layer.type, mapping) ? 'several' : 'one'
}

/** Returns the parameter that contains the value. Positions are checked earlier, so it is the filter if there is one. */
function parameterOf({ layer: { filter, range } }: ReadPlan): string {
  const position = range?.kind === 'cursors' && filter === undefined ? (range.after ?? range.before) : undefined
  return position === undefined ? 'filter' : 'page'
}

async function readLayers(plan: ReadPlan, context: ReadExecutionContext, lock: ReadLockTarget): Promise<ReadResult> {
  const { tableRowSources } = context.mapping.tableOf(plan.layer.type)
  if (lock === 'lock' && tableRowSources.length > 1) return readPerTable(plan, context)
  if (plan.total !== false && isDeepPage(plan.layer.range)) return readDeep(plan, plan.layer.range, context)
  const countsWithRows = lock === 'noLock' && isCountedWithRows(plan)
  const read = await readRows(
    { tableIndex: undefined, lock, total: countsWithRows ? plan.total : false },
    plan,
    context,
  )
  const { rows, hasMore } = read
  return { rows, hasMore, total: plan.total === false ? undefined : await loadRequestedTotal(plan, read, context) }
}

/** Counts the rows first, then reads the page from the nearer end of the list. */
async function readDeep(plan: ReadPlan, range: OffsetRange, context: ReadExecutionContext): Promise<ReadResult> {
  const total = await countOrEstimateRows(plan, context)
  if (total?.kind !== 'exact') {
    const { rows, hasMore } = await readRows(READ_WITHOUT_LOCK_OR_TOTAL, plan, context)
    return { rows, hasMore, total: correctEstimatedTotal(total, range, { rows, hasMore }) }
  }
  if (total.count <= range.offset.value) return { rows: [], total, hasMore: false }
  const layer = { ...plan.layer, range: rangeFromNearerEnd(range, total.count) }
  const { rows } = await readRows(READ_WITHOUT_LOCK_OR_TOTAL, { ...plan, layer }, context)
  return { rows, total, hasMore: range.offset.value + range.size < total.count }
}

/** Reads the rows without locks and without a total. */
export const READ_WITHOUT_LOCK_OR_TOTAL: ReadStatementVariant = { tableIndex: undefined, lock: 'noLock', total: false }

async function readRows(
  variant: ReadStatementVariant,
  { layer, projection }: Pick<ReadPlan, 'layer' | 'projection'>,
  readContext: ReadExecutionContext,
): Promise<RowsWithCount> {
  const { mapping, run } = readContext
  const criteria = convertCriteriaIdsToKeys(layer.criteria, layer.type, mapping)
  if (criteria === undefined) return { rows: [], hasMore: false, counted: undefined }
  // A member after a spread costs a microsecond on Node.js 20.
  const context = { projection, ...readContext }
  const { query, statement } = compileCachedPrimarySelect(layer, criteria, variant, context)
  const { records } = await run(statement)
  if (variant.lock === 'lock' && query.readsJoinedTables && mapping.dialect.name === 'postgres' && records.length > 0) {
    // PostgreSQL reads the current version of a locked row, but may read older versions of rows that are joined to it.
    const lockedIds = new Set(records.map((rawRow) => query.columns.readRow(rawRow)?.id))
    const current = await readRows({ ...variant, lock: 'noLock' }, { layer, projection }, readContext)
    return { ...current, rows: current.rows.filter(({ id }) => lockedIds.has(id)) }
  }
  const page = cutPage(records, layer.range)
  const isRequested = requestedIdTest(layer)
  const rows: MutableResourceRow[] = []
  for (const rawRow of page) {
    const row = query.columns.readRow(rawRow)
    if (row !== undefined && isRequested(row)) rows.push(row)
  }
  if (hasLoadListeners(layer.type, mapping)) await setValuesFromLoadListeners(rows, context)
  if (layer.includes.length > 0) await loadIncludes(rows, layer, context)
  return {
    rows: rows satisfies readonly ResourceRow[],
    hasMore: records.length > page.length,
    counted: variant.total === false ? undefined : readCount(records, layer.range),
  }
}

/** Returns the test for rows whose id is one of the requested ones, because databases can take another text for the same key. */
function requestedIdTest({ criteria, type }: ReadPlanLayer): (row: ResourceRow) => boolean {
  const ids = criteria.kind === 'ids' || criteria.kind === 'relatedTo' ? criteria.ids : undefined
  if (ids === undefined || type.id.isTransformed || !keyHasSeveralTexts(type.id.constraints)) return () => true
  const requested = new Set(ids)
  return ({ id }) => requested.has(id)
}

/** Reads the total from the last column of the first row. Returns `undefined` for an empty page after the first one. */
function readCount([first]: readonly ColumnValuesInSelectOrder[], range: PageRange | undefined): number | undefined {
  if (first !== undefined) return Number(first.at(-1))
  return range?.kind === 'numbers' && range.offset.value === 0 ? 0 : undefined
}

/** Reads and locks the rows of several tables in each of them, because rows of a union can't be locked. */
async function readPerTable(plan: ReadPlan, context: ReadExecutionContext): Promise<ReadResult> {
  const { layer } = plan
  // In MariaDB and MySQL the union would read the snapshot of the transaction, without rows that were linked since then.
  const findsRowsFirst = context.mapping.dialect.name !== 'mysql' || layer.criteria.kind === 'ids'
  const found = findsRowsFirst
    ? await readLayers({ ...plan, layer: { ...layer, includes: [] } }, context, 'noLock')
    : undefined
  const lockedRows: ResourceRow[] = []
  for (const [tableIndex, type] of layer.type.concreteTypes.entries()) {
    const ids = found?.rows.filter((row) => row.type === type).map(({ id }) => id)
    if (ids?.length === 0) continue
    const planOfTable =
      ids === undefined ? plan : { ...plan, layer: { ...layer, criteria: { kind: 'ids', ids } as const } }
    lockedRows.push(...(await readRows({ tableIndex, lock: 'lock', total: false }, planOfTable, context)).rows)
  }
  return { rows: lockedRows, total: undefined, hasMore: false }
}

/** Removes the record beyond the page, and restores the order of a page that was read backwards. */
function cutPage<Item>(records: readonly Item[], range: PageRange | undefined): readonly Item[] {
  if (range === undefined) return records
  const page = records.slice(0, range.size)
  return isRangeReadBackwards(range) ? page.reverse() : page
}
