import type { ResourceWrite } from '../definitions/resource-write'
import { InvariantError } from '../errors/invariant'
import { JsonApiError } from '../errors/json-api-error'
import type { Attribute } from '../graph/model/resource-graph'
import { planResource } from '../plan/plan-read'
import type { CreateResource } from '../request/intent/intent'
import { type EndpointResult, NO_CONTENT } from '../response/endpoint-result'
import { atResource, type RequestUrl, resourceUrl } from '../response/links'
import { EMPTY_DOCUMENT, toResourceDocument } from '../response/to-document'
import type { Api } from './api'
import { executeWrite } from './execute-write'
import type { WriteContext } from './find-related'
import { inclusionOf } from './inclusion'
import { performWrite } from './perform-write'
import { withPreference } from './prefer'
import { resolveLinks } from './resolve-links'
import { toRevisionToken } from './revisions'
import { createInOneStatement, type SingleStatementWrite } from './write-in-one-statement'

/** POST /humans. https://jsonapi.org/format/1.1/#crud-creating */
export async function createResource(
  intent: CreateResource,
  api: Api,
  requestUrl: RequestUrl,
): Promise<EndpointResult> {
  const created = await createInOneStatement(intent, api)
  if (created === undefined) return createInTransaction(intent, api, requestUrl)
  return withPreference(toResult(created, intent, requestUrl, api), intent.preference)
}

function createInTransaction(intent: CreateResource, api: Api, requestUrl: RequestUrl): Promise<EndpointResult> {
  const { change, sent, preference } = intent
  const { type, id: clientId, attributes } = change
  const validate = (values: ReadonlyMap<Attribute, unknown>) => validateFilledIn(intent, values, api)
  return performWrite(api, requestUrl, async (writeContext) => {
    const links = await resolveLinks(change, writeContext)
    const executed = await executeWrite(
      { kind: 'create', type, clientId, attributes, links, sent, validate },
      api.definitions,
      writeContext,
    )
    const toResult = async () => {
      // https://jsonapi.org/format/1.1/#crud-creating-responses-204: only where nothing was added to what was sent.
      const isMinimal = preference === 'minimal' && executed.outcome === 'asRequested'
      const reply = isMinimal ? NO_CONTENT : await readCreated(intent, executed.write, writeContext, requestUrl, api)
      return withPreference(reply, preference)
    }
    return { executed, toResult }
  })
}

async function readCreated(
  intent: CreateResource,
  { type, id }: ResourceWrite,
  { transaction, rules }: WriteContext,
  requestUrl: RequestUrl,
  api: Api,
): Promise<EndpointResult> {
  const plan = planResource(intent.type, id, intent.query, rules)
  const result = await transaction.read(plan, 'noLock')
  if (result.rows.length > 0) return toResult({ plan, result, rules }, intent, requestUrl, api)
  // The rules may hide from the client what it has just created.
  return { status: 201, headers: locationOf({ type, id }, requestUrl), document: EMPTY_DOCUMENT }
}

function toResult(
  { plan, result, rules }: SingleStatementWrite,
  { query }: CreateResource,
  requestUrl: RequestUrl,
  api: Api,
): EndpointResult {
  const [row] = result.rows
  if (row === undefined) throw new InvariantError('What was created is seen, or else no document is made of it.')
  const at = atResource(requestUrl, row.type, row.id)
  const document = toResourceDocument({ plan, result, inclusion: inclusionOf(query) }, at)
  return {
    status: 201,
    headers: locationOf(row, requestUrl),
    document,
    revisionToken: toRevisionToken(row, rules, api),
  }
}

function locationOf(
  { type, id }: Pick<ResourceWrite, 'type' | 'id'>,
  requestUrl: RequestUrl,
): EndpointResult['headers'] {
  const { self } = atResource(requestUrl, type, id)
  return self === false ? {} : { location: resourceUrl(requestUrl, type, id) }
}

/** All others were looked at when they were read. */
async function validateFilledIn(
  { change: { type, relationships }, sent }: CreateResource,
  values: ReadonlyMap<Attribute, unknown>,
  { definitions, validators }: Api,
): Promise<void> {
  if (!definitions.providesDefaults(type)) return
  const fields = new Set([...values.keys(), ...relationships.keys()])
  const problems = await validators.findErrorsInNew({ type, values, sent: fields, place: sent })
  if (problems.length > 0) throw new JsonApiError(problems)
}
