import type { ResourceIdentifier } from '../document/response-document'
import { createErrorDetails, type ErrorDetails, JsonApiError, mapCollectingErrorsAsync } from '../errors/json-api-error'
import { isSameOrDerivedType, selfAndAncestors } from '../graph/model/inheritance'
import type { Relationship, StoredType } from '../graph/model/resource-graph'
import { planIdentifiersByIds, planRecordsByIds } from '../plan/plan-read'
import type {
  ParsedResourceObject,
  RequestedIdentifierOrSelf,
  RequestedLinkage,
} from '../records/parsed-resource-object'
import type { ResourceRecord } from '../records/resource-record'
import type { RelationshipWriteMode } from '../request/intent/relationship-candidates'
import type { ResourceRow, StoredTypeAndId } from '../store/read-result'
import { resourceRowToRecord, rowToRecordWithoutAttributes } from './load-requested-resource'
import type { WriteContext } from './request-scope'

/** The resource that an identifier of a request refers to: a stored record, or the resource that is being created. */
type RelatedRecord = ResourceRecord | 'self'

/** A requested change of one relationship. Its related resources were found, under their stored types. */
export interface ResolvedRelationshipChange {
  readonly relationship: Relationship
  readonly mode: RelationshipWriteMode
  readonly related: readonly RelatedRecord[]
}

/** Loads the related resources of every relationship in a resource object, with one statement for each. Throws 404 with all missing ones. */
export function loadRelatedRecordsOfWrite(
  type: StoredType,
  { relationships }: ParsedResourceObject,
  writeContext: WriteContext,
): Promise<ResolvedRelationshipChange[]> {
  return mapCollectingErrorsAsync(relationships, async ([relationship, linkage]) => ({
    relationship,
    mode: 'set' as const,
    related: await loadRecordsByIdentifiers({ type, relationship }, identifiersInLinkage(linkage), writeContext),
  }))
}

/** A relationship of a row, with the stored type of the row. */
interface RelationshipOfRow {
  readonly type: StoredType
  readonly relationship: Relationship
}

export function identifiersInLinkage(linkage: RequestedLinkage): readonly RequestedIdentifierOrSelf[] {
  if (linkage.kind === 'toMany') return linkage.identifiers
  return linkage.identifier === null ? [] : [linkage.identifier]
}

type Existing = Extract<RequestedIdentifierOrSelf, { kind: 'existing' }>

/**
 * Loads the records of identifiers under their stored types, with one statement. Throws 404 with every identifier whose row is missing,
 * hidden or of another type.
 */
export async function loadRecordsByIdentifiers(
  source: RelationshipOfRow,
  identifiers: readonly RequestedIdentifierOrSelf[],
  writeContext: WriteContext,
): Promise<readonly RelatedRecord[]> {
  const existing = identifiers.filter((identifier) => identifier.kind === 'existing')
  const found = await findExistingRecords(source, existing, writeContext)
  const missing = existing.filter((identifier) => !found.has(identifier))
  if (missing.length > 0)
    throw new JsonApiError(missing.map((identifier) => missingRelated(source.relationship, identifier)))
  return distinct(identifiers.map((each) => (each.kind === 'existing' ? (found.get(each) ?? 'self') : 'self')))
}

/** Loads the records of identifiers, and ignores identifiers without a record, because they can't be members. */
export async function findRecordsByIdentifiers(
  source: RelationshipOfRow,
  identifiers: readonly RequestedIdentifierOrSelf[],
  writeContext: WriteContext,
): Promise<readonly ResourceRecord[]> {
  const existing = identifiers.filter((identifier) => identifier.kind === 'existing')
  const found = await findExistingRecords(source, existing, writeContext)
  return distinct([...found.values()])
}

/** Finds the record that a hook chose. */
export async function loadHookChosenRelatedRecord(
  relationship: Relationship,
  { type: typeName, id }: ResourceIdentifier,
  { transaction, scope }: WriteContext,
): Promise<ResourceRecord> {
  const { rows } = await transaction.read(planRecordsByIds(relationship.target, [id], scope.rules), 'noLock')
  const row = rows.find(({ type }) => selfAndAncestors(type).some(({ name }) => name === typeName))
  if (row !== undefined) return resourceRowToRecord(row)
  // The client has not named the record, and may not be allowed to see it.
  const detail = `The resource that a rule chose for '${relationship.name}' does not exist.`
  throw new JsonApiError([{ ...createErrorDetails('related.not-found', detail), field: relationship.name }])
}

/**
 * Loads the record of each identifier, with one statement. Identifiers whose row is missing, hidden or of another type have none. The records have attributes
 * only if a hook can read them.
 */
function findExistingRecords(
  { type, relationship }: RelationshipOfRow,
  identifiers: readonly Existing[],
  writeContext: WriteContext,
): Promise<ReadonlyMap<Existing, ResourceRecord>> {
  const { definitions } = writeContext.scope.core
  const isHooked =
    definitions.hasWriteHooksBesidesFilter(type) || definitions.hookedRelationships.hasInverseHook(relationship)
  if (isHooked) return findExisting(relationship, identifiers, writeContext, planRecordsByIds, resourceRowToRecord)
  return findExisting(relationship, identifiers, writeContext, planIdentifiersByIds, rowToRecordWithoutAttributes)
}

/** Loads the stored type and id of each identifier in the same way. */
export function loadExistingIdentifiers(
  relationship: Relationship,
  identifiers: readonly Existing[],
  writeContext: WriteContext,
): Promise<ReadonlyMap<Existing, StoredTypeAndId>> {
  return findExisting(relationship, identifiers, writeContext, planIdentifiersByIds, (row) => row)
}

async function findExisting<Found extends StoredTypeAndId>(
  { target }: Relationship,
  identifiers: readonly Existing[],
  { transaction, scope }: WriteContext,
  planByIds: typeof planRecordsByIds,
  toFound: (row: ResourceRow) => Found,
): Promise<ReadonlyMap<Existing, Found>> {
  const found = new Map<Existing, Found>()
  if (identifiers.length === 0) return found
  const ids = [...new Set(identifiers.map(({ id }) => id))]
  const { rows } = await transaction.read(planByIds(target, ids, scope.rules), 'noLock')
  const byId = new Map(rows.map((row) => [row.id, toFound(row)]))
  for (const identifier of identifiers) {
    const each = byId.get(identifier.id)
    if (each !== undefined && isSameOrDerivedType(each.type, identifier.type)) found.set(identifier, each)
  }
  return found
}

/** Removes repeated records. A request can refer to a record twice, by its type and by a base type. */
function distinct<Related extends RelatedRecord>(records: readonly Related[]): readonly Related[] {
  return [...new Map(records.map((record) => [record === 'self' ? record : record.id, record])).values()]
}

function missingRelated(relationship: Relationship, { type, id, pointer }: Existing): ErrorDetails {
  const detail = `There is no resource of type '${type.name}' with id '${id}' for the relationship '${relationship.name}'.`
  return createErrorDetails('related.not-found', detail, { pointer })
}
