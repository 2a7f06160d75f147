import type { ResourceIdentifier } from '../document/response-document'
import { InvariantError } from '../errors/invariant'
import { planResourceById } from '../plan/plan-read'
import { EMPTY_QUERY } from '../query/tree/ast'
import type { ReturnPreference } from '../request/http/read-return-preference'
import { type EndpointResult, withMaterializedDocumentText, withPreferenceApplied } from '../response/endpoint-result'
import { NO_LINK_QUERY_PARAMETERS } from '../response/link-query-parameters'
import { replacePathOfRequestUrlByResource, resourceUrl } from '../response/links'
import { buildResourceResponseDocument } from '../response/to-document'
import type { ExecutedWrite } from './execute-write'
import type { RequestScope, UncommittedWrite, WriteContext } from './request-scope'

/** The steps of a write that differ between endpoints. */
interface WriteSteps<Intent> {
  readonly execute: (intent: Intent, writeContext: WriteContext) => Promise<ExecutedWrite>
  /** Runs unless `beforeWrite` has accepted the write for later. */
  readonly toResult: (
    intent: Intent,
    executed: ExecutedWrite,
    writeContext: WriteContext,
  ) => EndpointResult | Promise<EndpointResult>
}

/** Executes one write and builds its result, in the open transaction or in its own. */
export function runWriteInTransaction<Intent extends { readonly preference?: ReturnPreference | undefined }>(
  intent: Intent,
  { execute, toResult }: WriteSteps<Intent>,
  scope: RequestScope,
): Promise<EndpointResult> {
  return runInTransaction(scope, async (writeContext) => {
    const executed = await execute(intent, writeContext)
    writeContext.writes.push(executed)
    const result =
      executed.accepted === undefined
        ? withPreferenceApplied(await toResult(intent, executed, writeContext), intent.preference)
        : await toAcceptedResult(executed.accepted, writeContext)
    // Record hooks belong to the write: if one fails, the transaction is rolled back.
    return withMaterializedDocumentText(result)
  })
}

/**
 * Runs work in the open transaction, or in its own, and then the `afterCommit` hooks. A transaction that conflicts with another one runs
 * again as a whole.
 */
export async function runInTransaction(
  scope: RequestScope,
  work: (writeContext: WriteContext) => Promise<EndpointResult>,
): Promise<EndpointResult> {
  if (scope.openTransaction !== undefined) return work(scope.openTransaction)
  const { result, writes } = await scope.store.transaction(async (transaction) => {
    const writes: UncommittedWrite[] = []
    // Without a deadline, each transaction has its own signal, so that listeners of hooks are released with it.
    const signal = scope.deadline?.signal ?? new AbortController().signal
    const result = await work({ scope, transaction, signal, writes })
    await scope.beforeCommit?.(result, transaction)
    return { result, writes }
  }, scope.rules.isHidden)
  for (const write of writes) await runAfterCommit(write, scope)
  return result
}

/** Runs the `afterCommit` hook. Reports its errors instead of throwing them, because the write is committed. */
async function runAfterCommit(
  { definition, write }: UncommittedWrite,
  { onError, deadline }: RequestScope,
): Promise<void> {
  try {
    const running = definition.afterCommit({ ...write, transaction: undefined })
    if (running !== undefined) await (deadline?.race(Promise.resolve(running)) ?? running)
  } catch (error) {
    onError(error)
  }
}

/**
 * Returns the resource with the status of a write that happens later, under the read rules.
 * https://jsonapi.org/recommendations/#asynchronous-processing
 */
async function toAcceptedResult(
  { type: name, id }: ResourceIdentifier,
  { transaction, scope }: WriteContext,
): Promise<EndpointResult> {
  const { core, rules, requestUrl } = scope
  const type = core.graph.types.get(name)
  const plan = type && planResourceById(type, id, EMPTY_QUERY, rules)
  const result = plan && (await transaction.read(plan, 'noLock'))
  const [row] = result?.rows ?? []
  if (plan === undefined || result === undefined || row === undefined) {
    throw new InvariantError(
      `The beforeWrite hook accepted a write with '${name}' of id '${id}', which the client can't see.`,
    )
  }
  const resourceUrlForLinks = replacePathOfRequestUrlByResource(
    { ...requestUrl, parameters: () => NO_LINK_QUERY_PARAMETERS },
    row.type,
    row.id,
  )
  const headers =
    resourceUrlForLinks.self === false ? {} : { 'content-location': resourceUrl(requestUrl, row.type, row.id) }
  return {
    status: 202,
    headers,
    document: buildResourceResponseDocument({ plan, result, query: EMPTY_QUERY }, resourceUrlForLinks),
  }
}
