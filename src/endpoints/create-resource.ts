import { InvariantError } from '../errors/invariant'
import { planResourceById } from '../plan/plan-read'
import type { CreateResourceIntent } from '../request/intent/intent'
import {
  EMPTY_META_DOCUMENT,
  type EndpointResult,
  NO_CONTENT,
  withPreferenceApplied,
} from '../response/endpoint-result'
import { type RequestUrl, replacePathOfRequestUrlByResource } from '../response/links'
import { buildResourceResponseDocument } from '../response/to-document'
import { assertCostWithRuleFilters } from './check-cost'
import { type ExecutedWrite, runWriteHooksAndStatements } from './execute-write'
import { loadRelatedRecordsOfWrite } from './load-related-records-of-write'
import type { RequestScope, WriteContext } from './request-scope'
import { toRevisionToken } from './revisions'
import { runWriteInTransaction } from './run-in-transaction'
import { type ReadBackResult, tryCreateInOneStatement } from './write-in-one-statement'

/** POST /humans. https://jsonapi.org/format/1.1/#crud-creating */
export async function handleCreateResource(intent: CreateResourceIntent, scope: RequestScope): Promise<EndpointResult> {
  assertCostWithRuleFilters(intent.query, 'single', scope)
  const created = await tryCreateInOneStatement(intent, scope)
  if (created !== undefined)
    return withPreferenceApplied(toEndpointResultOfCreatedRow(created, intent, scope), intent.preference)
  return runWriteInTransaction(intent, { execute: executeCreate, toResult: toCreatedResult }, scope)
}

async function executeCreate(
  { change, sent }: CreateResourceIntent,
  writeContext: WriteContext,
): Promise<ExecutedWrite> {
  const { type, id: clientId, attributes } = change
  const relationshipChanges = await loadRelatedRecordsOfWrite(type, change, writeContext)
  return runWriteHooksAndStatements(
    { kind: 'create', type, clientId, attributes, relationshipChanges, sent },
    writeContext,
  )
}

async function toCreatedResult(
  intent: CreateResourceIntent,
  { write, outcome }: ExecutedWrite,
  { transaction, scope }: WriteContext,
): Promise<EndpointResult> {
  // https://jsonapi.org/format/1.1/#crud-creating-responses-204: only if the server added nothing.
  if (intent.preference === 'minimal' && outcome === 'asRequested') return NO_CONTENT
  const plan = planResourceById(intent.type, write.id, intent.query, scope.rules)
  const result = await transaction.read(plan, 'noLock')
  if (result.rows.length > 0) return toEndpointResultOfCreatedRow({ plan, result }, intent, scope)
  // The read rules may hide the new resource from the client that created it.
  const newResourceUrl = replacePathOfRequestUrlByResource(scope.requestUrl, write.type, write.id)
  return { status: 201, headers: locationOf(newResourceUrl), document: EMPTY_META_DOCUMENT }
}

/** Returns the result of a creation whose row was read back. */
export function toEndpointResultOfCreatedRow(
  { plan, result }: ReadBackResult,
  { query }: CreateResourceIntent,
  scope: RequestScope,
): EndpointResult {
  const [row] = result.rows
  if (row === undefined) throw new InvariantError('The statement that created the resource returned no row.')
  const newResourceUrl = replacePathOfRequestUrlByResource(scope.requestUrl, row.type, row.id)
  return {
    status: 201,
    headers: locationOf(newResourceUrl),
    document: buildResourceResponseDocument({ plan, result, query }, newResourceUrl),
    revisionToken: toRevisionToken(row, scope),
  }
}

function locationOf({ base, path, self }: RequestUrl): EndpointResult['headers'] {
  return self === false ? {} : { location: base + path }
}
