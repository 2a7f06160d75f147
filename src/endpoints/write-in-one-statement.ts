import { NOTHING_HIDDEN } from '../graph/model/capabilities'
import type { Relationship, ResourceType, StoredType } from '../graph/model/resource-graph'
import { planLookUp, planResource } from '../plan/plan-read'
import type { ReadPlan } from '../plan/read-plan'
import type { ReadRules } from '../plan/read-rules'
import type { LinkChange } from '../plan/write-plan'
import type { RequestedLinkage } from '../records/resource-input'
import { findMissing } from '../request/body/check-required'
import type { CreateResource, UpdateResource } from '../request/intent/intent'
import type { ReadResult } from '../store/read-result'
import { type Api, readRulesOf } from './api'

// A write in which nothing of the application has a say, about one row that everybody may see: the store may have one statement for it, which finds,
// checks, writes and reads back. What comes of it is what a transaction would have made of the same request; where it may be otherwise, and
// wherever something is to be refused, there is a transaction (docs/internals/decisions/034).

/** What was written, and the plan by which it was read. */
export interface SingleStatementWrite {
  readonly plan: ReadPlan
  readonly result: ReadResult
  readonly rules: ReadRules
}

/** `undefined`: nothing was done. */
export async function createInOneStatement(
  { type: endpointType, change, query, sent, preference }: CreateResource,
  api: Api,
): Promise<SingleStatementWrite | undefined> {
  const { type, id, attributes: values, relationships } = change
  if (endpointType !== type || preference === 'minimal' || needsTransaction(type, api)) return undefined
  const links = toLinkChanges(relationships, api)
  if (links === undefined) return undefined
  if (findMissing(type, new Set([...values.keys(), ...relationships.keys()]), sent, NOTHING_HIDDEN).length > 0)
    return undefined
  const rules = readRulesOf(api)
  const plan = planResource(type, '', query, rules)
  const result = await api.store.writeInOneStatement({ kind: 'create', type, id, values, links }, plan)
  return result && { plan, result, rules }
}

/** `isProjected`: whether a document is due. `undefined`: nothing was done. */
export async function updateInOneStatement(
  { target: { type: endpointType, id }, change, query, condition }: UpdateResource,
  isShown: boolean,
  api: Api,
): Promise<SingleStatementWrite | undefined> {
  const { type, attributes: values, relationships } = change
  const isMatched = condition.kind === 'any' || (condition.kind === 'unsaid' && type.ifMatch === 'optional')
  const isConditional = !isMatched || condition.except !== undefined
  if (endpointType !== type || isConditional || needsTransaction(type, api) || api.validators.hasChecks(type))
    return undefined
  const links = toLinkChanges(relationships, api)
  if (links === undefined || values.size + links.length === 0) return undefined
  const rules = readRulesOf(api)
  const plan = isShown ? planResource(type, id, query, rules) : planLookUp(type, [id], rules)
  const result = await api.store.writeInOneStatement({ kind: 'update', type, id, values, links }, plan)
  return result && { plan, result, rules }
}

/** Whether anything but the request has a say, or the write is a part of something larger. */
function needsTransaction(type: StoredType, { definitions, openTransaction, beforeCommit }: Api): boolean {
  const isOnlyOne = type.concreteTypes.length === 1
  return openTransaction !== undefined || beforeCommit !== undefined || !isOnlyOne || definitions.hasWriteHooks(type)
}

/** `undefined`: what is at the other end has to be looked up first. */
function toLinkChanges(relationships: ReadonlyMap<Relationship, RequestedLinkage>, api: Api): LinkChange[] | undefined {
  const links: LinkChange[] = []
  for (const [relationship, linkage] of relationships) {
    if (linkage.kind === 'toMany' || hasInverseHook(relationship, api)) return undefined
    const { identifier } = linkage
    if (identifier === null) {
      links.push({ relationship, mode: 'set', related: [] })
      continue
    }
    const type = identifier.kind === 'existing' ? onlyConcreteType(identifier.type) : undefined
    if (identifier.kind !== 'existing' || type === undefined || api.definitions.hasFilterHook(type)) return undefined
    links.push({ relationship, mode: 'set', related: [{ type, id: identifier.id }] })
  }
  return links
}

function hasInverseHook({ inverse }: Relationship, { definitions }: Api): boolean {
  return inverse !== undefined && definitions.hookedRelationships.typesOf(inverse).length > 0
}

/** What rows of a declared type are stored as, where they can be of one type alone. */
function onlyConcreteType({ concreteTypes: [only, ...others] }: ResourceType): StoredType | undefined {
  return others.length === 0 ? only : undefined
}
