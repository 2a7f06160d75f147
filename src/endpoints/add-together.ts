import { areInSameLineage } from '../graph/model/inheritance'
import type { ToManyRelationship } from '../graph/model/resource-graph'
import type { RequestedIdentifierOrSelf } from '../records/parsed-resource-object'
import type { AddToRelationshipIntent, RelationshipValueOrError } from '../request/intent/intent'
import { NO_CONTENT, withPreferenceApplied } from '../response/endpoint-result'
import { handleChangeRelationship } from './change-relationship'
import type { WriteResultWithId } from './create-together'
import type { WriteContext } from './request-scope'
import { visibilityRuleIgnoresWrittenTypes } from './resolve-together'

/**
 * Adds the members of several writes to one relationship of one resource, in the open transaction, as if one write had all of them. Returns `undefined` if
 * they have to be added one by one, because code of the application takes part, or because each write counts.
 */
export async function tryAddMembersOfSeveralOperations(
  intents: readonly AddToRelationshipIntent[],
  writeContext: WriteContext,
): Promise<readonly WriteResultWithId[] | undefined> {
  const [intent] = intents
  if (intent === undefined || !isUnaffectedByHooks(intent, writeContext)) return undefined
  for (const { relationship } of intent.candidates.found) {
    if (hasRepeatedMembers(intents) && writeContext.scope.rules.visibilityFilterOf(relationship.target))
      return undefined
    if (relationship.kind === 'toMany' && (await writeContext.transaction.hasTriggers(relationship))) return undefined
  }
  const found = intent.candidates.found.map((candidate, index) =>
    mergeCandidates(
      candidate,
      intents.flatMap(({ candidates }) => candidates.found[index] ?? []),
    ),
  )
  const merged = { ...intent, candidates: { ...intent.candidates, found } }
  await handleChangeRelationship(merged, { ...writeContext.scope, openTransaction: writeContext })
  return intents.map(({ target: { id }, preference }) => ({
    id,
    result: withPreferenceApplied(NO_CONTENT, preference),
  }))
}

/** Returns true if several writes add the same resource. A rule can hide it after the first one. */
function hasRepeatedMembers(intents: readonly AddToRelationshipIntent[]): boolean {
  const members = intents.map(({ candidates }) => new Set(candidates.found.flatMap(idsOf)))
  return new Set(members.flatMap((ids) => [...ids])).size < members.reduce((sum, { size }) => sum + size, 0)
}

function idsOf(candidate: Candidate): readonly string[] {
  if ('error' in candidate) return []
  return candidate.value.flatMap((member) => (member.kind === 'existing' ? member.id : []))
}

/** Returns true if no hook, listener or version sees how many writes there are, and no rule that hides resources depends on earlier ones. */
function isUnaffectedByHooks({ target, candidates }: AddToRelationshipIntent, { scope }: WriteContext): boolean {
  const { definitions } = scope.core
  const isPlain = target.type.concreteTypes.every((type) => {
    return !definitions.hasWriteHooksBesidesFilter(type) && !type.isVersioned && !type.hasUpdateListeners
  })
  return (
    isPlain &&
    candidates.found.every(({ relationship }) => {
      const written = [target.type, relationship.target]
      // The resource itself can be a member, and a rule can hide it then.
      if (areInSameLineage(target.type, relationship.target) && scope.rules.visibilityFilterOf(target.type))
        return false
      const areVisible = written.every((type) => visibilityRuleIgnoresWrittenTypes(written, type, scope))
      return areVisible && !definitions.hookedRelationships.hasInverseHook(relationship)
    })
  )
}

type Candidate = RelationshipValueOrError<ToManyRelationship, readonly RequestedIdentifierOrSelf[]>

function mergeCandidates(first: Candidate, all: readonly Candidate[]): Candidate {
  const invalid = all.find((candidate) => 'error' in candidate)
  if (invalid !== undefined || 'error' in first) return invalid ?? first
  return { ...first, value: all.flatMap((candidate) => ('error' in candidate ? [] : candidate.value)) }
}
