import { type Pointer, pointerTo } from '../../document/pointer'
import { isA } from '../../graph/model/inheritance'
import { attributesOfId, relatedOfId } from '../../graph/model/key-fields'
import type { Relationship } from '../../graph/model/resource-graph'
import type { RequestedIdentifier, RequestedLinkage, ResourceInput } from '../../records/resource-input'

/** Completes what was read of a create request: fields that a composite id contains, and linkage to the new resource itself. */
export function completeResourceInput(input: ResourceInput, pointer: Pointer): ResourceInput {
  return resolveSelfReferences(fillFromCompositeId(input, pointer))
}

/** A composite id contains the values of its fields, so clients need not send them. */
function fillFromCompositeId(change: ResourceInput, pointer: Pointer): ResourceInput {
  const { type, id, attributes, relationships } = change
  if (id === undefined) return change
  const at = pointerTo(pointer, 'id')
  const linkages = [...relatedOfId(type, id)].map(([relationship, far]) => {
    const identifier = { kind: 'existing', type: relationship.target, id: far, pointer: at } as const
    return [relationship, { kind: 'toOne', identifier, pointer: at }] as const
  })
  return {
    ...change,
    attributes: new Map([...attributesOfId(type, id), ...attributes]),
    relationships: new Map<Relationship, RequestedLinkage>([...linkages, ...relationships]),
  }
}

/** A resource that is created with a client-generated id can refer to itself by that id, as by a local id. */
function resolveSelfReferences(change: ResourceInput): ResourceInput {
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
