import type { ResourceWrite } from '../definitions/resource-write'
import { InvariantError } from '../errors/invariant'
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
import { createAtOnce, type WrittenAtOnce } from './write-at-once'

/** POST /humans. https://jsonapi.org/format/1.1/#crud-creating */
export async function createResource(intent: CreateResource, api: Api, requested: Requested): Promise<Reply> {
  const created = await createAtOnce(intent, api)
  if (created === undefined) return createInSteps(intent, api, requested)
  return withPreference(toReply(created, intent, requested, api), intent.preference)
}

function createInSteps(intent: CreateResource, api: Api, requested: Requested): Promise<Reply> {
  const { change, sent, preference } = intent
  const { type, id: clientId, attributes } = change
  const validate = (values: ReadonlyMap<Attribute, unknown>) => validateFilledIn(intent, values, api)
  return performWrite(api, requested, async (looking) => {
    const links = await findLinks(change, looking)
    const done = await runWrite(
      { kind: 'create', type, clientId, attributes, links, sent, validate },
      api.definitions,
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
  intent: CreateResource,
  { type, id }: ResourceWrite,
  { transaction, rules }: Looking,
  requested: Requested,
  api: Api,
): Promise<Reply> {
  const plan = planResource(intent.type, id, intent.query, rules)
  const result = await transaction.read(plan, 'noLock')
  if (result.rows.length > 0) return toReply({ plan, result, rules }, intent, requested, api)
  // The rules may hide from the client what it has just created.
  return { status: 201, headers: locationOf({ type, id }, requested), document: EMPTY_DOCUMENT }
}

function toReply(
  { plan, result, rules }: WrittenAtOnce,
  { query }: CreateResource,
  requested: Requested,
  api: Api,
): Reply {
  const [row] = result.rows
  if (row === undefined) throw new InvariantError('What was created is seen, or else no document is made of it.')
  const at = atResource(requested, row.type, row.id)
  const document = toResourceDocument({ plan, result, inclusion: inclusionOf(query) }, at)
  return { status: 201, headers: locationOf(row, requested), document, token: toToken(row, rules, api) }
}

function locationOf({ type, id }: Pick<ResourceWrite, 'type' | 'id'>, requested: Requested): Reply['headers'] {
  const { self } = atResource(requested, type, id)
  return self === 'off' ? {} : { location: resourceUrl(requested, type, id) }
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
