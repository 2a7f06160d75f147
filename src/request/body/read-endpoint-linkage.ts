import type { Relationship, ToMany } from '../../graph/model/resource-graph'
import type { RequestedIdentifier, RequestedLinkage } from '../../records/resource-input'
import { type IdentifierContext, readIdentifiers, readLinkage } from './read-linkage'
import { readIdentifierShapes, readLinkageShape } from './read-linkage-shape'
import { readSent, type SentValue } from './read-shape'

/** The linkage that replaces that of a relationship. https://jsonapi.org/format/1.1/#crud-updating-relationships */
export function readSetLinkage(
  sent: SentValue,
  relationship: Relationship,
  naming: IdentifierContext,
): RequestedLinkage {
  const linkage = readLinkageShape(readSent(sent, 'linkage'), sent.pointer, relationship.kind)
  return readLinkage(linkage, { ...naming, relationship, location: 'relationshipEndpoint' })
}

/** The members to be added to a relationship, or removed. */
export function readMemberIdentifiers(
  sent: SentValue,
  relationship: ToMany,
  naming: IdentifierContext,
): readonly RequestedIdentifier[] {
  const identifiers = readIdentifierShapes(readSent(sent, 'linkage'), sent.pointer)
  return readIdentifiers(identifiers, sent.pointer, { ...naming, relationship, location: 'relationshipEndpoint' })
}
