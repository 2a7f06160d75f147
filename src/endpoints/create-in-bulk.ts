import type { Relationship } from '../graph/model/resource-graph'
import { planResource } from '../plan/plan-read'
import type { CreatePlan, RelationshipChange } from '../plan/write-plan'
import { findMissingFieldErrors } from '../request/body/assert-required-fields'
import type { CreateResourceIntent } from '../request/intent/intent'
import { type EndpointResult, NO_CONTENT, withPreferenceApplied } from '../response/endpoint-result'
import { toResultOfCreatedRow } from './create-resource'
import { expectedServerChangesOfCreate } from './execute-write'
import type { WriteContext } from './request-scope'
import { findExistingRecords, identifiersOf } from './resolve-requested-linkage'
import { hasInverseHook } from './write-in-one-statement'

/** A resource that was created with others. */
interface CreatedResource {
  readonly id: string
  /** The result that `createResource` would return. */
  readonly result: EndpointResult
}

/**
 * Creates resources of one type with the same fields, in the open transaction: one statement finds the related resources of each relationship, and one
 * inserts all rows. Returns `undefined` if nothing was written, because code of the application takes part, or because the write of one of them fails.
 * Creating them one by one then reports which.
 */
export async function createInBulk(
  intents: readonly CreateResourceIntent[],
  writeContext: WriteContext,
): Promise<readonly CreatedResource[] | undefined> {
  const { transaction, scope } = writeContext
  const [intent] = intents
  if (intent === undefined || !isUnaffectedByHooks(intent, writeContext)) return undefined
  const { type, change, query, preference } = intent
  const plan = planResource(type, '', query, scope.rules)
  if (type !== change.type || !transaction.supportsBulkInsert(plan)) return undefined
  const [first, ...others] = (await toCreatePlans(intents, writeContext)) ?? []
  const rows = first && (await transaction.bulkInsert([first, ...others], plan))
  // All have the same fields, so all have the same outcome.
  const isHidden = preference === 'minimal' && expectedServerChangesOfCreate(change, scope.rules) === 'asRequested'
  return rows?.map((row) => {
    const result = { rows: [row], total: undefined, hasMore: false }
    const shown = isHidden ? NO_CONTENT : toResultOfCreatedRow({ plan, result }, intent, scope)
    return { id: row.id, result: withPreferenceApplied(shown, preference) }
  })
}

/** Returns true if no hook runs, and no rule hides related resources, which could depend on the rows that are created. */
function isUnaffectedByHooks(
  { change: { type, attributes, relationships }, sent }: CreateResourceIntent,
  { scope: { core, rules } }: WriteContext,
): boolean {
  const { definitions } = core
  const fields = new Set([...attributes.keys(), ...relationships.keys()])
  return (
    !definitions.hasWriteHooks(type) &&
    [...relationships.keys()].every((relationship) => {
      return (
        isKeyOfRow(relationship) &&
        !hasInverseHook(relationship, definitions) &&
        !definitions.hasFilterHook(relationship.target)
      )
    }) &&
    findMissingFieldErrors(type, fields, sent, rules.isHidden).length === 0
  )
}

/** Returns true if a write of the relationship changes one row only. */
function isKeyOfRow(relationship: Relationship): boolean {
  return relationship.kind === 'toOne' && relationship.holdsKey && !relationship.isExclusive
}

/** Returns `undefined` if a related resource is missing. */
async function toCreatePlans(
  intents: readonly CreateResourceIntent[],
  writeContext: WriteContext,
): Promise<readonly CreatePlan[] | undefined> {
  const links: (readonly RelationshipChange[])[] = []
  for (const relationship of intents[0]?.change.relationships.keys() ?? []) {
    const changes = await toRelationshipChanges(relationship, intents, writeContext)
    if (changes.length < intents.length) return undefined
    links.push(changes)
  }
  return intents.map(({ change: { type, id, attributes } }, index) => ({
    kind: 'create',
    type,
    id,
    values: attributes,
    links: links.flatMap((changes) => changes[index] ?? []),
  }))
}

/** Returns the change of a to-one relationship for each resource whose related resource exists. */
async function toRelationshipChanges(
  relationship: Relationship,
  intents: readonly CreateResourceIntent[],
  writeContext: WriteContext,
): Promise<readonly RelationshipChange[]> {
  const linkages = intents.flatMap(({ change }) => change.relationships.get(relationship) ?? [])
  const identifiers = linkages.flatMap((linkage) => identifiersOf(linkage))
  const existing = identifiers.filter((identifier) => identifier.kind === 'existing')
  const found = await findExistingRecords(relationship, existing, writeContext)
  return linkages.flatMap((linkage): readonly RelationshipChange[] => {
    const [identifier] = identifiersOf(linkage)
    const record = identifier?.kind === 'existing' ? found.get(identifier) : undefined
    const isCleared = identifier === undefined && relationship.kind === 'toOne' && relationship.isNullable
    if (record === undefined && !isCleared) return []
    const related = record === undefined ? [] : [{ type: record.type, id: record.id }]
    return [{ relationship, mode: 'set', related }]
  })
}
