import type { ResourceIdentifier } from '../document/resource-identifier'
import { InvariantError } from '../errors/invariant'
import { planResource } from '../plan/plan-read'
import { NO_QUERY } from '../query/no-query'
import { atResource, type Requested, resourceUrl } from '../response/links'
import type { Reply } from '../response/reply'
import { toResourceDocument } from '../response/to-document'
import type { Api } from './api'
import type { Looking } from './find-rights'

/**
 * A write that happens later: the resource that tells how far it is, as the rules let the client see it.
 * https://jsonapi.org/recommendations/#asynchronous-processing
 */
export async function answerAccepted(
  { type: name, id }: ResourceIdentifier,
  { transaction, rules }: Looking,
  requested: Requested,
  { graph }: Api,
): Promise<Reply> {
  const type = graph.types.get(name)
  const plan = type && planResource(type, id, NO_QUERY, rules)
  const result = plan && (await transaction.read(plan, 'noLock'))
  const [row] = result?.rows ?? []
  if (plan === undefined || result === undefined || row === undefined) {
    throw new InvariantError(`A rule accepted a write with '${name}' of id '${id}', which the client could not see.`)
  }
  const at = atResource({ ...requested, queryString: '' }, row.type, row.id)
  const headers = at.self === 'off' ? {} : { 'content-location': resourceUrl(requested, row.type, row.id) }
  return { status: 202, headers, document: toResourceDocument({ plan, result, inclusion: 'notIncluded' }, at) }
}
