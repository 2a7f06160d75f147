import type { TotalOption } from '../../../declarations/field-options'
import type { FieldSelection, IncludePlan, ReadPlan, ReadPlanLayer } from '../../../plan/read-plan'
import { cursorShapeCacheKeyIfCacheable } from '../dialects/cursor-cache-key'
import { addForUpdateInsideDerivedTable } from '../joins/scope'
import type { DatabaseMapping } from '../mapping/database-mapping'
import { type Sql, sqlTag } from '../sql/sql'
import type { CompiledQueryCache, QueryWithBoundStatement } from './compiled-query-cache'
import { toProjectionCacheKeyNode } from './compiled-query-cache-key'
import { canEstimateTotal, compileEstimatedRowCount } from './estimate-rows'
import { classifyPageDepth } from './page-position'
import { type PlanLayerWithPageSizeOrParam, withPageSizeAsParam } from './plan-layer-with-page-size-or-param'
import { keyCriteriaUseJunction, type ParentKeys, type RowCriteriaByKeyOrRelationship } from './row-criteria'
import type { CompiledIncludedSelect, CompiledLayerSelect } from './select-columns'
import {
  compileIncludedSelect,
  compilePrimaryCount,
  compilePrimaryLayerSelect,
  type ReadLockTarget,
} from './select-layer'

/** The context of compiling statements. */
interface CompileContext {
  readonly mapping: DatabaseMapping
  readonly queryCache: CompiledQueryCache
  readonly projection: FieldSelection
}

/** A variant of the statement of a layer. `tableIndex`: the table of a union to read from; `undefined`: all tables. */
export interface ReadStatementVariant {
  readonly tableIndex: number | undefined
  readonly lock: ReadLockTarget
  /** The total to select as the last column; never for locked rows. */
  readonly total: TotalOption
}

/** Returns the compiled query of the rows of the topmost layer, from the cache if it has it. */
export function compileCachedPrimarySelect(
  planLayer: ReadPlanLayer,
  criteria: RowCriteriaByKeyOrRelationship,
  variant: ReadStatementVariant,
  context: CompileContext,
): QueryWithBoundStatement<CompiledLayerSelect> {
  const { tableIndex, lock, total } = variant
  const layer = withPageSizeAsParam(planLayer, context.mapping.dialect)
  return context.queryCache.getOrCompile(
    [
      'rows',
      tableIndex,
      lock,
      total,
      classifyPageDepth(layer.range),
      criteria,
      ...cacheKeyParts(layer, context.projection),
    ],
    () => selectVariant(layer, criteria, variant, context),
  )
}

/** Compiles the select of a variant. */
function selectVariant(
  layer: PlanLayerWithPageSizeOrParam,
  criteria: RowCriteriaByKeyOrRelationship,
  { tableIndex, lock, total }: ReadStatementVariant,
  { mapping, projection }: CompileContext,
): CompiledLayerSelect {
  const { dialect } = mapping
  const { tableRowSources: allTables } = mapping.tableOf(layer.type)
  const tableRowSources = tableIndex === undefined ? allTables : allTables.slice(tableIndex, tableIndex + 1)
  // Only MariaDB and MySQL lock links with a select, since their plain selects don't read the current ones. They need no alias.
  const junctionLock = lock !== 'noLock' && dialect.name === 'mysql' ? dialect.lock('') : undefined
  const options = { projection, mapping, tableRowSources, lock, junctionLock, extraColumns: [] }
  if (lock === 'noLock') {
    if (total === false) return compilePrimaryLayerSelect(layer, criteria, options)
    const count = sqlTag`(${selectTotal({ layer, total }, criteria, mapping)}) as total`
    return compilePrimaryLayerSelect(layer, criteria, { ...options, extraColumns: [count] })
  }
  if (lock === 'lockLinks' && keyCriteriaUseJunction(criteria, mapping))
    return compilePrimaryLayerSelect(layer, criteria, options)
  const lockableTables = tableRowSources.map((table) => addForUpdateInsideDerivedTable(table, dialect))
  const select = compilePrimaryLayerSelect(layer, criteria, { ...options, tableRowSources: lockableTables })
  return { ...select, sql: sqlTag`${select.sql}${dialect.lock(select.alias)}` }
}

/** The parts of a plan that a total depends on. */
interface TotalPlan extends Pick<ReadPlan, 'total'> {
  readonly layer: PlanLayerWithPageSizeOrParam
}

/** Compiles the total of the layer: an exact, limited or estimated count, as the plan requests. */
export function compileCachedTotalSelect(
  { layer, total }: TotalPlan,
  criteria: RowCriteriaByKeyOrRelationship,
  { mapping, queryCache }: Pick<CompileContext, 'mapping' | 'queryCache'>,
): QueryWithBoundStatement<{ readonly sql: Sql }> {
  return queryCache.getOrCompile(['total', total, layer.type, criteria, layer.filter], () => ({
    sql: selectTotal({ layer, total }, criteria, mapping),
  }))
}

function selectTotal(
  { layer, total }: TotalPlan,
  criteria: RowCriteriaByKeyOrRelationship,
  mapping: DatabaseMapping,
): Sql {
  if (canEstimateTotal({ layer, total }, mapping)) return compileEstimatedRowCount(layer.type, mapping)
  return compilePrimaryCount(layer, criteria, {
    mapping,
    maxCount: typeof total === 'object' ? total.maxCount : undefined,
  })
}

/** Returns the compiled query of the rows at the other end of a relationship, from the cache if it has it. */
export function compileCachedIncludedSelect(
  include: IncludePlan,
  parentKeys: ParentKeys,
  { mapping, projection, queryCache }: CompileContext,
): QueryWithBoundStatement<CompiledIncludedSelect> {
  const { relationship, paging } = include
  const layer = withPageSizeAsParam(include.layer, mapping.dialect)
  const nodes = ['included', relationship, paging?.total, parentKeys, ...cacheKeyParts(layer, projection)]
  return queryCache.getOrCompile(nodes, () => {
    return compileIncludedSelect({ ...include, layer }, projection, mapping, parentKeys)
  })
}

/** Returns the parts of a layer that its statement depends on. The relationships of its includes determine the foreign keys to select. */
export function cacheKeyParts(layer: PlanLayerWithPageSizeOrParam, projection: FieldSelection): readonly unknown[] {
  const includedRelationships = layer.includes.map(({ relationship }) => relationship)
  const fetched = layer.type.concreteTypes.map((type) => toProjectionCacheKeyNode(projection.of(type)))
  // Overwrites members, because a rest pattern costs a microsecond on Node.js 20.
  const ownPart = { ...layer, includes: includedRelationships, criteria: undefined }
  return [ownPart, fetched, cursorShapeCacheKeyIfCacheable(layer) ?? VOLATILE_PART]
}

const VOLATILE_PART = { kind: 'volatile' }
