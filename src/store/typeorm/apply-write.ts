import { assertNever } from '../../errors/invariant'
import { JsonApiError, problem } from '../../errors/json-api-error'
import type { CreatePlan, DeletePlan, UpdatePlan, WritePlan } from '../../plan/write-plan'
import { changeLinks } from './change-links'
import { toProblem } from './database-errors'
import { deleteRows } from './delete-rows'
import { insertRow } from './insert-row'
import { isKey } from './key-sql'
import { keyOf } from './keys'
import { type Telling, tellOfDelete, tellOfInsert, tellOfUpdate } from './tell-listeners'
import { updateRow } from './update-row'
import type { Writing } from './writing'

/**
 * Runs the statements of a plan within the transaction of a query runner; gives the id of the row. Their number depends on the fields
 * that are written, never on how many resources are linked.
 */
export async function applyWrite(plan: WritePlan, applying: Applying): Promise<string> {
  try {
    return await applyPlan(plan, applying)
  } catch (error) {
    throw toProblem(error, applying.mapping, plan.type)
  }
}

/** `run` is on the connection of the query runner. */
export interface Applying extends Writing, Telling {}

function applyPlan(plan: WritePlan, applying: Applying): Promise<string> {
  switch (plan.kind) {
    case 'create':
      return applyCreate(plan, applying)
    case 'update':
      return applyUpdate(plan, applying)
    case 'delete':
      return applyDelete(plan, applying)
    default:
      return assertNever(plan)
  }
}

async function applyCreate(plan: CreatePlan, applying: Applying): Promise<string> {
  const told = await tellOfInsert(plan, applying)
  const { key, id } = await insertRow(plan, told.changed, applying)
  await changeLinks(plan.links, { type: plan.type, key }, applying)
  await told.tellDone(key)
  return id
}

async function applyUpdate(plan: UpdatePlan, applying: Applying): Promise<string> {
  const key = keyOf(applying.mapping, plan.type, plan.id)
  const told = await tellOfUpdate(plan, applying)
  const affected = await updateRow({ plan, key, changed: told.changed }, applying)
  if (affected === 0) throw notFound(plan)
  await changeLinks(plan.links, { type: plan.type, key }, applying)
  await told.tellDone(key)
  return plan.id
}

async function applyDelete(plan: DeletePlan, applying: Applying): Promise<string> {
  const key = keyOf(applying.mapping, plan.type, plan.id)
  const told = await tellOfDelete(plan, applying)
  const affected = await deleteRows([plan.type], (columns) => isKey(columns, key), applying)
  if (affected === 0) throw notFound(plan)
  await told.tellDone(key)
  return plan.id
}

function notFound({ type, id }: UpdatePlan | DeletePlan): JsonApiError {
  return new JsonApiError([problem('resource.not-found', `There is no '${type.name}' with the id '${id}'.`)])
}
