import type { QueryRunner } from 'typeorm'
import { assertNever } from '../../errors/invariant'
import { JsonApiError, problem } from '../../errors/json-api-error'
import type { CreatePlan, DeletePlan, UpdatePlan, WritePlan } from '../../plan/write-plan'
import { changeLinks } from './change-links'
import { toProblem } from './database-errors'
import { deleteRows } from './delete-rows'
import { insertRow } from './insert-row'
import type { Mapping } from './mapping'
import { runStatement } from './run-statement'
import { toSql, value } from './sql'
import { updateRow } from './update-row'
import { keyOf, type Writing } from './writing'

/**
 * Runs the statements of a plan on a query runner, and so within its transaction; gives the id of the row. Their number depends on the
 * fields that are written, never on how many resources are linked.
 */
export async function applyWrite(plan: WritePlan, queryRunner: QueryRunner, mapping: Mapping): Promise<string> {
  const writing: Writing = { mapping, run: (sql) => runStatement(queryRunner, mapping.dialect, sql) }
  try {
    return await applyPlan(plan, writing)
  } catch (error) {
    throw toProblem(error, mapping, plan.type)
  }
}

function applyPlan(plan: WritePlan, writing: Writing): Promise<string> {
  switch (plan.kind) {
    case 'create':
      return applyCreate(plan, writing)
    case 'update':
      return applyUpdate(plan, writing)
    case 'delete':
      return applyDelete(plan, writing)
    default:
      return assertNever(plan)
  }
}

async function applyCreate(plan: CreatePlan, writing: Writing): Promise<string> {
  const { key, id } = await insertRow(plan, writing)
  await changeLinks(plan.links, { type: plan.type, key }, writing)
  return id
}

async function applyUpdate(plan: UpdatePlan, writing: Writing): Promise<string> {
  const key = keyOf(writing.mapping, plan.type, plan.id)
  const affected = await updateRow(plan, key, writing)
  if (affected === 0) throw notFound(plan)
  await changeLinks(plan.links, { type: plan.type, key }, writing)
  return plan.id
}

async function applyDelete(plan: DeletePlan, writing: Writing): Promise<string> {
  const key = keyOf(writing.mapping, plan.type, plan.id)
  const affected = await deleteRows([plan.type], (column) => toSql`${column} = ${value(key)}`, writing)
  if (affected === 0) throw notFound(plan)
  return plan.id
}

function notFound({ type, id }: UpdatePlan | DeletePlan): JsonApiError {
  return new JsonApiError([problem('resource.not-found', `There is no '${type.name}' with the id '${id}'.`)])
}
