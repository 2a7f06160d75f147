import { planResource } from '../plan/plan-read'
import type { GetResource } from '../request/intent'
import type { Requested } from '../response/links'
import type { Reply } from '../response/reply'
import { toResourceDocument } from '../response/to-document'
import { type Api, readingRulesOf } from './api'
import { missingResource } from './find-target'
import { inclusionOf } from './inclusion'
import { toToken } from './states'

/** GET /humans/1. https://jsonapi.org/format/1.1/#fetching-resources */
export async function getResource({ target, query }: GetResource, api: Api, requested: Requested): Promise<Reply> {
  const plan = planResource(target.type, target.id, query, readingRulesOf(api))
  const result = await api.store.read(plan)
  const [row] = result.rows
  if (row === undefined) throw missingResource(target)
  const document = toResourceDocument({ plan, result, inclusion: inclusionOf(query) }, requested)
  return { status: 200, document, token: toToken(row, api) }
}
