import { formatValueForError } from '../../document/format-value-for-error'
import { createJsonApiError, JsonApiError } from '../../errors/json-api-error'
import { didYouMean } from '../../errors/nearest-name'
import { hasViewCapability, type IsFieldHidden, isFieldWritable } from '../../graph/model/capabilities'
import { fieldNamesOfSelfAndDescendants, findOwnOrDerivedFields, isFieldOfType } from '../../graph/model/inheritance'
import { isRelationship, type Relationship, type ResourceType } from '../../graph/model/resource-graph'
import type { CandidateRelationships, RelationshipValueOrError } from './intent'

/** Returns the relationships that a name in a URL can mean while the stored type is unknown. Throws if there are none. */
export function getCandidateRelationshipsByName(
  type: ResourceType,
  name: string,
  isHidden: IsFieldHidden,
): readonly Relationship[] {
  const found = findRelationships(type, name, isHidden)
  if (found.length > 0) return found
  const names = fieldNamesOfSelfAndDescendants(type).filter(
    (each) => findRelationships(type, each, isHidden).length > 0,
  )
  const detail = `Expected a relationship of '${type.name}', found ${formatValueForError(name)}.${didYouMean(name, names)}`
  throw createJsonApiError('relationship.not-found', detail)
}

/** The relationships that the name of a write can mean. */
export interface RelationshipsMatchingNameInWrite<Write> {
  readonly name: string
  readonly mode: Write
  readonly found: readonly Relationship[]
}

/** Finds the relationships that a name can mean, before the body is read. Throws if none of them allows the write. */
export function getRelationshipsNamedOrThrowIfReadOnly<Write extends RelationshipWriteMode>(
  type: ResourceType,
  name: string,
  mode: Write,
  isHidden: IsFieldHidden,
): RelationshipsMatchingNameInWrite<Write> {
  const found = getCandidateRelationshipsByName(type, name, isHidden)
  const [first] = found
  if (first === undefined) return { name, mode, found }
  if (mode !== 'set' && found.every(({ kind }) => kind === 'toOne')) throw relationshipNotToManyError(first)
  if (found.every((each) => !isFieldWritable(each, mode))) throw readOnlyError(first, mode)
  return { name, mode, found }
}

export function assertRelationshipWritable(relationship: Relationship, write: RelationshipWriteMode): void {
  if (!isFieldWritable(relationship, write)) throw readOnlyError(relationship, write)
}

/** The writes of the relationship endpoints: PATCH, POST, DELETE. */
export type RelationshipWriteMode = 'set' | 'add' | 'remove'

function findRelationships(type: ResourceType, name: string, isHidden: IsFieldHidden): readonly Relationship[] {
  const found = findOwnOrDerivedFields(type, name).filter(isRelationship).filter(hasViewCapability)
  return found.filter((each) => !isHidden(isFieldOfType(type, each) ? type : each.declaringType, each))
}

/** Reads the sent data once for each relationship. If it is valid for none of them, throws the errors of the first. */
export function readSentDataPerCandidateRelationship<Found extends Relationship, Value>(
  name: string,
  relationships: readonly Relationship[],
  read: (relationship: Relationship) => RelationshipValueOrError<Found, Value>,
): CandidateRelationships<Found, Value> {
  const errors: JsonApiError[] = []
  const found = relationships.map((relationship): RelationshipValueOrError<Found, Value> => {
    try {
      return read(relationship)
    } catch (error) {
      if (!(error instanceof JsonApiError)) throw error
      errors.push(error)
      return { relationship, error }
    }
  })
  const [first] = errors
  if (first !== undefined && errors.length === found.length) throw first
  return { name, found }
}

function readOnlyError({ name, declaringType }: Relationship, write: RelationshipWriteMode): JsonApiError {
  const detail = `'${name}' of '${declaringType.name}' can't be ${WRITE_PARTICIPLES[write]}.`
  return createJsonApiError('relationship.read-only', detail)
}

const WRITE_PARTICIPLES: Readonly<Record<RelationshipWriteMode, string>> = {
  set: 'replaced',
  add: 'added to',
  remove: 'removed from',
}

export function relationshipNotToManyError({ name, declaringType }: Relationship): JsonApiError {
  const detail = `Expected a to-many relationship, found '${name}' of '${declaringType.name}'. Replace it with PATCH.`
  return createJsonApiError('relationship.not-to-many', detail)
}
