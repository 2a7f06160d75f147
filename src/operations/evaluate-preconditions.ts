import { matchesRevisionTokens } from '../endpoints/assert-preconditions'
import { findVisibleRelationshipCandidateOfType } from '../endpoints/load-requested-resource'
import type { WriteContext } from '../endpoints/request-scope'
import { canonicalId } from '../graph/model/record-id'
import type { Relationship, ResourceType } from '../graph/model/resource-graph'
import { planIdentifiersByIds, withRevisionSources } from '../plan/plan-read'
import type { WritePrecondition } from '../request/http/read-precondition'
import type { OperationWithIntent, WriteIntent } from '../request/intent/intent'
import type { ResourceRow } from '../store/read-result'

/**
 * Compares each condition with the revision before the first write of the request, because this is what the client has read. Returns the
 * operations with the results. A revision after earlier operations could reveal values that the client can't see, or that are rolled back.
 * The condition of the first operation is checked when it runs. The rows of the others are read with one statement for each type, and their
 * linkage with one each.
 */
export async function recordPreconditionOutcomesOnOperations(
  [first, ...others]: readonly OperationWithIntent[],
  writeContext: WriteContext,
): Promise<readonly OperationWithIntent[]> {
  if (first === undefined) return []
  const rows = await readTargets(
    others.map(({ intent }) => intent),
    writeContext,
  )
  const evaluated: OperationWithIntent[] = [first]
  for (const operation of others) {
    const intent = await evaluateCondition(operation.intent, rows, writeContext)
    evaluated.push(intent === operation.intent ? operation : { ...operation, intent })
  }
  return evaluated
}

type ConditionalIntent = Exclude<WriteIntent, { kind: 'createResource' }>

/** The rows of the targets of each type, by id. */
type TargetRows = ReadonlyMap<ResourceType, ReadonlyMap<string, ResourceRow>>

/** Reads and locks the targets of conditions, so that no other transaction changes them. */
async function readTargets(
  intents: readonly WriteIntent[],
  { transaction, scope: { rules } }: WriteContext,
): Promise<TargetRows> {
  const ids = new Map<ResourceType, Set<string>>()
  for (const intent of intents) {
    if (!hasRevisions(intent) || intent.target.local !== undefined) continue
    const { type, id } = intent.target
    ids.set(type, (ids.get(type) ?? new Set()).add(id))
  }
  const rows = new Map<ResourceType, ReadonlyMap<string, ResourceRow>>()
  for (const [type, wanted] of ids) {
    const plan = withRevisionSources(planIdentifiersByIds(type, [...wanted], rules))
    const read = await transaction.read(plan, 'lock')
    rows.set(type, new Map(read.rows.map((row) => [row.id, row])))
  }
  return rows
}

function hasRevisions(intent: WriteIntent): intent is ConditionalIntent {
  return intent.kind !== 'createResource' && intent.condition.kind === 'revisions'
}

async function evaluateCondition(
  intent: WriteIntent,
  rows: TargetRows,
  writeContext: WriteContext,
): Promise<WriteIntent> {
  if (!hasRevisions(intent) || intent.condition.kind !== 'revisions') return intent
  const { pointer, tokens } = intent.condition
  const condition: WritePrecondition = (await conditionHolds(tokens, intent, rows, writeContext))
    ? { kind: 'any' }
    : { kind: 'revisions', tokens: NO_TOKENS }
  return { ...intent, condition: { ...condition, ...(pointer !== undefined && { pointer }) } }
}

/** Returns true if a condition holds. A resource that the request adds has no revision yet. */
async function conditionHolds(
  tokens: ReadonlySet<string>,
  intent: ConditionalIntent,
  rows: TargetRows,
  writeContext: WriteContext,
): Promise<boolean> {
  const { type, id, local } = intent.target
  const row = local === undefined ? rows.get(type)?.get(canonicalId(type, id)) : undefined
  if (row === undefined) return false
  const { rules } = writeContext.scope
  if (!('candidates' in intent)) return matchesRevisionTokens(tokens, row, 'resource', writeContext)
  const found = findVisibleRelationshipCandidateOfType<{ readonly relationship: Relationship }>(
    intent.candidates.found,
    row.type,
    rules,
  )
  return found !== undefined && matchesRevisionTokens(tokens, row, found.relationship, writeContext)
}

const NO_TOKENS: ReadonlySet<string> = new Set()
