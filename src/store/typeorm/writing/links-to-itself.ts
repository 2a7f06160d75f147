import { createErrorDetails, JsonApiError } from '../../../errors/json-api-error'
import type { CreatePlan } from '../../../plan/write-plan'
import { Param } from '../../../query/tree/param'
import { compileKeyEqualsValue } from '../joins/key-conditions'
import type { Key, PhysicalTable } from '../mapping/database-mapping'
import {
  assignmentsOfForeignKey,
  ensureForeignKeysAgree,
  type OwnedForeignKeyChange,
  toOwnedForeignKeyChanges,
} from './owned-foreign-keys'
import { updateRowsByKey } from './update-matching-rows'
import { type Assignments, assignmentsInTable, type SqlWriteContext } from './write-statements'

type OwnedForeignKeys = readonly OwnedForeignKeyChange[]

/** Links a row to itself after the database has generated its key. */
export async function linkToItself(
  { plan, keys }: { readonly plan: CreatePlan; readonly keys: OwnedForeignKeys },
  key: Key,
  context: SqlWriteContext,
): Promise<void> {
  const toItself = keysToItself(keys)
  if (toItself.length === 0) return
  ensureForeignKeysAgree(toOwnedForeignKeyChanges(plan.links, context.mapping, key))
  const set = selfReferenceAssignments(toItself, key)
  await updateRowsByKey(
    [plan.type],
    (part) => assignmentsInTable(set, part),
    (own) => compileKeyEqualsValue(own, new Param(key)),
    context,
  )
}

/** Returns the foreign keys that contain the row's own key, which the database has not generated yet. */
function keysToItself(keys: OwnedForeignKeys): OwnedForeignKeys {
  return keys.filter(({ key }) => key === undefined)
}

/** The tables of derived classes are written when the key is known, so their foreign keys need not be null until then. */
export function requiredKeysToOwnRow(keys: OwnedForeignKeys): OwnedForeignKeys {
  return keysToItself(keys).filter(({ link }) => link.metadata.joinColumns.some(({ isNullable }) => !isNullable))
}

export function selfReferenceAssignments(keys: OwnedForeignKeys, key: Key): Assignments {
  return new Map(keys.flatMap(({ link }) => [...assignmentsOfForeignKey(link.columns, key)]))
}

/** Throws if the row of the topmost table needs its own key, which the database generates only with that row. */
export function ensureNoEarlySelfReference(keys: OwnedForeignKeys, [topmost]: readonly PhysicalTable[]): void {
  const isEarly = ({ link }: OwnedForeignKeyChange) => link.columns.some(({ column }) => topmost?.columns.has(column))
  const early = requiredKeysToOwnRow(keys).find(isEarly)
  if (early === undefined) return
  const { name } = early.relationship
  const detail = `'${name}' can't refer to the new resource itself: it is required, and the database generates the id only with the row. Link another resource.`
  throw new JsonApiError([{ ...createErrorDetails('constraint.not-null', detail), field: name }])
}
