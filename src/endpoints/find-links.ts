import { collectProblemsInTurn } from '../errors/json-api-error'
import type { RequestedIdentifier, RequestedLinkage, ResourceChange } from '../records/change'
import type { AskedLink } from './decide-links'
import { findRights, type Looking } from './find-rights'

/** The right-hand resources of every relationship that a resource object names: one statement for each; all that are missing come together. */
export function findLinks({ relationships }: ResourceChange, looking: Looking): Promise<AskedLink[]> {
  return collectProblemsInTurn(relationships, async ([relationship, linkage]) => ({
    relationship,
    mode: 'set' as const,
    rights: await findRights(relationship, identifiersOf(linkage), looking),
  }))
}

export function identifiersOf(linkage: RequestedLinkage): readonly RequestedIdentifier[] {
  if (linkage.kind === 'toMany') return linkage.identifiers
  return linkage.identifier === null ? [] : [linkage.identifier]
}
