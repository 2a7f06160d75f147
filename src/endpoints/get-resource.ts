import type { ResourceIdentifier } from '../document/resource-identifier'
import { InvariantError } from '../errors/invariant'
import { planResource } from '../plan/plan-read'
import type { ReadPlan } from '../plan/read-plan'
import { toRecord } from '../records/stored-record'
import type { GetResource } from '../request/intent'
import { type Requested, resourceUrl } from '../response/links'
import type { Reply } from '../response/reply'
import { toResourceDocument } from '../response/to-document'
import type { ResultRow } from '../store/read-result'
import { type Api, readingRulesOf } from './api'
import { checkCostWithRules } from './check-cost'
import { missingResource } from './find-target'
import { inclusionOf } from './inclusion'
import { toToken } from './states'

/** GET /humans/1. https://jsonapi.org/format/1.1/#fetching-resources */
export async function getResource({ target, query }: GetResource, api: Api, requested: Requested): Promise<Reply> {
  const rules = readingRulesOf(api)
  checkCostWithRules(query, 'single', rules, api)
  const plan = planResource(target.type, target.id, query, rules)
  const result = await api.store.read(plan)
  const [row] = result.rows
  if (row === undefined) throw missingResource(target)
  const other = seeOther(row, plan)
  if (other !== undefined) return { status: 303, headers: { location: urlOf(other, api, requested) } }
  const document = toResourceDocument({ plan, result, inclusion: inclusionOf(query) }, requested)
  return { status: 200, document, token: toToken(row, rules, api) }
}

function seeOther({ type, id, values }: ResultRow, { shown }: ReadPlan): ResourceIdentifier | undefined {
  const { fetched, hooks } = shown.of(type)
  return hooks?.seeOther(toRecord(type, id, fetched, values))
}

function urlOf({ type: name, id }: ResourceIdentifier, { graph }: Api, requested: Requested): string {
  const type = graph.types.get(name)
  if (type === undefined) throw new InvariantError(`A rule said to see '${name}' instead: there is no such type.`)
  return resourceUrl(requested, type, id)
}
