import type { QueryRunner } from 'typeorm'
import type { Relationship } from '../../graph/resource-graph'
import type { IncludedPages, IncludeLayer, Layer, ShownFields } from '../../plan/read-plan'
import type { RelatedRows } from '../read-result'
import type { Cells } from './cells'
import type { CompiledStatements } from './compiled'
import { nameOfKey } from './keys'
import { toLeftKeys } from './left-keys'
import { hasListeners, loadListened } from './load-listened'
import { type LoadedRow, NOTHING_RELATED } from './loaded-row'
import type { Key, Mapping } from './mapping'
import { prepareIncluded } from './prepare'
import type { StatementResult } from './run-statement'
import type { Statement } from './sql'

export type RunSelect = (statement: Statement) => Promise<Pick<StatementResult, 'records'>>

/** What every read works with. */
export interface Reading {
  readonly mapping: Mapping
  readonly compiled: CompiledStatements
  readonly queryRunner: QueryRunner
  readonly run: RunSelect
}

export interface Loading extends Reading {
  readonly shown: ShownFields
}

/** Reads all layers below these rows: one statement for each relationship of each include step that any row has. */
export async function loadIncludes(rows: readonly LoadedRow[], layer: Layer, loading: Loading): Promise<void> {
  for (const [place, include] of layer.includes.entries()) await loadInclude(rows, { include, place }, loading)
}

interface Step {
  readonly include: IncludeLayer
  /** Among the includes of the layer above. */
  readonly place: number
}

/** What stands below rows with the same key: they share it. */
interface Group extends RelatedRows {
  readonly key: Key | undefined
  readonly rows: LoadedRow[]
  hasMore: boolean
  total: number | undefined
}

async function loadInclude(rows: readonly LoadedRow[], step: Step, loading: Loading): Promise<void> {
  const groups = groupByKey(rows, step, loading.mapping)
  if (groups.size === 0) return
  const { layer } = step.include
  const rights = await loadRights(groups, step.include, loading)
  if (hasListeners(layer.type, loading.mapping)) await loadListened(rights, loading)
  if (layer.includes.length > 0) await loadIncludes(rights, layer, loading)
}

/** The keys by which the far rows are found. Every row above has its list from here on, still empty. */
function groupByKey(
  rows: readonly LoadedRow[],
  { include: { relationship, leftTypes, pages }, place }: Step,
  mapping: Mapping,
): ReadonlyMap<string, Group> {
  const isOnLeft = mapping.relationOf(relationship).kind === 'keyOnLeft'
  const groups = new Map<string, Group>()
  for (const row of rows) {
    if (!leftTypes.includes(row.type)) continue
    const key = isOnLeft ? row.keys[place] : row.key
    const name = key && nameOfKey(key)
    const known = name === undefined ? undefined : groups.get(name)
    const group = known ?? emptyGroup(key, pages)
    if (known === undefined && name !== undefined) groups.set(name, group)
    relate(row, relationship, group)
  }
  return groups
}

function emptyGroup(key: Key | undefined, pages: IncludedPages | undefined): Group {
  return { key, rows: [], hasMore: false, total: pages?.total === 'counted' ? 0 : undefined, pages }
}

function relate(row: LoadedRow, relationship: Relationship, related: RelatedRows): void {
  if (row.related === NOTHING_RELATED) row.related = new Map()
  row.related.set(relationship, related)
}

/** Fills the lists; gives each row once. */
async function loadRights(
  groups: ReadonlyMap<string, Group>,
  include: IncludeLayer,
  loading: Loading,
): Promise<readonly LoadedRow[]> {
  const { mapping, run } = loading
  const lefts = toLeftKeys([...groups.values()].flatMap(({ key }) => (key === undefined ? [] : [key])))
  const { made, statement } = prepareIncluded(include, lefts, loading)
  const { columns, parentOf } = made
  // A row of many rows above is one: what is below it is read and shown once. Through keys each row comes along once anyway.
  const shared = mapping.relationOf(include.relationship).kind === 'junction' ? new Map<string, LoadedRow>() : undefined
  const rights: LoadedRow[] = []
  const { records } = await run(statement)
  for (const cells of records) {
    const parent = parentOf(cells)
    const group = parent && groups.get(nameOfKey(parent))
    if (group === undefined || !isOnPage(cells, group)) continue
    const row = columns.readRow(cells)
    if (row === undefined) continue
    const known = shared?.get(row.id)
    group.rows.push(known ?? row)
    if (known !== undefined) continue
    rights.push(row)
    shared?.set(row.id, row)
  }
  return rights
}

/**
 * Beyond the page comes one row more of each parent, which tells that there are more; or, where they are counted, the first one with the
 * total.
 */
function isOnPage(cells: Cells, group: Group): boolean {
  const { range, total } = group.pages ?? {}
  if (range === undefined) return true
  if (total === 'counted') {
    group.total = Number(cells.at(-1))
    group.hasMore = range.offset + range.size < group.total
    return Number(cells.at(-2)) > range.offset
  }
  group.hasMore = group.rows.length >= range.size
  return !group.hasMore
}
