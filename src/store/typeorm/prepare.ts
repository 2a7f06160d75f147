import type { ResourceType } from '../../graph/resource-graph'
import type { IncludeLayer, Layer, ShownFields } from '../../plan/read-plan'
import type { KeyedAmong } from './among'
import type { CompiledStatements, Prepared } from './compiled'
import { isDeep } from './deep-page'
import { estimateRows } from './estimate-rows'
import type { LeftKeys } from './left-keys'
import type { Branch, Mapping } from './mapping'
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

/** From which of the tables that rows of the type lie in, and whether they are locked. `place`: that of one; `undefined`: all. */
export interface Reach {
  readonly place: number | undefined
  readonly lock: 'lock' | 'noLock'
}

/** The rows of the topmost layer. */
export function preparePrimary(
  layer: Layer,
  among: KeyedAmong,
  { place, lock }: Reach,
  preparing: Preparing,
): Prepared<LayerSelect> {
  const { mapping, shown, compiled } = preparing
  return compiled.prepare(['rows', place, lock, isDeep(layer.range), among, ...nodesOf(layer, shown)], () => {
    const { branches: all } = mapping.tableOf(layer.type)
    const branches = place === undefined ? all : all.slice(place, place + 1)
    return lock === 'lock'
      ? selectLocked(layer, among, branches, preparing)
      : selectPrimary(layer, among, { shown, mapping, branches })
  })
}

function selectLocked(
  layer: Layer,
  among: KeyedAmong,
  branches: readonly Branch[],
  { mapping, shown }: Preparing,
): LayerSelect {
  const { dialect } = mapping
  const locked = branches.map((branch) => lockable(branch, dialect))
  const select = selectPrimary(layer, among, { shown, mapping, branches: locked })
  return { ...select, sql: toSql`${select.sql}${dialect.lock(select.alias)}` }
}

/** How many rows the layer has beyond its page. `upTo`: it does not matter how many more than that. */
export function prepareCount(
  { layer, upTo }: { readonly layer: Layer; readonly upTo: number | undefined },
  among: KeyedAmong,
  { mapping, compiled }: Preparing,
): Prepared<{ readonly sql: Sql }> {
  return compiled.prepare(['count', upTo, layer.type, among, layer.filter], () => ({
    sql: countPrimary(layer, among, { mapping, upTo }),
  }))
}

/** How many rows of a type there are, filter or not, by what the database keeps of its tables. */
export function prepareEstimate(type: ResourceType, { mapping, compiled }: Preparing): Prepared<{ readonly sql: Sql }> {
  return compiled.prepare(['estimate', type], () => ({ sql: estimateRows(type, mapping) }))
}

/** The rows at the other end of a relationship. */
export function prepareIncluded(
  include: IncludeLayer,
  lefts: LeftKeys,
  { mapping, shown, compiled }: Preparing,
): Prepared<IncludedSelect> {
  const { relationship, layer, pages } = include
  const nodes = ['included', relationship, pages !== undefined, lefts, ...nodesOf(layer, shown)]
  return compiled.prepare(nodes, () => selectIncluded(include, shown, mapping, lefts))
}

/** All that the statement of a layer follows from. Of its includes it has but the keys that lead there. */
function nodesOf({ includes, among: _, ...layer }: Layer, shown: ShownFields): readonly unknown[] {
  const followed = includes.map(({ relationship }) => relationship)
  const fetched = layer.type.concreteTypes.map((type) => toFetched(shown.of(type)))
  return [layer, followed, fetched]
}
