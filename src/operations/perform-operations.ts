import { trimPointerToExistingMember } from '../document/pointer'
import type { AtomicResultObject } from '../document/response-document'
import { tryAddMembersOfSeveralOperations } from '../endpoints/add-together'
import { executeIntent } from '../endpoints/call-endpoint'
import { tryCreateResourcesTogether, type WriteResultWithId } from '../endpoints/create-together'
import type { RequestScope, UncommittedWrite, WriteContext } from '../endpoints/request-scope'
import { runInTransaction } from '../endpoints/run-in-transaction'
import { tryUpdateResourcesTogether } from '../endpoints/update-together'
import { InvariantError } from '../errors/invariant'
import { createJsonApiError, type ErrorDetails, JsonApiError } from '../errors/json-api-error'
import type { ResolvedApiOptions } from '../graph/options/options'
import type { ReturnPreference } from '../request/http/read-return-preference'
import type { OperationWithIntent, PerformOperationsIntent, WriteIntent } from '../request/intent/intent'
import {
  type EndpointResult,
  NO_CONTENT,
  withMaterializedDocumentText,
  withPreferenceApplied,
} from '../response/endpoint-result'
import { recordPreconditionOutcomesOnOperations } from './evaluate-preconditions'
import { type LocalIds, replaceLocalIds } from './local-ids'
import { splitOperationsIntoRuns } from './split-operations-into-runs'

/** POST /operations: runs all operations in order, in one transaction. https://jsonapi.org/ext/atomic/#processing */
export function performOperations(
  { operations, preference, document }: PerformOperationsIntent,
  scope: RequestScope,
): Promise<EndpointResult> {
  return runInTransaction(scope, async (openTransaction) => {
    const joined = { ...scope, openTransaction }
    const ids: LocalIds = new Map()
    const performed: OperationResult[] = []
    for (const run of splitOperationsIntoRuns(
      await recordPreconditionOutcomesOnOperations(operations, openTransaction),
    )) {
      const results = await performTogether(run, ids, openTransaction)
      performed.push(...(results ?? (await performEach(run, ids, joined, document))))
    }
    return toOperationsResult(performed, preference, scope.core.options)
  })
}

/** An operation, and the result that its write would have as a request of its own. */
interface OperationResult {
  readonly operation: OperationWithIntent
  readonly result: EndpointResult
}

/** Returns `undefined` if the operations have to run one by one. Nothing was written then. */
async function performTogether(
  run: readonly OperationWithIntent[],
  ids: LocalIds,
  openTransaction: WriteContext,
): Promise<readonly OperationResult[] | undefined> {
  if (run.length === 1) return undefined
  const intents = run.map(({ intent }) => replaceLocalIds(intent, ids))
  const written = await openTransaction.transaction.tryInSavepoint(() => writeTogether(intents, openTransaction))
  return written?.flatMap(({ id, result }, index) => {
    const operation = run[index]
    if (operation === undefined) return []
    if (operation.added !== undefined) ids.set(operation.added, id)
    // A value that can't be printed rolls the transaction back.
    return [{ operation, result: withMaterializedDocumentText(result) }]
  })
}

/** Runs the writes of a run, which have the same kind. */
async function writeTogether(
  intents: readonly WriteIntent[],
  openTransaction: WriteContext,
): Promise<readonly WriteResultWithId[] | undefined> {
  switch (intents[0]?.kind) {
    case 'createResource':
      return tryCreateResourcesTogether(
        intents.filter((intent) => intent.kind === 'createResource'),
        openTransaction,
      )
    case 'updateResource':
      return tryUpdateResourcesTogether(
        intents.filter((intent) => intent.kind === 'updateResource'),
        openTransaction,
      )
    case 'addToRelationship':
      return tryAddMembersOfSeveralOperations(
        intents.filter((intent) => intent.kind === 'addToRelationship'),
        openTransaction,
      )
    default:
      return undefined
  }
}

async function performEach(
  run: readonly OperationWithIntent[],
  ids: LocalIds,
  scope: OperationScope,
  document: unknown,
): Promise<readonly OperationResult[]> {
  const performed: OperationResult[] = []
  for (const operation of run) {
    try {
      performed.push(await performOne(operation, ids, scope))
    } catch (error) {
      throw toOperationError(error, operation, document)
    }
  }
  return performed
}

async function performOne(
  operation: OperationWithIntent,
  ids: LocalIds,
  scope: OperationScope,
): Promise<OperationResult> {
  const { observation, openTransaction } = scope
  const { length: writeCount } = openTransaction.writes
  const intent = replaceLocalIds(operation.intent, ids)
  const run = () => executeIntent(intent, scope)
  const result = await (observation === undefined ? run() : observation.operation(nameOf(intent), run))
  const { write } = assertOneWrite(openTransaction.writes.slice(writeCount))
  if (operation.added !== undefined) ids.set(operation.added, write.id)
  return { operation, result }
}

/** The scope with the open transaction, which the write of each operation joins. */
interface OperationScope extends RequestScope {
  readonly openTransaction: WriteContext
}

/** `createResource men` */
function nameOf(intent: WriteIntent): string {
  return `${intent.kind} ${'target' in intent ? intent.target.type.name : intent.type.name}`
}

/** Returns the write of an operation. Throws if `beforeWrite` postponed it, because it would run outside the transaction. */
function assertOneWrite([write, another]: readonly UncommittedWrite[]): UncommittedWrite {
  if (write === undefined || another !== undefined) throw new InvariantError('An operation is one write.')
  if (write.accepted === undefined) return write
  const detail = 'A rule postpones this write, which is possible only in a request of its own.'
  throw createJsonApiError('operation.async-not-supported', detail)
}

/** Moves the pointers of an error into the operation that failed. https://jsonapi.org/ext/atomic/#processing-errors */
function toOperationError(error: unknown, operation: OperationWithIntent, document: unknown): unknown {
  if (!(error instanceof JsonApiError)) return error
  return new JsonApiError(error.errors.map((details) => moveErrorIntoOperation(operation, document, details)))
}

function moveErrorIntoOperation(
  { pointer }: OperationWithIntent,
  document: unknown,
  details: ErrorDetails,
): ErrorDetails {
  const { source = { pointer } } = details
  if (!('pointer' in source)) return details
  const isInOperation = source.pointer === pointer || source.pointer.startsWith(`${pointer}/`)
  return {
    ...details,
    source: {
      pointer: isInOperation ? source.pointer : trimPointerToExistingMember(pointer + source.pointer, document),
    },
  }
}

/** Returns a result object for each operation, or 204 if none has data. https://jsonapi.org/ext/atomic/#processing */
function toOperationsResult(
  performed: readonly OperationResult[],
  preference: ReturnPreference | undefined,
  options: ResolvedApiOptions,
): EndpointResult {
  const results = performed.map((each) => toResultObject(each, options))
  const isShown = results.some(({ data, meta }) => data ?? meta)
  // A new resource that the rules hide has an empty result, but 204 would say that the client knows all of it.
  if (!isShown && preference !== 'representation' && performed.every(({ result }) => result.status !== 201))
    return withPreferenceApplied(NO_CONTENT, preference)
  const result: EndpointResult = { status: 200, document: { 'atomic:results': results } }
  const isHidden = !isShown && performed.some(({ operation }) => isOfResource(operation))
  return isHidden ? result : withPreferenceApplied(result, preference)
}

/** Builds a result object. Results never contain linkage: https://jsonapi.org/ext/atomic/#auto-id-updating-to-one-relationships */
function toResultObject(
  { operation, result: { document, revisionToken } }: OperationResult,
  { etags }: ResolvedApiOptions,
): AtomicResultObject {
  const data = isOfResource(operation) && document !== undefined && 'data' in document ? document.data : undefined
  const hasVersion = etags !== false && revisionToken !== undefined
  return {
    ...(data !== undefined && { data }),
    ...(hasVersion && { meta: { version: revisionToken } }),
  }
}

function isOfResource({ intent }: OperationWithIntent): boolean {
  return intent.kind === 'createResource' || intent.kind === 'updateResource'
}
