import { JsonApiError, problem } from '../errors/json-api-error'
import type { ToOne } from '../graph/resource-graph'
import { type LeftEnd, planAny, planLeading, planLinked, planLookUp, planMembers } from '../plan/plan-read'
import type { RightEnd } from '../plan/write-plan'
import type { DecidedLink } from './decide-links'
import type { Looking } from './find-rights'

export interface ReplacingLink extends DecidedLink {
  /** In whose place the rights come; without it, of all members. */
  readonly replaced?: readonly RightEnd[]
}

/**
 * A client can't mean resources that it does not see: where it sends all members of a relationship, hidden ones stay, and a one-to-one
 * relationship is not taken away from a hidden owner. A constant number of statements for each relationship that is set and has a rule
 * at its other end.
 */
export async function findReplaced(
  stored: LeftEnd | undefined,
  links: readonly DecidedLink[],
  looking: Looking,
): Promise<readonly ReplacingLink[]> {
  const replacing: ReplacingLink[] = []
  for (const link of links) replacing.push(await withReplaced(link, stored, looking))
  return replacing
}

async function withReplaced(link: DecidedLink, stored: LeftEnd | undefined, looking: Looking): Promise<ReplacingLink> {
  const { relationship, mode } = link
  const { transaction, rules } = looking
  if (relationship.kind === 'toMany') {
    if (stored === undefined || mode !== 'set' || rules.ruleOf(relationship.target) === undefined) return link
    return { ...link, replaced: (await transaction.read(planMembers(stored, relationship, rules), 'noLock')).rows }
  }
  if (!relationship.isExclusive) return link
  if (!relationship.holdsKey) return stored === undefined ? link : withOwner({ ...link, relationship }, stored, looking)
  await checkOwners({ ...link, relationship }, stored, looking)
  return link
}

interface ToOneLink extends DecidedLink {
  readonly relationship: ToOne
}

/** The related resource holds the key: it is written where another comes in its place, or none. */
async function withOwner(link: ToOneLink, stored: LeftEnd, { transaction, rules }: Looking): Promise<ReplacingLink> {
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
  { relationship, rights }: ToOneLink,
  stored: LeftEnd | undefined,
  { transaction, rules }: Looking,
): Promise<void> {
  const { declaringType, target } = relationship
  const [right] = rights
  if (right === undefined || right === 'itself' || rules.ruleOf(declaringType) === undefined) return
  // From now on nobody else takes it over.
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
  return new JsonApiError([{ ...problem('constraint.unique', detail), field: name }])
}
