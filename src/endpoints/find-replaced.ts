import { type LeftEnd, planMembers } from '../plan/plan-read'
import type { RightEnd } from '../plan/write-plan'
import type { DecidedLink } from './decide-links'
import type { Looking } from './find-rights'

export interface ReplacingLink extends DecidedLink {
  /** In whose place the rights come; without it, of all members. */
  readonly replaced?: readonly RightEnd[]
}

/**
 * A client that sends all members of a relationship can't mean those that it does not see: they stay. One statement for each relationship
 * that is set and has a rule at its other end.
 */
export async function findReplaced(
  stored: LeftEnd | undefined,
  links: readonly DecidedLink[],
  { transaction, rules }: Looking,
): Promise<readonly ReplacingLink[]> {
  if (stored === undefined) return links
  const replacing: ReplacingLink[] = []
  for (const link of links) {
    const { relationship, mode } = link
    const isAll = relationship.kind === 'toOne' || mode !== 'set' || rules.ruleOf(relationship.target) === undefined
    const plan = isAll ? undefined : planMembers(stored, relationship, rules)
    replacing.push(plan === undefined ? link : { ...link, replaced: (await transaction.read(plan, 'noLock')).rows })
  }
  return replacing
}
