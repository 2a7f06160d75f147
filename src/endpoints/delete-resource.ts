import type { DeleteResourceIntent } from '../request/intent/intent'
import { type EndpointResult, NO_CONTENT } from '../response/endpoint-result'
import { assertPreconditions } from './assert-preconditions'
import { type ExecutedWrite, runWriteHooksAndStatements } from './execute-write'
import { loadAndLockRequestedResource, resourceRowToRecord } from './load-requested-resource'
import type { RequestScope, WriteContext } from './request-scope'
import { runWriteInTransaction } from './run-in-transaction'

/** DELETE /humans/1. https://jsonapi.org/format/1.1/#crud-deleting */
export function handleDeleteResource(intent: DeleteResourceIntent, scope: RequestScope): Promise<EndpointResult> {
  return runWriteInTransaction(intent, { execute: executeDelete, toResult: () => NO_CONTENT }, scope)
}

async function executeDelete(
  { target, condition }: DeleteResourceIntent,
  writeContext: WriteContext,
): Promise<ExecutedWrite> {
  const row = await loadAndLockRequestedResource(target, writeContext)
  await assertPreconditions(condition, row, 'resource', writeContext)
  const stored = resourceRowToRecord(row)
  return runWriteHooksAndStatements(
    { kind: 'delete', type: stored.type, stored, attributes: new Map(), relationshipChanges: [] },
    writeContext,
  )
}
