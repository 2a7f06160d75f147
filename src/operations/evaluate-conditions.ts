import type { Api } from '../endpoints/api'
import { matchesRevision } from '../endpoints/check-condition'
import { findRelationship } from '../endpoints/find-target'
import type { OpenTransaction } from '../endpoints/open-transaction'
import type { Relationship } from '../graph/model/resource-graph'
import { planLookUp, withStates } from '../plan/plan-read'
import type { Condition } from '../request/http/read-condition'
import type { Operation, WriteIntent } from '../request/intent/intent'

/**
 * The same operations, where each condition has been compared with the state before the first write of the request: with what the client has
 * seen. A state that earlier operations have made would tell of values that the client can't see, and then be undone. The first
 * operation compares for itself; one statement for each other operation with a version, two for linkage.
 */
export async function evaluateConditions(
  operations: readonly Operation[],
  open: OpenTransaction,
  api: Api,
): Promise<readonly Operation[]> {
  const decided: Operation[] = []
  for (const [index, operation] of operations.entries()) {
    const intent = index === 0 ? operation.intent : await withEvaluated(operation.intent, open, api)
    decided.push(intent === operation.intent ? operation : { ...operation, intent })
  }
  return decided
}

async function withEvaluated(intent: WriteIntent, open: OpenTransaction, api: Api): Promise<WriteIntent> {
  if (intent.kind === 'createResource' || intent.condition.kind !== 'states') return intent
  const { pointer, tokens } = intent.condition
  const condition: Condition = (await conditionHolds(tokens, intent, open, api))
    ? { kind: 'any' }
    : { kind: 'states', tokens: NONE }
  return { ...intent, condition: { ...condition, ...(pointer !== undefined && { pointer }) } }
}

/** Of what is there: nobody else writes it from now on. What the request is to add has had no state. */
async function conditionHolds(
  tokens: ReadonlySet<string>,
  intent: Exclude<WriteIntent, { kind: 'createResource' }>,
  { transaction, rules }: OpenTransaction,
  api: Api,
): Promise<boolean> {
  const { type, id, local } = intent.target
  if (local !== undefined) return false
  const [row] = (await transaction.read(withStates(planLookUp(type, [id], rules)), 'lock')).rows
  if (row === undefined) return false
  if (!('candidates' in intent)) return matchesRevision(tokens, row, 'resource', { transaction, rules }, api)
  const found = findRelationship<{ readonly relationship: Relationship }>(intent.candidates.found, row.type, rules)
  return found !== undefined && matchesRevision(tokens, row, found.relationship, { transaction, rules }, api)
}

const NONE: ReadonlySet<string> = new Set()
