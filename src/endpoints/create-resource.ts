import type { ResourceType } from '../graph/resource-graph'
import { planResource } from '../plan/plan-read'
import type { CreateResource } from '../request/intent'
import type { Requested } from '../response/links'
import { resourceUrl } from '../response/links'
import type { Reply } from '../response/reply'
import { EMPTY_DOCUMENT, toResourceDocument } from '../response/to-document'
import type { Api } from './api'
import { findLinks } from './find-links'
import { inclusionOf } from './inclusion'
import { performWrite } from './perform-write'
import { runWrite } from './run-write'

/** POST /humans. https://jsonapi.org/format/1.1/#crud-creating */
export function createResource(intent: CreateResource, api: Api, requested: Requested): Promise<Reply> {
  const { type: endpointType, change, query, sent } = intent
  const { type, id: clientId, attributes } = change
  return performWrite(api, async (looking) => {
    const links = await findLinks(change, looking)
    const done = await runWrite(
      { kind: 'create', type, clientId, attributes, links, sent },
      api.definitions.of(type),
      looking,
    )
    const { id } = done.write
    const location = resourceUrl(requested, type, id)
    const at = atResource(requested, location, type)
    const plan = planResource(endpointType, id, query, looking.rules)
    const result = await looking.transaction.read(plan, 'noLock')
    // The rules may hide from the client what it has just created.
    const document =
      result.rows.length === 0
        ? EMPTY_DOCUMENT
        : toResourceDocument({ plan, result, inclusion: inclusionOf(query) }, at)
    return { done, value: { status: 201, headers: at.self === 'off' ? {} : { location }, document } }
  })
}

/** `self` of the document is where the resource can be fetched, if it can be, not the collection that it was sent to. */
function atResource({ base, queryString }: Requested, location: string, type: ResourceType): Requested {
  const requested = { base, path: location.slice(base.length), queryString }
  return type.endpoints.includes('getResource') ? requested : { ...requested, self: 'off' }
}
