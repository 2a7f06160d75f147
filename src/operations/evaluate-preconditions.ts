import { isAtRevision } from '../endpoints/assert-preconditions'
import { findCandidateOfStoredType } from '../endpoints/load-requested-resource'
import type { WriteContext } from '../endpoints/request-scope'
import type { Relationship } from '../graph/model/resource-graph'
import { planIdentifiersByIds, withRevisionSources } from '../plan/plan-read'
import type { WritePrecondition } from '../request/http/read-precondition'
import type { OperationWithIntent, WriteIntent } from '../request/intent/intent'

/**
 * Compares each condition with the state before the first write of the request, because this is the state that the client has read. A state
 * after earlier operations could reveal values that the client can't see, or that are rolled back. The condition of the first operation is
 * checked when it runs. Each other operation with a version takes one statement, or two for linkage.
 */
export async function evaluateOperationPreconditions(
  operations: readonly OperationWithIntent[],
  writeContext: WriteContext,
): Promise<readonly OperationWithIntent[]> {
  const evaluated: OperationWithIntent[] = []
  for (const [index, operation] of operations.entries()) {
    const intent = index === 0 ? operation.intent : await evaluateCondition(operation.intent, writeContext)
    evaluated.push(intent === operation.intent ? operation : { ...operation, intent })
  }
  return evaluated
}

async function evaluateCondition(intent: WriteIntent, writeContext: WriteContext): Promise<WriteIntent> {
  if (intent.kind === 'createResource' || intent.condition.kind !== 'states') return intent
  const { pointer, tokens } = intent.condition
  const condition: WritePrecondition = (await conditionHolds(tokens, intent, writeContext))
    ? { kind: 'any' }
    : { kind: 'states', tokens: NO_TOKENS }
  return { ...intent, condition: { ...condition, ...(pointer !== undefined && { pointer }) } }
}

/** Returns true if a condition holds. Locks the row, so that no other transaction changes it. A resource that the request adds has no state. */
async function conditionHolds(
  tokens: ReadonlySet<string>,
  intent: Exclude<WriteIntent, { kind: 'createResource' }>,
  writeContext: WriteContext,
): Promise<boolean> {
  const { type, id, local } = intent.target
  if (local !== undefined) return false
  const {
    transaction,
    scope: { rules },
  } = writeContext
  const [row] = (await transaction.read(withRevisionSources(planIdentifiersByIds(type, [id], rules)), 'lock')).rows
  if (row === undefined) return false
  if (!('candidates' in intent)) return isAtRevision(tokens, row, 'resource', writeContext)
  const found = findCandidateOfStoredType<{ readonly relationship: Relationship }>(
    intent.candidates.found,
    row.type,
    rules,
  )
  return found !== undefined && isAtRevision(tokens, row, found.relationship, writeContext)
}

const NO_TOKENS: ReadonlySet<string> = new Set()
