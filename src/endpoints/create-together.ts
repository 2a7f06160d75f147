import { keyFieldsNotWritableOnCreate } from '../graph/model/key-fields'
import { planResourceById, planResourcesByIds } from '../plan/plan-read'
import type { CreatePlan } from '../plan/write-plan'
import { findMissingFieldErrors } from '../request/body/assert-required-fields'
import type { CreateResourceIntent } from '../request/intent/intent'
import { type EndpointResult, NO_CONTENT, withPreferenceApplied } from '../response/endpoint-result'
import type { ResourceRow } from '../store/read-result'
import { toEndpointResultOfCreatedRow } from './create-resource'
import { predictServerModificationOnCreate } from './execute-write'
import type { WriteContext } from './request-scope'
import {
  canResolveRelationshipsAcrossWrites,
  resolveLinkageOfWritesTogether,
  responseIgnoresLaterWrites,
} from './resolve-together'

/** The result of a write that ran together with others, as the endpoint would return it. */
export interface WriteResultWithId {
  readonly id: string
  readonly result: EndpointResult
}

/**
 * Creates resources of one type with the same fields, in the open transaction: one statement finds the related resources of each relationship, one inserts
 * the rows into each table, and one reads them back, unless the insert returns them. Returns `undefined` if they have to be created one by one: because code
 * of the application takes part, or to find out which of them fails. Rows may be inserted already then.
 */
export async function tryCreateResourcesTogether(
  intents: readonly CreateResourceIntent[],
  writeContext: WriteContext,
): Promise<readonly WriteResultWithId[] | undefined> {
  const { transaction, scope } = writeContext
  const [intent] = intents
  if (intent === undefined || !isUnaffectedByHooks(intent, writeContext)) return undefined
  const { type, change, query, preference } = intent
  // All have the same fields, so all have the same outcome.
  const isHidden = preference === 'minimal' && predictServerModificationOnCreate(change, scope.rules) === 'asRequested'
  const plan = planResourceById(type, '', query, scope.rules)
  if (!isHidden && !responseIgnoresLaterWrites(plan, scope)) return undefined
  const [first, ...others] = (await toCreatePlans(intents, writeContext)) ?? []
  if (first === undefined) return undefined
  const created = await transaction.createTogether([first, ...others], isHidden ? undefined : plan)
  if (created === undefined) return undefined
  if (isHidden) return created.ids.map((id) => ({ id, result: withPreferenceApplied(NO_CONTENT, preference) }))
  const rows = created.rows ?? (await loadResourcesInOrderIfAllVisible(created.ids, intent, writeContext))
  return rows?.map((row) => {
    const result = { rows: [row], total: undefined, hasMore: false }
    return {
      id: row.id,
      result: withPreferenceApplied(toEndpointResultOfCreatedRow({ plan, result }, intent, scope), preference),
    }
  })
}

/** Reads resources by their ids. Returns `undefined` if the client can't see one of them. */
export async function loadResourcesInOrderIfAllVisible(
  ids: readonly string[],
  { type, query }: Pick<CreateResourceIntent, 'type' | 'query'>,
  { transaction, scope }: WriteContext,
): Promise<readonly ResourceRow[] | undefined> {
  const { rows } = await transaction.read(planResourcesByIds(type, ids, query, scope.rules), 'noLock')
  const byId = new Map(rows.map((row) => [row.id, row]))
  const found = ids.flatMap((id) => byId.get(id) ?? [])
  return found.length === ids.length ? found : undefined
}

/** Returns true if no hook runs, and no rule that hides related resources depends on the rows that are created. */
function isUnaffectedByHooks({ change, sent }: CreateResourceIntent, { scope }: WriteContext): boolean {
  const { type, attributes, relationships } = change
  const fields = new Set([...attributes.keys(), ...relationships.keys()])
  return (
    !scope.core.definitions.hasWriteHooksBesidesFilter(type) &&
    canResolveRelationshipsAcrossWrites(type, change, scope) &&
    findMissingFieldErrors(type, fields, sent, scope.rules.isHidden).length === 0
  )
}

/** Returns `undefined` if a related resource is missing. */
async function toCreatePlans(
  intents: readonly CreateResourceIntent[],
  writeContext: WriteContext,
): Promise<readonly CreatePlan[] | undefined> {
  const changes = intents.map(({ change }) => change)
  const relationshipChanges = await resolveLinkageOfWritesTogether(changes, writeContext)
  return (
    relationshipChanges &&
    changes.map(({ type, id, attributes: values }, index) => {
      const readOnly = keyFieldsNotWritableOnCreate(type, writeContext.scope.rules.isHidden)
      return {
        kind: 'create',
        type,
        id,
        values,
        relationshipChanges: relationshipChanges[index] ?? [],
        readOnlyKeyFields: readOnly,
      }
    })
  )
}
