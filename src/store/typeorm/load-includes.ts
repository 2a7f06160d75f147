import type { QueryRunner } from 'typeorm'
import type { Relationship } from '../../graph/resource-graph'
import type { IncludeLayer, Layer, ShownFields } from '../../plan/read-plan'
import type { PageTotal, ResultRow } from '../read-result'
import { nameOfKey } from './keys'
import { loadListened } from './load-listened'
import type { Key, Mapping } from './mapping'
import type { SelectedRow } from './select-columns'
import { PLACE, selectIncluded, TOTAL } from './select-layer'
import type { Sql } from './sql'

export type RunSelect = (sql: Sql) => Promise<readonly Record<string, unknown>[]>

/** What every read works with. */
export interface Reading {
  readonly mapping: Mapping
  readonly queryRunner: QueryRunner
  readonly run: RunSelect
}

export interface Loading extends Reading {
  readonly shown: ShownFields
}

/** A row on its way to become a `ResultRow`: its related rows are filled in layer by layer. */
export interface LoadedRow extends Omit<SelectedRow, 'values'> {
  /** Those that were selected, unless listeners had something to say of them. */
  values: readonly unknown[]
  readonly related: Map<Relationship, ResultRow[]>
  readonly totals: Map<Relationship, PageTotal>
}

/** What a row has before its relationships are read. */
export function nothingLoaded(): Pick<LoadedRow, 'related' | 'totals'> {
  return { related: new Map(), totals: new Map() }
}

/** Reads all layers below these rows: one statement for each relationship of each include step that any row has. */
export async function loadIncludes(rows: readonly LoadedRow[], layer: Layer, loading: Loading): Promise<void> {
  for (const include of layer.includes) await loadInclude(rows, include, loading)
}

async function loadInclude(rows: readonly LoadedRow[], include: IncludeLayer, loading: Loading): Promise<void> {
  const { relationship, leftTypes, layer, pages } = include
  const lefts = rows.filter((row) => leftTypes.includes(row.type))
  for (const row of lefts) {
    row.related.set(relationship, [])
    if (pages !== undefined) row.totals.set(relationship, { pages, total: 0 })
  }
  const byKey = groupByKey(lefts, relationship)
  if (byKey.size === 0) return
  const keys = [...byKey.values()].map(({ key }) => key)
  const { sql, columns, parentOf } = selectIncluded(include, loading.shown, loading.mapping, keys)
  // A row of many rows above is one: what is below it is read and shown once.
  const loaded = new Map<string, LoadedRow>()
  for (const record of await loading.run(sql)) {
    const row = columns.readRow(record)
    if (row === undefined) continue
    const parent = parentOf(record)
    const parents = (parent && byKey.get(nameOfKey(parent))?.rows) ?? []
    if (pages !== undefined) {
      for (const left of parents) left.totals.set(relationship, { pages, total: Number(record[TOTAL]) })
      if (Number(record[PLACE]) <= pages.range.offset) continue
    }
    const right: LoadedRow = loaded.get(row.id) ?? { ...row, ...nothingLoaded() }
    loaded.set(row.id, right)
    for (const left of parents) left.related.get(relationship)?.push(right)
  }
  const rights = [...loaded.values()]
  await loadListened(rights, loading)
  await loadIncludes(rights, layer, loading)
}

/** The keys by which the far rows are found, each with the rows that they belong to. */
function groupByKey(
  rows: readonly LoadedRow[],
  relationship: Relationship,
): ReadonlyMap<string, { readonly key: Key; readonly rows: LoadedRow[] }> {
  const groups = new Map<string, { readonly key: Key; readonly rows: LoadedRow[] }>()
  for (const row of rows) {
    const key = row.keys.has(relationship) ? row.keys.get(relationship) : row.key
    if (key === undefined) continue
    const name = nameOfKey(key)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, { key, rows: [row] })
    else group.rows.push(row)
  }
  return groups
}
