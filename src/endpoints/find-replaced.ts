import { clientError, JsonApiError } from '../errors/json-api-error'
import type { ToOne } from '../graph/model/resource-graph'
import { planAny, planLeading, planLinked, planLookUp, planMembers, type SourceResource } from '../plan/plan-read'
import type { LinkedResource } from '../plan/write-plan'
import type { FinalLink } from './apply-link-hooks'
import type { WriteContext } from './find-related'

export interface ReplacementLink extends FinalLink {
  /** In whose place the rights come; without it, of all members. */
  readonly replaced?: readonly LinkedResource[]
}

/**
 * A client can't mean resources that it does not see: where it sends all members of a relationship, hidden ones stay, and a one-to-one
 * relationship is not taken away from a hidden owner. A constant number of statements for each relationship that is set and has a rule
 * at its other end.
 */
export async function findReplaced(
  stored: SourceResource | undefined,
  links: readonly FinalLink[],
  writeContext: WriteContext,
): Promise<readonly ReplacementLink[]> {
  const replacing: ReplacementLink[] = []
  for (const link of links) replacing.push(await withReplaced(link, stored, writeContext))
  return replacing
}

async function withReplaced(
  link: FinalLink,
  stored: SourceResource | undefined,
  writeContext: WriteContext,
): Promise<ReplacementLink> {
  const { relationship, mode } = link
  const { transaction, rules } = writeContext
  if (relationship.kind === 'toMany') {
    if (stored === undefined || mode !== 'set' || rules.ruleOf(relationship.target) === undefined) return link
    return { ...link, replaced: (await transaction.read(planMembers(stored, relationship, rules), 'noLock')).rows }
  }
  if (!relationship.isExclusive) return link
  if (!relationship.holdsKey)
    return stored === undefined ? link : withOwner({ ...link, relationship }, stored, writeContext)
  await checkOwners({ ...link, relationship }, stored, writeContext)
  return link
}

interface FinalToOneLink extends FinalLink {
  readonly relationship: ToOne
}

/** The related resource holds the key: it is written where another comes in its place, or none. */
async function withOwner(
  link: FinalToOneLink,
  stored: SourceResource,
  { transaction, rules }: WriteContext,
): Promise<ReplacementLink> {
  const { relationship, records } = link
  if (rules.ruleOf(relationship.target) === undefined) return link
  const present = (await transaction.read(planLinked(stored, relationship), 'lock')).rows
  if (present.length === 0) return link
  const seen = (await transaction.read(planMembers(stored, relationship, rules), 'noLock')).rows
  if (seen.length > 0) return link
  if (records.length === 0) return { ...link, replaced: [] }
  throw ownedByAnother(relationship)
}

/** The resource itself holds the key: one that refers to the same resource so far is written. */
async function checkOwners(
  { relationship, related }: FinalToOneLink,
  stored: SourceResource | undefined,
  { transaction, rules }: WriteContext,
): Promise<void> {
  const { declaringType, target } = relationship
  const [right] = related
  if (right === undefined || right === 'self' || rules.ruleOf(declaringType) === undefined) return
  // This row is locked now, so no other write links it.
  await transaction.read(planAny(target, [right.id]), 'lock')
  const plan = planLeading(relationship, [right.id], declaringType.concreteTypes)
  const owners = (await transaction.read(plan, 'lock')).rows.filter(({ id }) => id !== stored?.id)
  if (owners.length === 0) return
  const ids = owners.map(({ id }) => id)
  const seen = (await transaction.read(planLookUp(declaringType, ids, rules), 'noLock')).rows
  if (seen.length < owners.length) throw ownedByAnother(relationship)
}

/** Without a word of which one. */
function ownedByAnother({ name }: ToOne): JsonApiError {
  const detail = `What '${name}' would link is linked to another resource. Only one who sees that one can change this.`
  return new JsonApiError([{ ...clientError('constraint.unique', detail), field: name }])
}
