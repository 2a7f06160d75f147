import { NOTHING_HIDDEN } from '../graph/capabilities'
import type { Relationship, ResourceType, StoredType } from '../graph/resource-graph'
import { planLookUp, planResource } from '../plan/plan-read'
import type { ReadPlan } from '../plan/read-plan'
import type { ReadingRules } from '../plan/reading-rules'
import type { LinkChange } from '../plan/write-plan'
import type { RequestedLinkage } from '../records/change'
import { findMissing } from '../request/check-required'
import type { CreateResource, UpdateResource } from '../request/intent'
import type { ReadResult } from '../store/read-result'
import { type Api, readingRulesOf } from './api'

// A write in which nothing of the application has a say, about one row that everybody may see: the store may have one statement for it, which finds,
// checks, writes and reads back. What comes of it is what a transaction would have made of the same request; where it may be otherwise, and
// wherever something is to be refused, there is a transaction (docs/internals/decisions/034).

/** What was written, and the plan by which it was read. */
export interface WrittenAtOnce {
  readonly plan: ReadPlan
  readonly result: ReadResult
  readonly rules: ReadingRules
}

/** `undefined`: nothing was done. */
export async function createAtOnce(
  { type: endpointType, change, query, sent, preference }: CreateResource,
  api: Api,
): Promise<WrittenAtOnce | undefined> {
  const { type, id, attributes: values, relationships } = change
  if (endpointType !== type || preference === 'minimal' || isAttended(type, api)) return undefined
  const links = toLinks(relationships, api)
  if (links === undefined) return undefined
  if (findMissing(type, new Set([...values.keys(), ...relationships.keys()]), sent, NOTHING_HIDDEN).length > 0)
    return undefined
  const rules = readingRulesOf(api)
  const plan = planResource(type, '', query, rules)
  const result = await api.store.writeAtOnce({ kind: 'create', type, id, values, links }, plan)
  return result && { plan, result, rules }
}

/** `isShown`: whether a document is due. `undefined`: nothing was done. */
export async function updateAtOnce(
  { target: { type: endpointType, id }, change, query, condition }: UpdateResource,
  isShown: boolean,
  api: Api,
): Promise<WrittenAtOnce | undefined> {
  const { type, attributes: values, relationships } = change
  const isMatched = condition.kind === 'any' || (condition.kind === 'unsaid' && type.ifMatch === 'optional')
  const isConditional = !isMatched || condition.except !== undefined
  if (endpointType !== type || isConditional || isAttended(type, api) || api.validators.judge(type)) return undefined
  const links = toLinks(relationships, api)
  if (links === undefined || values.size + links.length === 0) return undefined
  const rules = readingRulesOf(api)
  const plan = isShown ? planResource(type, id, query, rules) : planLookUp(type, [id], rules)
  const result = await api.store.writeAtOnce({ kind: 'update', type, id, values, links }, plan)
  return result && { plan, result, rules }
}

/** Whether anything but the request has a say, or the write is a part of something larger. */
function isAttended(type: StoredType, { definitions, open, beforeCommit }: Api): boolean {
  const isOnlyOne = type.concreteTypes.length === 1
  return open !== undefined || beforeCommit !== undefined || !isOnlyOne || definitions.attends(type)
}

/** `undefined`: what is at the other end has to be looked up first. */
function toLinks(relationships: ReadonlyMap<Relationship, RequestedLinkage>, api: Api): LinkChange[] | undefined {
  const links: LinkChange[] = []
  for (const [relationship, linkage] of relationships) {
    if (linkage.kind === 'toMany' || isOtherEndAsked(relationship, api)) return undefined
    const { identifier } = linkage
    if (identifier === null) {
      links.push({ relationship, mode: 'set', rights: [] })
      continue
    }
    const type = identifier.kind === 'existing' ? onlyOne(identifier.type) : undefined
    if (identifier.kind !== 'existing' || type === undefined || api.definitions.filters(type)) return undefined
    links.push({ relationship, mode: 'set', rights: [{ type, id: identifier.id }] })
  }
  return links
}

function isOtherEndAsked({ inverse }: Relationship, { definitions }: Api): boolean {
  return inverse !== undefined && definitions.hooked.typesOf(inverse).length > 0
}

/** What rows of a declared type are stored as, where they can be of one type alone. */
function onlyOne({ concreteTypes: [only, ...others] }: ResourceType): StoredType | undefined {
  return others.length === 0 ? only : undefined
}
