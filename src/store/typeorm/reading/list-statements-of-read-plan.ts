import type { IncludePlan, ReadPlan, ReadPlanLayer } from '../../../plan/read-plan'
import type { ListedReadStatement } from '../../store'
import type { DatabaseMapping } from '../mapping/database-mapping'
import {
  compileCachedIncludedSelect,
  compileCachedPrimarySelect,
  compileCachedTotalSelect,
} from '../select/compile-statements'
import { convertCriteriaIdsToKeys, type ParentKeys, toParentKeysParam } from '../select/row-criteria'
import { isCountedWithRows } from './count-rows'
import { READ_WITHOUT_LOCK_OR_TOTAL } from './execute-read-plan'
import type { ReadExecutionContext } from './load-includes'

type ExplainContext = Pick<ReadExecutionContext, 'mapping' | 'queryCache'>

/** Returns the statements that `read` runs if each finds rows for the next one. */
export function listStatementsOfReadPlan(plan: ReadPlan, context: ExplainContext): readonly ListedReadStatement[] {
  const { layer, projection, total } = plan
  const criteria = convertCriteriaIdsToKeys(layer.criteria, layer.type, context.mapping)
  if (criteria === undefined) return []
  const countsWithRows = isCountedWithRows(plan)
  const variant = { ...READ_WITHOUT_LOCK_OR_TOTAL, total: countsWithRows ? total : false } as const
  const rows = compileCachedPrimarySelect(layer, criteria, variant, { projection, ...context }).statement
  const isCounted = total !== false && layer.range !== undefined && !countsWithRows
  const counted = isCounted
    ? [{ reads: 'total', text: compileCachedTotalSelect(plan, criteria, context).statement.text }]
    : []
  return [{ reads: 'rows', text: rows.text }, ...counted, ...explainIncludes(layer, [], { projection, ...context })]
}

function explainIncludes(
  { includes }: ReadPlanLayer,
  path: readonly string[],
  context: ExplainContext & Pick<ReadPlan, 'projection'>,
): readonly ListedReadStatement[] {
  return includes.flatMap((include) => {
    const includePath = [...path, include.relationship.name]
    const { statement } = compileCachedIncludedSelect(include, sampleParentKeys(include, context.mapping), context)
    const nested = explainIncludes(include.layer, includePath, context)
    return [{ reads: `included ${includePath.join('.')}`, text: statement.text }, ...nested]
  })
}

/** Returns sample keys of parents. The statement text depends only on the kind of their values. */
function sampleParentKeys(
  { parentTypes: [parentType], relationship }: IncludePlan,
  mapping: DatabaseMapping,
): ParentKeys {
  const type =
    mapping.relationOf(relationship).kind === 'owning' ? relationship.target : (parentType ?? relationship.target)
  const key = mapping.tableOf(type).key.map(({ databaseType }) => (OBJECT_TYPES.test(databaseType) ? new Date(0) : '0'))
  return toParentKeysParam([key])
}

/** Types that drivers return as a `Buffer` or a `Date`. */
const OBJECT_TYPES = /blob|binary|bytea|date|time/i
