import type { ResourceWrite } from '../definitions/resource-write'
import { JsonApiError } from '../errors/json-api-error'
import type { Attribute } from '../graph/resource-graph'
import { planResource } from '../plan/plan-read'
import type { CreateResource } from '../request/intent'
import { atResource, type Requested, resourceUrl } from '../response/links'
import { NO_CONTENT, type Reply } from '../response/reply'
import { EMPTY_DOCUMENT, toResourceDocument } from '../response/to-document'
import type { Api } from './api'
import { findLinks } from './find-links'
import type { Looking } from './find-rights'
import { inclusionOf } from './inclusion'
import { performWrite } from './perform-write'
import { withPreference } from './prefer'
import { runWrite } from './run-write'
import { toToken } from './states'

/** POST /humans. https://jsonapi.org/format/1.1/#crud-creating */
export function createResource(intent: CreateResource, api: Api, requested: Requested): Promise<Reply> {
  const { change, sent, preference } = intent
  const { type, id: clientId, attributes } = change
  const validate = (values: ReadonlyMap<Attribute, unknown>) => validateFilledIn(intent, values, api)
  return performWrite(api, requested, async (looking) => {
    const links = await findLinks(change, looking)
    const done = await runWrite(
      { kind: 'create', type, clientId, attributes, links, sent, validate },
      api.definitions.of(type),
      looking,
    )
    const answer = async () => {
      // https://jsonapi.org/format/1.1/#crud-creating-responses-204: only where nothing was added to what was sent.
      const isMinimal = preference === 'minimal' && done.outcome === 'asRequested'
      const reply = isMinimal ? NO_CONTENT : await readCreated(intent, done.write, looking, requested, api)
      return withPreference(reply, preference)
    }
    return { done, answer }
  })
}

async function readCreated(
  { type: endpointType, query }: CreateResource,
  { type, id }: ResourceWrite,
  { transaction, rules }: Looking,
  requested: Requested,
  api: Api,
): Promise<Reply> {
  const at = atResource(requested, type, id)
  const plan = planResource(endpointType, id, query, rules)
  const result = await transaction.read(plan, 'noLock')
  const [row] = result.rows
  const headers = at.self === 'off' ? {} : { location: resourceUrl(requested, type, id) }
  // The rules may hide from the client what it has just created.
  if (row === undefined) return { status: 201, headers, document: EMPTY_DOCUMENT }
  const document = toResourceDocument({ plan, result, inclusion: inclusionOf(query) }, at)
  return { status: 201, headers, document, token: toToken(row, api) }
}

/** All others were looked at when they were read. */
async function validateFilledIn(
  { change: { type, relationships }, sent }: CreateResource,
  values: ReadonlyMap<Attribute, unknown>,
  { definitions, validators }: Api,
): Promise<void> {
  if (!definitions.fillsIn(type)) return
  const fields = new Set([...values.keys(), ...relationships.keys()])
  const problems = await validators.findInNew({ type, values, sent: fields, place: sent })
  if (problems.length > 0) throw new JsonApiError(problems)
}
