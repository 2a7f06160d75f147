import type { TotalOption } from '../../declarations/field-options'
import type { IncludeLayer, Layer, ReadPlan, ShownFields } from '../../plan/read-plan'
import { isByPairs, type KeyedAmong } from './among'
import type { CompiledStatements, Prepared } from './compiled'
import { isDeep } from './deep-page'
import { estimateRows, isEstimated } from './estimate-rows'
import type { LeftKeys } from './left-keys'
import type { Branch, Mapping } from './mapping'
import { findCutShape } from './position-shape'
import { lockable } from './scope'
import { countPrimary, type IncludedSelect, type LayerSelect, selectIncluded, selectPrimary } from './select-layer'
import { toFetched } from './shape'
import { type Sql, toSql } from './sql'

/** What every statement is compiled with. */
export interface Preparing {
  readonly mapping: Mapping
  readonly compiled: CompiledStatements
  readonly shown: ShownFields
}

/**
 * Which rows a read locks. `lockLinks`: where the keys of links lie in a table of pairs only those pairs, since the rows may be those of others too;
 * elsewhere the rows.
 */
export type Lock = 'lock' | 'lockLinks' | 'noLock'

/** From which of the tables that rows of the type lie in, and whether they are locked. `place`: that of one; `undefined`: all. */
export interface Reach {
  readonly place: number | undefined
  readonly lock: Lock
  /** What stands behind the columns of each row; not of locked ones. */
  readonly total: TotalOption
}

/** The rows of the topmost layer. */
export function preparePrimary(
  layer: Layer,
  among: KeyedAmong,
  { place, lock, total }: Reach,
  preparing: Preparing,
): Prepared<LayerSelect> {
  const { mapping, shown, compiled } = preparing
  return compiled.prepare(['rows', place, lock, total, isDeep(layer.range), among, ...nodesOf(layer, shown)], () => {
    const { branches: all } = mapping.tableOf(layer.type)
    const branches = place === undefined ? all : all.slice(place, place + 1)
    if (lock !== 'noLock') return selectLocked({ layer, among, branches, lock }, preparing)
    const further = total === 'off' ? [] : [toSql`(${selectTotal({ layer, total }, among, mapping)}) as total`]
    return selectPrimary(layer, among, { shown, mapping, branches, further })
  })
}

interface Locking {
  readonly layer: Layer
  readonly among: KeyedAmong
  readonly branches: readonly Branch[]
  readonly lock: Exclude<Lock, 'noLock'>
}

function selectLocked({ layer, among, branches, lock }: Locking, { mapping, shown }: Preparing): LayerSelect {
  const { dialect } = mapping
  // Only MariaDB and MySQL come here, which need no alias.
  if (lock === 'lockLinks' && isByPairs(among, mapping)) {
    return selectPrimary(layer, among, { shown, mapping, branches, further: [], pairLock: dialect.lock('') })
  }
  const locked = branches.map((branch) => lockable(branch, dialect))
  const select = selectPrimary(layer, among, { shown, mapping, branches: locked, further: [] })
  return { ...select, sql: toSql`${select.sql}${dialect.lock(select.alias)}` }
}

/** What a total follows from. */
export type Totalled = Pick<ReadPlan, 'layer' | 'total'>

/** How many rows the layer has beyond its page, as far as the plan wants to know it. */
export function prepareTotal(
  { layer, total }: Totalled,
  among: KeyedAmong,
  { mapping, compiled }: Pick<Preparing, 'mapping' | 'compiled'>,
): Prepared<{ readonly sql: Sql }> {
  return compiled.prepare(['total', total, layer.type, among, layer.filter], () => ({
    sql: selectTotal({ layer, total }, among, mapping),
  }))
}

function selectTotal({ layer, total }: Totalled, among: KeyedAmong, mapping: Mapping): Sql {
  if (isEstimated({ layer, total }, mapping)) return estimateRows(layer.type, mapping)
  return countPrimary(layer, among, { mapping, upTo: typeof total === 'object' ? total.upTo : undefined })
}

/** The rows at the other end of a relationship. */
export function prepareIncluded(
  include: IncludeLayer,
  lefts: LeftKeys,
  { mapping, shown, compiled }: Preparing,
): Prepared<IncludedSelect> {
  const { relationship, layer, pages } = include
  const nodes = ['included', relationship, pages?.total, lefts, ...nodesOf(layer, shown)]
  return compiled.prepare(nodes, () => selectIncluded(include, shown, mapping, lefts))
}

/** All that the statement of a layer follows from. Of its includes it has but the keys that lead there. */
export function nodesOf(layer: Layer, shown: ShownFields): readonly unknown[] {
  const followed = layer.includes.map(({ relationship }) => relationship)
  const fetched = layer.type.concreteTypes.map((type) => toFetched(shown.of(type)))
  // To take members out by a rest would cost Node.js 20 a microsecond.
  const own = { ...layer, includes: followed, among: undefined }
  return [own, fetched, findCutShape(layer) ?? VOLATILE_NODE]
}

const VOLATILE_NODE = { kind: 'volatile' }
