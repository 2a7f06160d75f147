import type { ResourceIdentifier } from '../document/document'
import { InvariantError } from '../errors/invariant'
import { planResource } from '../plan/plan-read'
import type { ReadPlan } from '../plan/read-plan'
import { toRecord } from '../records/stored-record'
import type { GetResource } from '../request/intent/intent'
import type { EndpointResult } from '../response/endpoint-result'
import { type RequestUrl, resourceUrl } from '../response/links'
import { toResourceDocument } from '../response/to-document'
import type { ResultRow } from '../store/read-result'
import { type Api, readRulesOf } from './api'
import { checkCostWithRules } from './check-cost'
import { missingResource } from './find-target'
import { inclusionOf } from './inclusion'
import { toRevisionToken } from './revisions'

/** GET /humans/1. https://jsonapi.org/format/1.1/#fetching-resources */
export async function getResource(
  { target, query }: GetResource,
  api: Api,
  requestUrl: RequestUrl,
): Promise<EndpointResult> {
  const rules = readRulesOf(api)
  checkCostWithRules(query, 'single', rules, api)
  const plan = planResource(target.type, target.id, query, rules)
  const result = await api.store.read(plan)
  const [row] = result.rows
  if (row === undefined) throw missingResource(target)
  const other = redirect(row, plan)
  if (other !== undefined) return { status: 303, headers: { location: urlOf(other, api, requestUrl) } }
  const document = toResourceDocument({ plan, result, inclusion: inclusionOf(query) }, requestUrl)
  return { status: 200, document, revisionToken: toRevisionToken(row, rules, api) }
}

function redirect({ type, id, values }: ResultRow, { projection }: ReadPlan): ResourceIdentifier | undefined {
  const { fetched, hooks } = projection.of(type)
  return hooks?.redirect(toRecord(type, id, fetched, values))
}

function urlOf({ type: name, id }: ResourceIdentifier, { graph }: Api, requestUrl: RequestUrl): string {
  const type = graph.types.get(name)
  if (type === undefined) throw new InvariantError(`A rule said to see '${name}' instead: there is no such type.`)
  return resourceUrl(requestUrl, type, id)
}
