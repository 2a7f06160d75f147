import type { JsonPointer } from '../document/pointer'
import { createJsonApiError, type JsonApiError } from '../errors/json-api-error'
import { didYouMean } from '../errors/nearest-name'
import { isFieldOfType } from '../graph/model/inheritance'
import type { Relationship, StoredType } from '../graph/model/resource-graph'
import { FULL_PROJECTION } from '../plan/plan-field-selection'
import { planIdentifiersByIds, planRecordsByIds, withRevisionSources } from '../plan/plan-read'
import type { ReadRules } from '../plan/read-rules'
import { buildResourceRecordFromValues, type ResourceRecord } from '../records/resource-record'
import { withDefaultPointer } from '../request/body/read-members'
import type { CandidateRelationships, RequestedResourceIdentifier } from '../request/intent/intent'
import type { ResourceRow } from '../store/read-result'
import type { RequestScope, WriteContext } from './request-scope'

/** Reads the stored type of the resource whose relationship a URL names: one statement. */
export async function loadSourceIdentifier(
  target: RequestedResourceIdentifier,
  { store, rules }: RequestScope,
): Promise<ResourceRow> {
  const { rows } = await store.read(planIdentifiersByIds(target.type, [target.id], rules))
  return rows[0] ?? throwMissing(target)
}

/** Reads the stored type and the revision of the resource whose relationship a URL names: one statement. */
export async function loadSourceIdentifierWithRevision(
  target: RequestedResourceIdentifier,
  { store, rules }: RequestScope,
): Promise<ResourceRow> {
  const { rows } = await store.read(withRevisionSources(planIdentifiersByIds(target.type, [target.id], rules)))
  return rows[0] ?? throwMissing(target)
}

/** Reads and locks the row that a write is about, with all attributes. Applies the read rules: a hidden row is 404. */
export async function loadAndLockRequestedResource(
  target: RequestedResourceIdentifier,
  { transaction, scope }: WriteContext,
): Promise<ResourceRow> {
  const { rows } = await transaction.read(
    withRevisionSources(planRecordsByIds(target.type, [target.id], scope.rules)),
    'lock',
  )
  return rows[0] ?? throwMissing(target)
}

/** Converts a row that was read with all its attributes. */
export function resourceRowToRecord({ type, id, values }: ResourceRow): ResourceRecord {
  return buildResourceRecordFromValues(type, id, FULL_PROJECTION.of(type).fetched, values)
}

/** Converts a row that was read without attributes. */
export function rowToRecordWithoutAttributes({ type, id }: ResourceRow): ResourceRecord {
  return buildResourceRecordFromValues(type, id, [], [])
}

/** Returns the candidate whose relationship the stored type has and shows, with the value that was read for it. Throws if there is none. */
export function getVisibleCandidateRelationship<Field extends Relationship, Value>(
  { name, pointer, found }: CandidateRelationships<Field, Value>,
  type: StoredType,
  rules: ReadRules,
): { readonly relationship: Field; readonly value: Value } {
  const chosen = findVisibleRelationshipCandidateOfType(found, type, rules)
  if (chosen === undefined) throw missingRelationship({ name, pointer }, type, rules)
  if ('error' in chosen) throw pointer === undefined ? chosen.error : withDefaultPointer(chosen.error, pointer)
  return chosen
}

/** Returns the candidate whose relationship the stored type has and shows. */
export function findVisibleRelationshipCandidateOfType<Each extends { readonly relationship: Relationship }>(
  found: readonly Each[],
  type: StoredType,
  rules: ReadRules,
): Each | undefined {
  return found.find(({ relationship }) => isFieldOfType(type, relationship) && rules.isVisible(type, relationship))
}

export function missingResourceError({ type, id, pointer }: RequestedResourceIdentifier): JsonApiError {
  const detail = `There is no resource of type '${type.name}' with id '${id}'.`
  return createJsonApiError('resource.not-found', detail, sourceOf(pointer))
}

function throwMissing(target: RequestedResourceIdentifier): never {
  throw missingResourceError(target)
}

function missingRelationship(
  { name, pointer }: { readonly name: string; readonly pointer: JsonPointer | undefined },
  type: StoredType,
  rules: ReadRules,
): JsonApiError {
  const hint = didYouMean(
    name,
    type.relationships.filter((each) => rules.isVisible(type, each)).map((relationship) => relationship.name),
  )
  const detail = `'${type.name}' has no relationship '${name}'.${hint}`
  return createJsonApiError('relationship.not-found', detail, sourceOf(pointer))
}

/** Without a pointer, the URL names the resource. */
function sourceOf(pointer: JsonPointer | undefined): { readonly pointer: JsonPointer } | undefined {
  return pointer === undefined ? undefined : { pointer }
}
