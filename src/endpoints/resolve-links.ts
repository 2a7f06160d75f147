import { collectErrorsInOrder } from '../errors/json-api-error'
import type { RequestedIdentifier, RequestedLinkage, ResourceInput } from '../records/resource-input'
import type { ResolvedLink } from './apply-link-hooks'
import { findRelated, type WriteContext } from './find-related'

/** The right-hand resources of every relationship that a resource object names: one statement for each; all that are missing come together. */
export function resolveLinks({ relationships }: ResourceInput, writeContext: WriteContext): Promise<ResolvedLink[]> {
  return collectErrorsInOrder(relationships, async ([relationship, linkage]) => ({
    relationship,
    mode: 'set' as const,
    related: await findRelated(relationship, identifiersOf(linkage), writeContext),
  }))
}

export function identifiersOf(linkage: RequestedLinkage): readonly RequestedIdentifier[] {
  if (linkage.kind === 'toMany') return linkage.identifiers
  return linkage.identifier === null ? [] : [linkage.identifier]
}
