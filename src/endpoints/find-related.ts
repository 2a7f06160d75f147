import type { ResourceIdentifier } from '../document/document'
import { clientError, type ErrorDetails, JsonApiError } from '../errors/json-api-error'
import { isA, selfAndAncestors } from '../graph/model/inheritance'
import type { Relationship } from '../graph/model/resource-graph'
import { planRecords } from '../plan/plan-read'
import type { ReadRules } from '../plan/read-rules'
import type { RequestedIdentifier } from '../records/resource-input'
import type { StoredRecord } from '../records/stored-record'
import type { Transaction } from '../store/store'
import { toStoredRecord } from './find-target'

export interface WriteContext {
  readonly transaction: Transaction
  readonly rules: ReadRules
  /** Who is asking. */
  readonly context: unknown
  /** Aborted when the request has taken as long as it may. */
  readonly signal: AbortSignal
}

/** What an identifier of a request stands for: a stored record, or the resource that is being created. */
export type RelatedRecord = StoredRecord | 'self'

type Existing = Extract<RequestedIdentifier, { kind: 'existing' }>

/**
 * The records that identifiers name, under their stored types: one statement. A row that is not there, hidden, or of another type than
 * the one named, is 404 for each identifier.
 */
export async function findRelated(
  relationship: Relationship,
  identifiers: readonly RequestedIdentifier[],
  writeContext: WriteContext,
): Promise<readonly RelatedRecord[]> {
  const existing = identifiers.filter((identifier) => identifier.kind === 'existing')
  const found = await findExisting(relationship, existing, writeContext)
  const missing = existing.filter((identifier) => !found.has(identifier))
  if (missing.length > 0) throw new JsonApiError(missing.map((identifier) => missingRelated(relationship, identifier)))
  return distinct(identifiers.map((each) => (each.kind === 'existing' ? (found.get(each) ?? 'self') : 'self')))
}

/** Those of the identifiers that name a record; the others can't be members. */
export async function findMembers(
  relationship: Relationship,
  identifiers: readonly RequestedIdentifier[],
  writeContext: WriteContext,
): Promise<readonly StoredRecord[]> {
  const existing = identifiers.filter((identifier) => identifier.kind === 'existing')
  const found = await findExisting(relationship, existing, writeContext)
  return distinct([...found.values()])
}

/** The record that a rule named. */
export async function findChosenRecord(
  relationship: Relationship,
  { type: typeName, id }: ResourceIdentifier,
  { transaction, rules }: WriteContext,
): Promise<StoredRecord> {
  const { rows } = await transaction.read(planRecords(relationship.target, [id], rules), 'noLock')
  const row = rows.find(({ type }) => selfAndAncestors(type).some(({ name }) => name === typeName))
  if (row !== undefined) return toStoredRecord(row)
  // The client has not named it, and may not know of it.
  const detail = `What a rule chose for '${relationship.name}' is not there.`
  throw new JsonApiError([{ ...clientError('related.not-found', detail), field: relationship.name }])
}

async function findExisting(
  relationship: Relationship,
  identifiers: readonly Existing[],
  { transaction, rules }: WriteContext,
): Promise<ReadonlyMap<Existing, StoredRecord>> {
  const found = new Map<Existing, StoredRecord>()
  if (identifiers.length === 0) return found
  const ids = [...new Set(identifiers.map(({ id }) => id))]
  const { rows } = await transaction.read(planRecords(relationship.target, ids, rules), 'noLock')
  const records = new Map(rows.map((row) => [row.id, toStoredRecord(row)]))
  for (const identifier of identifiers) {
    const record = records.get(identifier.id)
    if (record !== undefined && isA(record.type, identifier.type)) found.set(identifier, record)
  }
  return found
}

/** A base and a derived type may have named the same record twice. */
function distinct<Right extends RelatedRecord>(rights: readonly Right[]): readonly Right[] {
  return [...new Map(rights.map((right) => [right === 'self' ? right : right.id, right])).values()]
}

function missingRelated(relationship: Relationship, { type, id, pointer }: Existing): ErrorDetails {
  const detail = `There is no resource of type '${type.name}' with id '${id}' for the relationship '${relationship.name}'.`
  return clientError('related.not-found', detail, { pointer })
}
