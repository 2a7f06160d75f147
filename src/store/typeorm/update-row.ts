import type { UpdatePlan } from '../../plan/write-plan'
import { freeRights, ownKeysOf } from './own-keys'
import { identifier, join, toSql, value } from './sql'
import { stampsOfUpdate } from './stamps'
import { type Assignments, present, setClause, type Writing } from './writing'

export interface RowUpdate {
  readonly plan: UpdatePlan
  readonly key: unknown
  /** By listeners. */
  readonly changed: Assignments
}

/**
 * One update of the row's own columns: values, keys of to-one relationships, and what tells of a change. A write to any of its
 * relationships is a change too. Gives the number of rows that were there.
 */
export async function updateRow({ plan, key, changed }: RowUpdate, writing: Writing): Promise<number> {
  const { mapping, run } = writing
  const { type, values, links } = plan
  const { name, id } = mapping.tableOf(type)
  const keys = ownKeysOf(links, mapping, key)
  await freeRights(keys, type, [toSql`${identifier(id.column)} <> ${value(key)}`], writing)
  const assignments = new Map([
    ...(values.size + links.length === 0 ? [] : stampsOfUpdate(mapping, type)),
    ...[...values].map(([attribute, held]) => {
      const { column, toDatabase } = mapping.columnOf(type, attribute)
      return [column, value(toDatabase(held))] as const
    }),
    ...keys.map((own) => [own.column, value(own.key)] as const),
    ...changed,
  ])
  if (assignments.size === 0) return 1
  const row = [toSql`${identifier(id.column)} = ${value(key)}`, ...present(mapping, [type])]
  const { affected } = await run(
    toSql`update ${identifier(name)} set ${setClause(assignments)} where ${join(row, ' and ')}`,
  )
  return affected
}
