import { assertNever, InvariantError } from '../errors/invariant'
import type { Relationship } from '../graph/model/resource-graph'
import type {
  LocalResourceIdentifier,
  ParsedResourceObject,
  RequestedIdentifierOrSelf,
  RequestedLinkage,
  ResourceIdOrLid,
} from '../records/parsed-resource-object'
import type { CandidateRelationships, WriteIntent } from '../request/intent/intent'

/** The ids of resources that earlier operations have added under local ids. */
export type LocalIds = Map<LocalResourceIdentifier, string>

/** Replaces the local ids in an intent by the ids of the resources. Throws an `InvariantError` for a resource without an id. */
export function replaceLocalIds(intent: WriteIntent, ids: LocalIds): WriteIntent {
  switch (intent.kind) {
    case 'createResource':
      return { ...intent, change: changeWithIds(intent.change, ids) }
    case 'updateResource': {
      const target = withId(intent.target, ids)
      return { ...intent, target, change: { ...changeWithIds(intent.change, ids), id: target.id } }
    }
    case 'deleteResource':
      return { ...intent, target: withId(intent.target, ids) }
    case 'setRelationship': {
      const candidates = mapValues(intent.candidates, (linkage) => linkageWithIds(linkage, ids))
      return { ...intent, target: withId(intent.target, ids), candidates }
    }
    case 'addToRelationship':
    case 'removeFromRelationship': {
      const candidates = mapValues(intent.candidates, (identifiers) => identifiersWithIds(identifiers, ids))
      return { ...intent, target: withId(intent.target, ids), candidates }
    }
    default:
      return assertNever(intent)
  }
}

function withId<Named extends ResourceIdOrLid>(reference: Named, ids: LocalIds): Named {
  const { local } = reference
  if (local === undefined) return reference
  const id = ids.get(local)
  if (id === undefined)
    throw new InvariantError(`No earlier operation added '${local.type.name}' with the local id '${local.lid}'.`)
  return { ...reference, id }
}

function changeWithIds(change: ParsedResourceObject, ids: LocalIds): ParsedResourceObject {
  const relationships = [...change.relationships].map(
    ([relationship, linkage]) => [relationship, linkageWithIds(linkage, ids)] as const,
  )
  return { ...change, relationships: new Map(relationships) }
}

function linkageWithIds(linkage: RequestedLinkage, ids: LocalIds): RequestedLinkage {
  if (linkage.kind === 'toMany') return { ...linkage, identifiers: identifiersWithIds(linkage.identifiers, ids) }
  const [identifier = null] = linkage.identifier === null ? [] : identifiersWithIds([linkage.identifier], ids)
  return { ...linkage, identifier }
}

function identifiersWithIds(
  identifiers: readonly RequestedIdentifierOrSelf[],
  ids: LocalIds,
): readonly RequestedIdentifierOrSelf[] {
  return identifiers.map((identifier) => (identifier.kind === 'created' ? identifier : withId(identifier, ids)))
}

function mapValues<Field extends Relationship, Value>(
  candidates: CandidateRelationships<Field, Value>,
  change: (value: Value) => Value,
): CandidateRelationships<Field, Value> {
  return {
    ...candidates,
    found: candidates.found.map((candidate) =>
      'error' in candidate ? candidate : { ...candidate, value: change(candidate.value) },
    ),
  }
}
