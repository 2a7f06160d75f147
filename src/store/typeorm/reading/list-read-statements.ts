import type { IncludeLayer, PlanLayer, ReadPlan } from '../../../plan/read-plan'
import type { ExplainedStatement } from '../../store'
import type { Mapping } from '../mapping/mapping'
import { compileInclude, compilePrimary, compileTotal } from '../select/compile-statements'
import { type ParentKeys, replaceIdsByKeys, toParentKeys } from '../select/key-criteria'
import { isCountedWithRows } from './count-rows'
import type { ReadContext } from './load-includes'
import { PLAIN_READ } from './read'

type ExplainContext = Pick<ReadContext, 'mapping' | 'queryCache'>

/** Returns the statements that `read` runs if each finds rows for the next one. */
export function listReadStatements(plan: ReadPlan, context: ExplainContext): readonly ExplainedStatement[] {
  const { layer, projection, total } = plan
  const criteria = replaceIdsByKeys(layer.criteria, layer.type, context.mapping)
  if (criteria === undefined) return []
  const isAlong = isCountedWithRows(plan)
  const reach = { ...PLAIN_READ, total: isAlong ? total : false } as const
  const rows = compilePrimary(layer, criteria, reach, { projection, ...context }).statement
  const isCounted = total !== false && layer.range !== undefined && !isAlong
  const counted = isCounted ? [{ reads: 'total', text: compileTotal(plan, criteria, context).statement.text }] : []
  return [{ reads: 'rows', text: rows.text }, ...counted, ...explainIncludes(layer, [], { projection, ...context })]
}

function explainIncludes(
  { includes }: PlanLayer,
  path: readonly string[],
  context: ExplainContext & Pick<ReadPlan, 'projection'>,
): readonly ExplainedStatement[] {
  return includes.flatMap((include) => {
    const here = [...path, include.relationship.name]
    const { statement } = compileInclude(include, sampleParentKeys(include, context.mapping), context)
    const below = explainIncludes(include.layer, here, context)
    return [{ reads: `included ${here.join('.')}`, text: statement.text }, ...below]
  })
}

/** Keys as rows above would have them. Texts of statements follow from their kind alone. */
function sampleParentKeys({ parentTypes: [parentType], relationship }: IncludeLayer, mapping: Mapping): ParentKeys {
  const type =
    mapping.relationOf(relationship).kind === 'owning' ? relationship.target : (parentType ?? relationship.target)
  const key = mapping.tableOf(type).key.map(({ databaseType }) => (OBJECT_TYPES.test(databaseType) ? new Date(0) : '0'))
  return toParentKeys([key])
}

/** Types that drivers return as a `Buffer` or a `Date`. */
const OBJECT_TYPES = /blob|binary|bytea|date|time/i
