import type { Relationship, ToManyRelationship } from '../../graph/model/resource-graph'
import type { RequestedIdentifierOrSelf, RequestedLinkage } from '../../records/parsed-resource-object'
import type { CandidateRelationships } from '../intent/intent'
import {
  assertRelationshipWritable,
  type RelationshipsMatchingNameInWrite,
  readSentDataPerCandidateRelationship,
  relationshipNotToManyError,
} from '../intent/relationship-candidates'
import { readRequiredMember, type ValueWithPointer } from './read-members'
import { readUnresolvedIdentifiers, readUnresolvedLinkage } from './read-unresolved-linkage'
import {
  type IdentifierResolutionContext,
  resolveLinkageIdentifiers,
  resolveTypesAndLidsOfToMany,
  toRequestLinkageContext,
} from './resolve-linkage'

/** Reads the linkage that replaces that of a relationship. https://jsonapi.org/format/1.1/#crud-updating-relationships */
export function readReplacementLinkage(
  { name, found }: RelationshipsMatchingNameInWrite<'set'>,
  sent: ValueWithPointer,
  context: IdentifierResolutionContext,
): CandidateRelationships<Relationship, RequestedLinkage> {
  return readSentDataPerCandidateRelationship(name, found, (relationship) => {
    assertRelationshipWritable(relationship, 'set')
    const linkage = readUnresolvedLinkage(readRequiredMember(sent, 'linkage'), sent.pointer, relationship.kind)
    const value = resolveLinkageIdentifiers(
      linkage,
      toRequestLinkageContext(context, relationship, 'relationshipEndpoint'),
    )
    return { relationship, value }
  })
}

/** Reads the members to add to a relationship, or to remove from it. https://jsonapi.org/format/1.1/#crud-updating-to-many-relationships */
export function readLinkageToAddOrRemove(
  { name, mode, found }: RelationshipsMatchingNameInWrite<'add' | 'remove'>,
  sent: ValueWithPointer,
  context: IdentifierResolutionContext,
): CandidateRelationships<ToManyRelationship, readonly RequestedIdentifierOrSelf[]> {
  return readSentDataPerCandidateRelationship(name, found, (relationship) => {
    if (relationship.kind === 'toOne') throw relationshipNotToManyError(relationship)
    assertRelationshipWritable(relationship, mode)
    const identifiers = readUnresolvedIdentifiers(readRequiredMember(sent, 'linkage'), sent.pointer)
    const linkage = toRequestLinkageContext(context, relationship, 'relationshipEndpoint')
    return { relationship, value: resolveTypesAndLidsOfToMany(identifiers, sent.pointer, linkage) }
  })
}
