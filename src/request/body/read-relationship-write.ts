import type { Relationship, ToManyRelationship } from '../../graph/model/resource-graph'
import type { RequestedIdentifierOrSelf, RequestedLinkage } from '../../records/parsed-resource-object'
import type { CandidateRelationships } from '../intent/intent'
import {
  assertRelationshipWritable,
  type CandidateRelationshipsToWrite,
  relationshipNotToManyError,
  settleCandidateRelationships,
} from '../intent/relationship-candidates'
import { readRequiredValue, type SentValue } from './read-members'
import { readUnresolvedIdentifiers, readUnresolvedLinkage } from './read-unresolved-linkage'
import {
  linkageContext,
  type ResourceIdentifierContext,
  resolveLinkageTypes,
  resolveToManyLinkageTypes,
} from './resolve-linkage'

/** Reads the linkage that replaces that of a relationship. https://jsonapi.org/format/1.1/#crud-updating-relationships */
export function readReplacementLinkage(
  { name, found }: CandidateRelationshipsToWrite<'set'>,
  sent: SentValue,
  context: ResourceIdentifierContext,
): CandidateRelationships<Relationship, RequestedLinkage> {
  return settleCandidateRelationships(name, found, (relationship) => {
    assertRelationshipWritable(relationship, 'set')
    const linkage = readUnresolvedLinkage(readRequiredValue(sent, 'linkage'), sent.pointer, relationship.kind)
    const value = resolveLinkageTypes(linkage, linkageContext(context, relationship, 'relationshipEndpoint'))
    return { relationship, value }
  })
}

/** Reads the members to add to a relationship, or to remove from it. https://jsonapi.org/format/1.1/#crud-updating-to-many-relationships */
export function readLinkageToAddOrRemove(
  { name, write, found }: CandidateRelationshipsToWrite<'add' | 'remove'>,
  sent: SentValue,
  context: ResourceIdentifierContext,
): CandidateRelationships<ToManyRelationship, readonly RequestedIdentifierOrSelf[]> {
  return settleCandidateRelationships(name, found, (relationship) => {
    if (relationship.kind === 'toOne') throw relationshipNotToManyError(relationship)
    assertRelationshipWritable(relationship, write)
    const identifiers = readUnresolvedIdentifiers(readRequiredValue(sent, 'linkage'), sent.pointer)
    const linkage = linkageContext(context, relationship, 'relationshipEndpoint')
    return { relationship, value: resolveToManyLinkageTypes(identifiers, sent.pointer, linkage) }
  })
}
