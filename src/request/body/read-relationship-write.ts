import type { Relationship, ToMany } from '../../graph/model/resource-graph'
import type { RequestedIdentifier, RequestedLinkage } from '../../records/resource-input'
import type { RelationshipCandidates } from '../intent/intent'
import {
  assertRelationshipWritable,
  type RelationshipsToWrite,
  readRelationshipCandidates,
  relationshipNotToManyError,
} from '../intent/relationship-candidates'
import { type IdentifierContext, readIdentifiers, readLinkage } from './read-linkage'
import { readIdentifierShapes, readLinkageShape } from './read-linkage-shape'
import { readRequiredValue, type SentValue } from './read-members'

/** Reads the linkage that replaces that of a relationship. https://jsonapi.org/format/1.1/#crud-updating-relationships */
export function readReplacementLinkage(
  { name, found }: RelationshipsToWrite<'set'>,
  sent: SentValue,
  context: IdentifierContext,
): RelationshipCandidates<Relationship, RequestedLinkage> {
  return readRelationshipCandidates(name, found, (relationship) => {
    assertRelationshipWritable(relationship, 'set')
    const linkage = readLinkageShape(readRequiredValue(sent, 'linkage'), sent.pointer, relationship.kind)
    const value = readLinkage(linkage, { ...context, relationship, location: 'relationshipEndpoint' })
    return { relationship, value }
  })
}

/** Reads the members to add to a relationship, or to remove from it. https://jsonapi.org/format/1.1/#crud-updating-to-many-relationships */
export function readLinkageToAddOrRemove(
  { name, write, found }: RelationshipsToWrite<'add' | 'remove'>,
  sent: SentValue,
  context: IdentifierContext,
): RelationshipCandidates<ToMany, readonly RequestedIdentifier[]> {
  return readRelationshipCandidates(name, found, (relationship) => {
    if (relationship.kind === 'toOne') throw relationshipNotToManyError(relationship)
    assertRelationshipWritable(relationship, write)
    const identifiers = readIdentifierShapes(readRequiredValue(sent, 'linkage'), sent.pointer)
    const location = 'relationshipEndpoint'
    return { relationship, value: readIdentifiers(identifiers, sent.pointer, { ...context, relationship, location }) }
  })
}
