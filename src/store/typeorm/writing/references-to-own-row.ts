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

/** Writes the foreign keys of a row that refer to the row itself, after the database has generated its key. */
export async function updateReferencesToOwnRow(
  { plan, keys }: { readonly plan: CreatePlan; readonly keys: OwnedForeignKeys },
  key: Key,
  context: SqlWriteContext,
): Promise<void> {
  const toItself = referencesToOwnRow(keys)
  if (toItself.length === 0) return
  ensureForeignKeysAgree(toOwnedForeignKeyChanges(plan.relationshipChanges, context.mapping, key))
  const set = assignmentsOfReferencesToOwnRow(toItself, key)
  await updateRowsByKey(
    [plan.type],
    (part) => assignmentsInTable(set, part),
    (own) => compileKeyEqualsValue(own, new Param(key)),
    context,
  )
}

/** Returns the foreign keys that contain the row's own key, which the database has not generated yet. */
function referencesToOwnRow(keys: OwnedForeignKeys): OwnedForeignKeys {
  return keys.filter(({ key }) => key === undefined)
}

/** The tables of derived classes are written when the key is known, so their foreign keys need not be null until then. */
export function requiredReferencesToOwnRow(keys: OwnedForeignKeys): OwnedForeignKeys {
  return referencesToOwnRow(keys).filter(({ relation }) =>
    relation.metadata.joinColumns.some(({ isNullable }) => !isNullable),
  )
}

export function assignmentsOfReferencesToOwnRow(keys: OwnedForeignKeys, key: Key): Assignments {
  return new Map(keys.flatMap(({ relation }) => [...assignmentsOfForeignKey(relation.columns, key)]))
}

/** Throws if the row of the topmost table needs its own key, which the database generates only with that row. */
export function ensureNoEarlyReferenceToOwnRow(keys: OwnedForeignKeys, [topmost]: readonly PhysicalTable[]): void {
  const isEarly = ({ relation }: OwnedForeignKeyChange) =>
    relation.columns.some(({ column }) => topmost?.columns.has(column))
  const early = requiredReferencesToOwnRow(keys).find(isEarly)
  if (early === undefined) return
  const { name } = early.relationship
  const detail = `'${name}' can't refer to the new resource itself: it is required, and the database generates the id only with the row. Link another resource.`
  throw new JsonApiError([{ ...createErrorDetails('constraint.not-null', detail), field: name }])
}
