import type { ResourceIdentifier } from '../document/response-document'
import { InvariantError } from '../errors/invariant'
import { planResourceById } from '../plan/plan-read'
import type { ReadPlan } from '../plan/read-plan'
import { buildResourceRecordFromValues } from '../records/resource-record'
import type { GetResourceIntent } from '../request/intent/intent'
import type { EndpointResult } from '../response/endpoint-result'
import { resourceUrl } from '../response/links'
import { buildResourceResponseDocument } from '../response/to-document'
import type { ResourceRow } from '../store/read-result'
import { assertCostWithRuleFilters } from './check-cost'
import { missingResourceError } from './load-requested-resource'
import type { RequestScope } from './request-scope'
import { toRevisionToken } from './revisions'

/** GET /humans/1. https://jsonapi.org/format/1.1/#fetching-resources */
export async function handleGetResource(
  { target, query }: GetResourceIntent,
  scope: RequestScope,
): Promise<EndpointResult> {
  assertCostWithRuleFilters(query, 'single', scope)
  const plan = planResourceById(target.type, target.id, query, scope.rules)
  const result = await scope.store.read(plan)
  const [row] = result.rows
  if (row === undefined) throw missingResourceError(target)
  const redirectTarget = redirect(row, plan)
  if (redirectTarget !== undefined) return { status: 303, headers: { location: urlOf(redirectTarget, scope) } }
  const document = buildResourceResponseDocument({ plan, result, query }, scope.requestUrl)
  return { status: 200, document, revisionToken: toRevisionToken(row, scope) }
}

function redirect({ type, id, values }: ResourceRow, { projection }: ReadPlan): ResourceIdentifier | undefined {
  const { fetched, hooks } = projection.of(type)
  return hooks?.redirect(buildResourceRecordFromValues(type, id, fetched, values))
}

function urlOf({ type: name, id }: ResourceIdentifier, { core, requestUrl }: RequestScope): string {
  const type = core.graph.types.get(name)
  if (type === undefined)
    throw new InvariantError(`The redirect hook returned the type '${name}', which does not exist.`)
  return resourceUrl(requestUrl, type, id)
}
