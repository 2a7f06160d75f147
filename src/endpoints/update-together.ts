import { canonicalId } from '../graph/model/record-id'
import type { StoredType } from '../graph/model/resource-graph'
import { planIdentifiersByIds, planResourceById, withRevisionSources } from '../plan/plan-read'
import type { UpdatePlan } from '../plan/write-plan'
import type { UpdateResourceIntent } from '../request/intent/intent'
import { type EndpointResult, NO_CONTENT, withPreferenceApplied } from '../response/endpoint-result'
import type { ResourceRow } from '../store/read-result'
import { assertPreconditions } from './assert-preconditions'
import { loadResourcesInOrderIfAllVisible, type WriteResultWithId } from './create-together'
import { predictServerModificationOnUpdate } from './execute-write'
import type { WriteContext } from './request-scope'
import {
  canResolveRelationshipsAcrossWrites,
  resolveLinkageOfWritesTogether,
  responseIgnoresLaterWrites,
  visibilityRuleIgnoresWrittenTypes,
} from './resolve-together'
import { narrowUpdateToStoredType, toEndpointResultOfUpdatedRow, updateResponseNeedsDocument } from './update-resource'

/**
 * Updates resources of one endpoint with the same fields, in the open transaction: one statement finds and locks them, one finds the related resources of each
 * relationship, one updates the rows of each stored type, and one reads them back. Returns `undefined` if they have to be updated one by one: because code of
 * the application takes part, because the result could depend on the order, or to find out which of them fails. Rows may be updated already then.
 */
export async function tryUpdateResourcesTogether(
  intents: readonly UpdateResourceIntent[],
  writeContext: WriteContext,
): Promise<readonly WriteResultWithId[] | undefined> {
  const { transaction, scope } = writeContext
  const [intent] = intents
  if (intent === undefined || !isUnaffectedByHooks(intent, writeContext)) return undefined
  const rows = await lockTargets(intents, writeContext)
  if (rows === undefined) return undefined
  const isShown = rows.map(({ type }, index) => {
    const each = intents[index] ?? intent
    return updateResponseNeedsDocument(
      each,
      predictServerModificationOnUpdate(type, each.change, scope.rules),
      scope.core,
    )
  })
  const plan = planResourceById(intent.target.type, '', intent.query, scope.rules)
  if (isShown.includes(true) && !responseIgnoresLaterWrites(plan, scope)) return undefined
  for (const [index, row] of rows.entries())
    if (!(await isUpdatedAsSent(intents[index] ?? intent, row, writeContext))) return undefined
  const relationshipChanges = await resolveLinkageOfWritesTogether(
    intents.map(({ change }) => change),
    writeContext,
  )
  if (relationshipChanges === undefined) return undefined
  const plans = rows.map(({ type, id }, index): UpdatePlan => {
    return {
      kind: 'update',
      type,
      id,
      values: intents[index]?.change.attributes ?? NO_VALUES,
      relationshipChanges: relationshipChanges[index] ?? [],
    }
  })
  for (const type of new Set(rows.map((row) => row.type))) {
    const [first, ...others] = plans.filter((plan) => plan.type === type)
    if (first !== undefined && (await transaction.updateTogether([first, ...others])) === undefined) return undefined
  }
  return toResults(intents, { rows, isShown }, writeContext)
}

const NO_VALUES: UpdatePlan['values'] = new Map()

/** Returns true if neither hooks nor validators run for any row that the endpoint can have, and no update can hide another of these rows. */
function isUnaffectedByHooks({ target, change }: UpdateResourceIntent, { scope }: WriteContext): boolean {
  const { definitions, validators } = scope.core
  const isUnaffected = (type: StoredType) =>
    !definitions.hasWriteHooksBesidesFilter(type) &&
    !validators.hasChecks(type) &&
    canResolveRelationshipsAcrossWrites(type, change, scope)
  return (
    visibilityRuleIgnoresWrittenTypes([target.type], target.type, scope) &&
    target.type.concreteTypes.every(isUnaffected)
  )
}

/** Finds and locks the rows of different targets, in their order. Returns `undefined` if one is missing, or two are the same row. */
async function lockTargets(
  intents: readonly UpdateResourceIntent[],
  { transaction, scope }: WriteContext,
): Promise<readonly ResourceRow[] | undefined> {
  const [intent] = intents
  const ids = intents.map(({ target: { type, id } }) => canonicalId(type, id))
  if (intent === undefined) return undefined
  const plan = planIdentifiersByIds(intent.target.type, ids, scope.rules)
  const hasRevisions = intents.some(({ condition }) => condition.kind === 'revisions')
  const { rows } = await transaction.read(hasRevisions ? withRevisionSources(plan) : plan, 'lock')
  const byId = new Map(rows.map((row) => [row.id, row]))
  const found = ids.flatMap((id) => byId.get(id) ?? [])
  return found.length === ids.length && byId.size === ids.length ? found : undefined
}

/** Returns false if fields have to be left out. Throws the errors that the update of a single resource has before its hooks. */
async function isUpdatedAsSent(
  intent: UpdateResourceIntent,
  row: ResourceRow,
  writeContext: WriteContext,
): Promise<boolean> {
  const change = narrowUpdateToStoredType(intent, row.type, writeContext.scope)
  await assertPreconditions(intent.condition, row, 'resource', writeContext)
  return change === intent.change
}

/** Reads the rows back whose responses have to contain the resource. */
async function toResults(
  intents: readonly UpdateResourceIntent[],
  { rows, isShown }: { readonly rows: readonly ResourceRow[]; readonly isShown: readonly boolean[] },
  writeContext: WriteContext,
): Promise<readonly WriteResultWithId[] | undefined> {
  const [intent] = intents
  if (intent === undefined) return undefined
  const { type } = intent.target
  const shown = rows.filter((_, index) => isShown[index])
  const ids = shown.map(({ id }) => id)
  const read =
    ids.length === 0 ? [] : await loadResourcesInOrderIfAllVisible(ids, { type, query: intent.query }, writeContext)
  if (read === undefined) return undefined
  const byId = new Map(read.map((row) => [row.id, row]))
  return rows.map(({ id }, index) => {
    const each = intents[index] ?? intent
    const row = byId.get(id)
    const shownResult = row && toResultOfShown(each, row, writeContext)
    return { id, result: withPreferenceApplied(shownResult ?? NO_CONTENT, each.preference) }
  })
}

function toResultOfShown(intent: UpdateResourceIntent, row: ResourceRow, { scope }: WriteContext): EndpointResult {
  const plan = planResourceById(intent.target.type, row.id, intent.query, scope.rules)
  return toEndpointResultOfUpdatedRow(
    { plan, result: { rows: [row], total: undefined, hasMore: false } },
    intent,
    scope,
  )
}
