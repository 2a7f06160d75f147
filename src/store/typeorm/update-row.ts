import type { UpdatePlan } from '../../plan/write-plan'
import { setByKey } from './change-rows'
import { divide } from './column-parts'
import { freeRights } from './free-rights'
import { guardRights } from './guard-rights'
import { isKey, isOtherKey } from './key-sql'
import { isSamePart } from './keys'
import type { Key, Mapping } from './mapping'
import { canRefer, checkSentAgree, type OwnKey, ownKeysOf, ownValues, refuseOtherId } from './own-keys'
import { checkUnsentStay } from './shared-columns'
import { value } from './sql'
import { stampsOfUpdate } from './stamps'
import type { Assignments, Writing } from './writing'

export interface RowUpdate {
  readonly plan: UpdatePlan
  readonly key: Key
  /** By listeners. */
  readonly changed: Assignments
}

/**
 * One update of the row's own columns: values, keys of to-one relationships, and what tells of a change. A write to any of its
 * relationships is a change too. Gives the number of rows that were there.
 */
export async function updateRow({ plan, key, changed }: RowUpdate, writing: Writing): Promise<number> {
  const { mapping } = writing
  const { type, links } = plan
  const { key: columns } = mapping.tableOf(type)
  const names = columns.map(({ column }) => column)
  const keys = ownKeysOf(links, mapping, key)
  checkOwnKey(keys, key)
  checkSentAgree(keys)
  await checkUnsentStay(keys, { type, key }, writing)
  await guardRights(links, writing)
  await freeRights(keys, (read) => [isOtherKey(read(names), key)], writing)
  const assignments = new Map([...changedValues(plan, { key, keys }, mapping), ...changed])
  if (assignments.size === 0) return 1
  return setByKey([type], assignments, (own) => isKey(own, key), writing)
}

/** What the row's own columns are given. */
export function changedValues(
  plan: UpdatePlan,
  { key, keys }: { readonly key: Key; readonly keys: readonly OwnKey[] },
  mapping: Mapping,
): Assignments {
  const { type, values, links } = plan
  return new Map([
    ...(values.size + links.length === 0 ? [] : stampsOfUpdate(mapping, type)),
    ...writtenValues(plan, key, mapping),
    ...ownValues(keys),
  ])
}

/** A rule may say again what the key has, and nothing else. */
function writtenValues({ type, values }: UpdatePlan, key: Key, mapping: Mapping): Assignments {
  const parts = mapping.tableOf(type).key.map(({ column }) => column)
  const written = [...values].flatMap(([attribute, held]) => {
    return divide(mapping.columnOf(type, attribute), held).map(([{ column, toDatabase }, part]) => {
      return { attribute, column, place: parts.indexOf(column), bound: toDatabase(part) }
    })
  })
  const other = written.find(({ place, bound }) => place >= 0 && !isSamePart(bound, key[place]))
  if (other !== undefined) throw refuseOtherId(other.attribute)
  return new Map(written.filter(({ place }) => place < 0).map(({ column, bound }) => [column, value(bound)]))
}

function checkOwnKey(keys: readonly OwnKey[], own: Key): void {
  for (const { relationship, key, link } of keys) {
    if (key != null && !canRefer(own, link.columns, key)) throw refuseOtherId(relationship)
  }
}
