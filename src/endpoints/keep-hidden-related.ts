import { createErrorDetails, JsonApiError } from '../errors/json-api-error'
import type { ToOneRelationship } from '../graph/model/resource-graph'
import {
  planIdentifiersByIds,
  planIdentifiersIncludingHiddenRows,
  planReadOfAllVisibleRelated,
  planRecordsReferencingIds,
  planRelatedIncludingHiddenRows,
  type SourceResource,
} from '../plan/plan-read'
import type { HookProcessedRelationshipChange } from './apply-relationship-hooks'
import type { WriteContext } from './request-scope'

/**
 * Keeps what the client can't see: hidden members stay in a relationship that is replaced, and a hidden owner keeps its one-to-one
 * relationship. Takes a constant number of statements for each relationship that is set and has a rule at its other end.
 */
export async function keepHiddenRelated(
  stored: SourceResource | undefined,
  changes: readonly HookProcessedRelationshipChange[],
  writeContext: WriteContext,
): Promise<readonly HookProcessedRelationshipChange[]> {
  const finalChanges: HookProcessedRelationshipChange[] = []
  for (const change of changes) finalChanges.push(await withReplaced(change, stored, writeContext))
  return finalChanges
}

async function withReplaced(
  change: HookProcessedRelationshipChange,
  stored: SourceResource | undefined,
  writeContext: WriteContext,
): Promise<HookProcessedRelationshipChange> {
  const { relationship, mode } = change
  const {
    transaction,
    scope: { rules },
  } = writeContext
  if (relationship.kind === 'toMany') {
    if (stored === undefined || mode !== 'set' || rules.visibilityFilterOf(relationship.target) === undefined)
      return change
    return {
      ...change,
      replaced: (await transaction.read(planReadOfAllVisibleRelated(stored, relationship, rules), 'latest')).rows,
    }
  }
  if (!relationship.isExclusive) return change
  if (!relationship.holdsKey)
    return stored === undefined ? change : withOwner({ ...change, relationship }, stored, writeContext)
  await assertOwnersVisible({ ...change, relationship }, stored, writeContext)
  return change
}

interface FinalToOneChange extends HookProcessedRelationshipChange {
  readonly relationship: ToOneRelationship
}

/** The related resource holds the key, so it is written when it is replaced or removed. */
async function withOwner(
  change: FinalToOneChange,
  stored: SourceResource,
  { transaction, scope: { rules } }: WriteContext,
): Promise<HookProcessedRelationshipChange> {
  const { relationship, records } = change
  if (rules.visibilityFilterOf(relationship.target) === undefined) return change
  const presentRows = (await transaction.read(planRelatedIncludingHiddenRows(stored, relationship), 'lock')).rows
  if (presentRows.length === 0) return change
  const visibleRows = (await transaction.read(planReadOfAllVisibleRelated(stored, relationship, rules), 'latest')).rows
  if (visibleRows.length > 0) return change
  if (records.length === 0) return { ...change, replaced: [] }
  throw ownedByAnotherError(relationship)
}

/** The resource itself holds the key, so the present owner of the related resource is written too. */
async function assertOwnersVisible(
  { relationship, related }: FinalToOneChange,
  stored: SourceResource | undefined,
  { transaction, scope: { rules } }: WriteContext,
): Promise<void> {
  const { declaringType, target } = relationship
  const [only] = related
  if (only === undefined || only === 'self' || rules.visibilityFilterOf(declaringType) === undefined) return
  // This row is locked now, so no other write links it.
  await transaction.read(planIdentifiersIncludingHiddenRows(target, [only.id]), 'lock')
  const plan = planRecordsReferencingIds(relationship, [only.id], declaringType.concreteTypes)
  const owners = (await transaction.read(plan, 'lock')).rows.filter(({ id }) => id !== stored?.id)
  if (owners.length === 0) return
  const ids = owners.map(({ id }) => id)
  const visibleRows = (await transaction.read(planIdentifiersByIds(declaringType, ids, rules), 'latest')).rows
  if (visibleRows.length < owners.length) throw ownedByAnotherError(relationship)
}

/** Doesn't name the owner, which the client can't see. */
function ownedByAnotherError({ name }: ToOneRelationship): JsonApiError {
  const detail = `The resource for '${name}' is linked to another resource. Only a client that can see the other resource can change this.`
  return new JsonApiError([{ ...createErrorDetails('constraint.unique', detail), field: name }])
}
