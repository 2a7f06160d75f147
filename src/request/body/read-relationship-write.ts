import type { IsHidden } from '../../graph/model/capabilities'
import type { Relationship, ToMany } from '../../graph/model/resource-graph'
import type { RequestedIdentifier, RequestedLinkage } from '../../records/resource-input'
import { assertWritable, getWritable, readCandidates, readToManyCandidates } from '../intent/candidates'
import type { Candidates, Target } from '../intent/intent'
import { type IdentifierContext, readIdentifiers, readLinkage } from './read-linkage'
import { readIdentifierShapes, readLinkageShape } from './read-linkage-shape'
import type { SentValue } from './read-shape'
import { readSent } from './read-shape'

/** A relationship that is to be written: those that its name may stand for. */
export interface NamedRelationship<Write> {
  readonly name: string
  readonly write: Write
  readonly found: readonly Relationship[]
}

/** Before what was sent is looked at: whether it can be written so at all. */
export function nameRelationship<Write extends 'set' | 'add' | 'remove'>(
  { type }: Target,
  name: string,
  write: Write,
  isHidden: IsHidden,
): NamedRelationship<Write> {
  return { name, write, found: getWritable(type, name, write, isHidden) }
}

export function readNewLinkage(
  { name, found }: NamedRelationship<'set'>,
  data: SentValue,
  naming: IdentifierContext,
): Candidates<Relationship, RequestedLinkage> {
  return readCandidates(name, found, (relationship) => {
    assertWritable(relationship, 'set')
    return readSetLinkage(data, relationship, naming)
  })
}

export function readMembers(
  { name, write, found }: NamedRelationship<'add' | 'remove'>,
  data: SentValue,
  naming: IdentifierContext,
): Candidates<ToMany, readonly RequestedIdentifier[]> {
  return readToManyCandidates(name, found, (relationship) => {
    assertWritable(relationship, write)
    return readMemberIdentifiers(data, relationship, naming)
  })
}

/** The linkage that replaces that of a relationship. https://jsonapi.org/format/1.1/#crud-updating-relationships */
function readSetLinkage(sent: SentValue, relationship: Relationship, naming: IdentifierContext): RequestedLinkage {
  const linkage = readLinkageShape(readSent(sent, 'linkage'), sent.pointer, relationship.kind)
  return readLinkage(linkage, { ...naming, relationship, location: 'relationshipEndpoint' })
}

/** The members to be added to a relationship, or removed. */
function readMemberIdentifiers(
  sent: SentValue,
  relationship: ToMany,
  naming: IdentifierContext,
): readonly RequestedIdentifier[] {
  const identifiers = readIdentifierShapes(readSent(sent, 'linkage'), sent.pointer)
  return readIdentifiers(identifiers, sent.pointer, { ...naming, relationship, location: 'relationshipEndpoint' })
}
