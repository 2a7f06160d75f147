import { isA } from '../../graph/model/inheritance'
import type { Relationship } from '../../graph/model/resource-graph'
import type { RequestedIdentifier, RequestedLinkage, ResourceInput } from '../../records/resource-input'

/** What is created under an id of the client can name itself by that id, as it can by a local id. */
export function resolveSelfReferences(change: ResourceInput): ResourceInput {
  if (change.id === undefined) return change
  const relationships = [...change.relationships].map(
    ([relationship, linkage]) => [relationship, linkageOf(linkage, relationship, change)] as const,
  )
  return { ...change, relationships: new Map(relationships) }
}

function linkageOf(linkage: RequestedLinkage, { target }: Relationship, { type, id }: ResourceInput): RequestedLinkage {
  if (!isA(type, target)) return linkage
  const toRequested = (identifier: RequestedIdentifier): RequestedIdentifier =>
    identifier.kind === 'existing' && identifier.id === id && isA(type, identifier.type)
      ? { kind: 'created', pointer: identifier.pointer }
      : identifier
  if (linkage.kind === 'toMany') return { ...linkage, identifiers: linkage.identifiers.map(toRequested) }
  return { ...linkage, identifier: linkage.identifier && toRequested(linkage.identifier) }
}
