import { assertNever } from '../../../errors/invariant'
import { createJsonApiError, type JsonApiError } from '../../../errors/json-api-error'
import type { IsFieldHidden } from '../../../graph/model/capabilities'
import type { CreatePlan, DeletePlan, UpdatePlan, WritePlan } from '../../../plan/write-plan'
import { Param } from '../../../query/tree/param'
import { compileKeyEqualsValue } from '../joins/key-conditions'
import { getKeyOfCheckedId } from '../mapping/keys'
import {
  broadcastBeforeDelete,
  broadcastBeforeInsert,
  broadcastBeforeUpdate,
  type EntityListenerCallContext,
} from './broadcast-writes'
import { changeLinksInOtherRows } from './change-links-in-other-rows'
import { convertConstraintViolation } from './convert-constraint-violation'
import { deleteOrSoftDeleteRows } from './delete-or-soft-delete-rows'
import { insertRowReturningKey } from './insert-rows'
import { updatePlannedRows } from './update-rows'
import type { SqlWriteContext } from './write-statements'

/**
 * Runs the statements of a plan in the transaction of a query runner. Returns the id of the row. The number of statements depends on the written fields,
 * not on the number of linked resources.
 */
export async function executeWritePlan(plan: WritePlan, context: ApplyContext): Promise<string> {
  try {
    return await applyPlan(plan, context)
  } catch (error) {
    throw convertConstraintViolation(error, context.mapping, plan.type, context.isHidden, plan.kind)
  }
}

/** The context of a write. `run` uses the connection of the query runner. Errors name no field that is hidden. */
interface ApplyContext extends SqlWriteContext, EntityListenerCallContext {
  readonly isHidden: IsFieldHidden
}

function applyPlan(plan: WritePlan, context: ApplyContext): Promise<string> {
  switch (plan.kind) {
    case 'create':
      return applyCreate(plan, context)
    case 'update':
      return applyUpdate(plan, context)
    case 'delete':
      return applyDelete(plan, context)
    default:
      return assertNever(plan)
  }
}

async function applyCreate(plan: CreatePlan, context: ApplyContext): Promise<string> {
  const broadcast = await broadcastBeforeInsert(plan, context)
  const key = await insertRowReturningKey({ plan, changed: broadcast.changes }, context)
  await changeLinksInOtherRows(plan.relationshipChanges, { type: plan.type, key }, context)
  await broadcast.broadcastAfter(key)
  return context.mapping.tableOf(plan.type).toId(key)
}

async function applyUpdate(plan: UpdatePlan, context: ApplyContext): Promise<string> {
  const key = getKeyOfCheckedId(context.mapping, plan.type, plan.id)
  const broadcast = await broadcastBeforeUpdate(plan, context)
  const affected = await updatePlannedRows([{ plan, key, changed: broadcast.changes }], context)
  if (affected === 0) throw notFound(plan)
  await changeLinksInOtherRows(plan.relationshipChanges, { type: plan.type, key }, context)
  await broadcast.broadcastAfter(key)
  return plan.id
}

async function applyDelete(plan: DeletePlan, context: ApplyContext): Promise<string> {
  const key = getKeyOfCheckedId(context.mapping, plan.type, plan.id)
  const broadcast = await broadcastBeforeDelete(plan, context)
  await deleteOrSoftDeleteRows([plan.type], (columns) => compileKeyEqualsValue(columns, new Param(key)), context)
  await broadcast.broadcastAfter(key)
  return plan.id
}

function notFound({ type, id }: UpdatePlan): JsonApiError {
  return createJsonApiError('resource.not-found', `There is no '${type.name}' with the id '${id}'.`)
}
