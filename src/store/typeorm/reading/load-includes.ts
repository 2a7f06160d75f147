import type { QueryRunner } from 'typeorm'
import type { Relationship } from '../../../graph/model/resource-graph'
import type { FieldSelection, IncludePaging, IncludePlan, ReadPlanLayer } from '../../../plan/read-plan'
import type { RelatedRowsPage } from '../../read-result'
import type { StatementResult } from '../drivers/run-statement'
import type { ColumnValuesInSelectOrder } from '../mapping/column-values-in-select-order'
import type { DatabaseMapping, Key } from '../mapping/database-mapping'
import { keyToMapKey } from '../mapping/keys'
import { compileCachedIncludedSelect } from '../select/compile-statements'
import type { CompiledQueryCache } from '../select/compiled-query-cache'
import { type MutableResourceRow, NO_INCLUDED_ROWS } from '../select/mutable-resource-row'
import { toParentKeysParam } from '../select/row-criteria'
import type { Statement } from '../sql/sql'
import { hasLoadListeners, setValuesFromLoadListeners } from './apply-load-listeners'

type RunSelect = (statement: Statement) => Promise<Pick<StatementResult, 'records'>>

/** The context of all reads. */
export interface ReadExecutionContext {
  readonly mapping: DatabaseMapping
  readonly queryCache: CompiledQueryCache
  readonly queryRunner: QueryRunner
  readonly run: RunSelect
}

interface IncludeContext extends ReadExecutionContext {
  readonly projection: FieldSelection
}

/** Reads all layers below these rows, with one statement for each relationship of each include step that any row has. */
export async function loadIncludes(
  rows: readonly MutableResourceRow[],
  layer: ReadPlanLayer,
  context: IncludeContext,
): Promise<void> {
  for (const [index, include] of layer.includes.entries()) await loadInclude(rows, { include, index }, context)
}

interface IncludeStep {
  readonly include: IncludePlan
  /** The index of the include in the layer of the parents. */
  readonly index: number
}

/** The related rows of rows with the same key. */
interface ParentGroup extends RelatedRowsPage {
  readonly key: Key | undefined
  /** The list with only this group, which rows without other included relationships share. */
  readonly alone: readonly RelatedRowsPage[]
  readonly rows: MutableResourceRow[]
  hasMore: boolean
  total: number | undefined
}

async function loadInclude(
  rows: readonly MutableResourceRow[],
  step: IncludeStep,
  context: IncludeContext,
): Promise<void> {
  const groups = groupByKey(rows, step, context.mapping)
  if (groups.size === 0) return
  const { layer } = step.include
  const related = await loadRelated(groups, step.include, context)
  if (hasLoadListeners(layer.type, context.mapping)) await setValuesFromLoadListeners(related, context)
  if (layer.includes.length > 0) await loadIncludes(related, layer, context)
}

/** Groups parent rows by the key that finds their related rows. Gives each row the list of its group, which is still empty. */
function groupByKey(
  rows: readonly MutableResourceRow[],
  { include: { relationship, parentTypes, paging }, index }: IncludeStep,
  mapping: DatabaseMapping,
): ReadonlyMap<string, ParentGroup> {
  const isOnLeft = mapping.relationOf(relationship).kind === 'owning'
  const groups = new Map<string, ParentGroup>()
  for (const row of rows) {
    if (!parentTypes.includes(row.type)) continue
    const key = isOnLeft ? row.foreignKeys[index] : row.key
    const keyText = key && keyToMapKey(key)
    const known = keyText === undefined ? undefined : groups.get(keyText)
    const group = known ?? emptyGroup(key, relationship, paging)
    if (known === undefined && keyText !== undefined) groups.set(keyText, group)
    row.related = row.related === NO_INCLUDED_ROWS ? group.alone : [...row.related, group]
  }
  return groups
}

function emptyGroup(key: Key | undefined, relationship: Relationship, paging: IncludePaging | undefined): ParentGroup {
  const total = paging?.total === 'counted' ? 0 : undefined
  const alone: RelatedRowsPage[] = []
  const group = { key, relationship, rows: [], hasMore: false, total, paging, alone }
  alone.push(group)
  return group
}

/** Reads the related rows and adds them to their groups. Returns each row once. */
async function loadRelated(
  groups: ReadonlyMap<string, ParentGroup>,
  include: IncludePlan,
  context: IncludeContext,
): Promise<readonly MutableResourceRow[]> {
  const { mapping, run } = context
  const keys: Key[] = []
  for (const { key } of groups.values()) if (key !== undefined) keys.push(key)
  const parentKeys = toParentKeysParam(keys)
  const { query, statement } = compileCachedIncludedSelect(include, parentKeys, context)
  const { columns, readParentKey } = query
  // A row that several parents share is one object, so that its includes are read once. Only junction tables return a row several times.
  const shared =
    mapping.relationOf(include.relationship).kind === 'junction' ? new Map<string, MutableResourceRow>() : undefined
  const related: MutableResourceRow[] = []
  const { records } = await run(statement)
  for (const rawRow of records) {
    const parent = readParentKey(rawRow)
    const group = parent && groups.get(keyToMapKey(parent))
    if (group === undefined || !isOnPage(rawRow, group)) continue
    const row = columns.readRow(rawRow)
    if (row === undefined) continue
    const known = shared?.get(row.id)
    group.rows.push(known ?? row)
    if (known !== undefined) continue
    related.push(row)
    shared?.set(row.id, row)
  }
  return related
}

/**
 * Returns true for rows of the page, and updates `hasMore` and the total of the group. The statement returns one row beyond the page of each parent;
 * if it counts members, it returns the first member, which has the total.
 */
function isOnPage(rawRow: ColumnValuesInSelectOrder, group: ParentGroup): boolean {
  const { range, total } = group.paging ?? {}
  if (range === undefined) return true
  if (total === 'counted') {
    group.total = Number(rawRow.at(-1))
    group.hasMore = range.offset.value + range.size < group.total
    return Number(rawRow.at(-2)) > range.offset.value
  }
  group.hasMore = group.rows.length >= range.size
  return !group.hasMore
}
