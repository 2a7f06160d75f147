import type { IncludePlan, OffsetRange, PageRange, ReadPlanLayer } from '../../../plan/read-plan'
import { Param } from '../../../query/tree/param'
import type { Dialect } from '../dialects/dialect'
import { paramSql, rawSql, type Sql, sqlTag } from '../sql/sql'
import { createSumParam, mapParam, type ParamOrComputedParam } from '../sql/sql-param'

/**
 * A page size in a statement. A parameter is bound, so all sizes share the statement. A number is part of the text, and also of the cache key of the
 * statement, because it is no `Param`.
 */
type PageSize = number | Param<number>

/** A layer whose statement is compiled, and the same of a range and of an include. */
export type PlanLayerWithPageSizeOrParam = ReadPlanLayer<PageSize>
export type RowRangeWithSizeOrParam = PageRange<PageSize>
export type OffsetRangeWithSizeOrParam = OffsetRange<PageSize>
export type IncludePlanWithPageSizeOrParam = IncludePlan<PageSize>

/** Makes the page size a parameter, unless the database would plan the statement again at each execution. */
export function withPageSizeAsParam(
  layer: ReadPlanLayer,
  { plansBoundLimitsAgain }: Dialect,
): PlanLayerWithPageSizeOrParam {
  const { range } = layer
  if (range === undefined || plansBoundLimitsAgain) return layer
  return { ...layer, range: { ...range, size: new Param(range.size) } }
}

/** Limits a select to one row beyond the page, which shows whether there is another page. */
export function compileLimitPlusOne(size: PageSize): Sql {
  const limit = typeof size === 'number' ? rawSql(String(size + 1)) : paramSql(mapParam(size, (rows) => rows + 1))
  return sqlTag` limit ${limit}`
}

/** Returns the number of rows up to the end of a page, and some more. */
export function createPageEndOffsetParam(
  { offset, size }: OffsetRangeWithSizeOrParam,
  more: number,
): ParamOrComputedParam<number> {
  return typeof size === 'number'
    ? mapParam(offset, (start) => start + size + more)
    : createSumParam(offset, size, more)
}
