import type { ResourceIdentifier } from '../document/document'
import { InvariantError } from '../errors/invariant'
import { planResource } from '../plan/plan-read'
import { EMPTY_QUERY } from '../query/tree/ast'
import type { EndpointResult } from '../response/endpoint-result'
import { atResource, type RequestUrl, resourceUrl } from '../response/links'
import { toResourceDocument } from '../response/to-document'
import type { Api } from './api'
import type { WriteContext } from './find-related'

/**
 * A write that happens later: the resource that tells how far it is, as the rules let the client see it.
 * https://jsonapi.org/recommendations/#asynchronous-processing
 */
export async function respondAccepted(
  { type: name, id }: ResourceIdentifier,
  { transaction, rules }: WriteContext,
  requestUrl: RequestUrl,
  { graph }: Api,
): Promise<EndpointResult> {
  const type = graph.types.get(name)
  const plan = type && planResource(type, id, EMPTY_QUERY, rules)
  const result = plan && (await transaction.read(plan, 'noLock'))
  const [row] = result?.rows ?? []
  if (plan === undefined || result === undefined || row === undefined) {
    throw new InvariantError(`A rule accepted a write with '${name}' of id '${id}', which the client could not see.`)
  }
  const at = atResource({ ...requestUrl, queryString: '' }, row.type, row.id)
  const headers = at.self === false ? {} : { 'content-location': resourceUrl(requestUrl, row.type, row.id) }
  return { status: 202, headers, document: toResourceDocument({ plan, result, inclusion: 'notIncluded' }, at) }
}
