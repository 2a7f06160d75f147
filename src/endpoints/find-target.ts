import type { Pointer } from '../document/pointer'
import { clientError, JsonApiError } from '../errors/json-api-error'
import { suggestName } from '../errors/nearest-name'
import { hasField } from '../graph/model/inheritance'
import type { Relationship, StoredType } from '../graph/model/resource-graph'
import { ALL_FIELDS } from '../plan/plan-projection'
import { planLookUp, planRecords, withStates } from '../plan/plan-read'
import type { ReadRules } from '../plan/read-rules'
import { type StoredRecord, toRecord } from '../records/stored-record'
import type { Candidates, Target } from '../request/intent/intent'
import type { ResultRow } from '../store/read-result'
import type { Store, Transaction } from '../store/store'

/** The stored type of the resource that a URL names: one statement. */
export async function findTarget(target: Target, store: Store, rules: ReadRules): Promise<ResultRow> {
  const { rows } = await store.read(planLookUp(target.type, [target.id], rules))
  return rows[0] ?? throwMissing(target)
}

/** The same with its state. */
export async function findTargetRevision(target: Target, store: Store, rules: ReadRules): Promise<ResultRow> {
  const { rows } = await store.read(withStates(planLookUp(target.type, [target.id], rules)))
  return rows[0] ?? throwMissing(target)
}

/** The same for a write, with all attributes: nobody else can write it until the transaction ends. What a GET may not see is not there. */
export async function lockTarget(target: Target, transaction: Transaction, rules: ReadRules): Promise<ResultRow> {
  const { rows } = await transaction.read(withStates(planRecords(target.type, [target.id], rules)), 'lock')
  return rows[0] ?? throwMissing(target)
}

/** A row that was read with all its attributes. */
export function toStoredRecord({ type, id, values }: ResultRow): StoredRecord {
  return toRecord(type, id, ALL_FIELDS.of(type).fetched, values)
}

/** Of the relationships that a name may stand for the one that the stored type has and shows, with what was read against it. */
export function chooseCandidate<Field extends Relationship, Value>(
  { name, pointer, found }: Candidates<Field, Value>,
  type: StoredType,
  rules: ReadRules,
): { readonly relationship: Field; readonly value: Value } {
  const chosen = findRelationship(found, type, rules)
  if (chosen === undefined) throw missingRelationship({ name, pointer }, type, rules)
  if ('mistake' in chosen) throw chosen.mistake
  return chosen
}

/** The one whose relationship the stored type has and shows. */
export function findRelationship<Each extends { readonly relationship: Relationship }>(
  found: readonly Each[],
  type: StoredType,
  rules: ReadRules,
): Each | undefined {
  return found.find(({ relationship }) => hasField(type, relationship) && rules.isVisible(type, relationship))
}

export function missingResource({ type, id, pointer }: Target): JsonApiError {
  const detail = `There is no resource of type '${type.name}' with id '${id}'.`
  return new JsonApiError([clientError('resource.not-found', detail, sourceOf(pointer))])
}

function throwMissing(target: Target): never {
  throw missingResource(target)
}

function missingRelationship(
  { name, pointer }: { readonly name: string; readonly pointer: Pointer | undefined },
  type: StoredType,
  rules: ReadRules,
): JsonApiError {
  const hint = suggestName(
    name,
    type.relationships.filter((each) => rules.isVisible(type, each)).map((relationship) => relationship.name),
  )
  const detail = `'${type.name}' has no relationship '${name}'.${hint}`
  return new JsonApiError([clientError('relationship.not-found', detail, sourceOf(pointer))])
}

/** Where nothing in a document names it, the URL does. */
function sourceOf(pointer: Pointer | undefined): { readonly pointer: Pointer } | undefined {
  return pointer === undefined ? undefined : { pointer }
}
