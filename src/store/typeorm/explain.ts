import type { IncludeLayer, Layer, ReadPlan } from '../../plan/read-plan'
import type { ExplainedStatement } from '../store'
import { toKeyed } from './among'
import { isCountedAlong } from './count-rows'
import { type LeftKeys, toLeftKeys } from './left-keys'
import type { Reading } from './load-includes'
import type { Mapping } from './mapping'
import { prepareIncluded, preparePrimary, prepareTotal } from './prepare'
import { ALL_TABLES } from './read'

type Compiling = Pick<Reading, 'mapping' | 'compiled'>

/** What `read` runs where each statement finds rows for the next one. */
export function explainRead(plan: ReadPlan, compiling: Compiling): readonly ExplainedStatement[] {
  const { layer, shown, total } = plan
  const among = toKeyed(layer.among, layer.type, compiling.mapping)
  if (among === undefined) return []
  const isAlong = isCountedAlong(plan)
  const reach = { ...ALL_TABLES, total: isAlong ? total : 'off' } as const
  const rows = preparePrimary(layer, among, reach, { shown, ...compiling }).statement
  const isCounted = total !== 'off' && layer.range !== undefined && !isAlong
  const counted = isCounted ? [{ reads: 'total', text: prepareTotal(plan, among, compiling).statement.text }] : []
  return [{ reads: 'rows', text: rows.text }, ...counted, ...explainIncludes(layer, [], { shown, ...compiling })]
}

function explainIncludes(
  { includes }: Layer,
  path: readonly string[],
  preparing: Compiling & Pick<ReadPlan, 'shown'>,
): readonly ExplainedStatement[] {
  return includes.flatMap((include) => {
    const here = [...path, include.relationship.name]
    const { statement } = prepareIncluded(include, anyKeys(include, preparing.mapping), preparing)
    const below = explainIncludes(include.layer, here, preparing)
    return [{ reads: `included ${here.join('.')}`, text: statement.text }, ...below]
  })
}

/** Keys as rows above would have them. Texts of statements follow from their kind alone. */
function anyKeys({ leftTypes: [left], relationship }: IncludeLayer, mapping: Mapping): LeftKeys {
  const type =
    mapping.relationOf(relationship).kind === 'keyOnLeft' ? relationship.target : (left ?? relationship.target)
  const key = mapping
    .tableOf(type)
    .key.map(({ databaseType }) => (HELD_AS_OBJECTS.test(databaseType) ? new Date(0) : '0'))
  return toLeftKeys([key])
}

/** What drivers give as a `Buffer` or a `Date`. */
const HELD_AS_OBJECTS = /blob|binary|bytea|date|time/i
