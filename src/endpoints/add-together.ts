import type { ToManyRelationship } from '../graph/model/resource-graph'
import type { RequestedIdentifierOrSelf } from '../records/parsed-resource-object'
import type { AddToRelationshipIntent, CandidateRelationshipResult } from '../request/intent/intent'
import { NO_CONTENT, withPreferenceApplied } from '../response/endpoint-result'
import { handleChangeRelationship } from './change-relationship'
import type { WriteResultWithId } from './create-together'
import type { WriteContext } from './request-scope'
import { visibilityRuleIgnoresWrittenTypes } from './resolve-together'

/**
 * Adds the members of several writes to one relationship of one resource, in the open transaction, as if one write had all of them. Returns `undefined` if
 * they have to be added one by one, because code of the application takes part, or because each write counts.
 */
export async function tryAddRelationshipMembersTogether(
  intents: readonly AddToRelationshipIntent[],
  writeContext: WriteContext,
): Promise<readonly WriteResultWithId[] | undefined> {
  const [intent] = intents
  if (intent === undefined || !isUnaffectedByHooks(intent, writeContext)) return undefined
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
      const areVisible = written.every((type) => visibilityRuleIgnoresWrittenTypes(written, type, scope))
      return areVisible && !definitions.hookedRelationships.hasInverseHook(relationship)
    })
  )
}

type Candidate = CandidateRelationshipResult<ToManyRelationship, readonly RequestedIdentifierOrSelf[]>

function mergeCandidates(first: Candidate, all: readonly Candidate[]): Candidate {
  const invalid = all.find((candidate) => 'error' in candidate)
  if (invalid !== undefined || 'error' in first) return invalid ?? first
  return { ...first, value: all.flatMap((candidate) => ('error' in candidate ? [] : candidate.value)) }
}
