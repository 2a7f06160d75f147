import type { ResourceDefinition } from '../definitions/resource-definition'
import type { ResourceWrite } from '../definitions/resource-write'
import type { ResourceIdentifier } from '../document/response-document'
import type { RequestObservation } from '../observation/observation'
import type { ReadRules } from '../plan/read-rules'
import type { Deadline } from '../request/http/deadline'
import type { HttpRequest } from '../request/http/http-request'
import type { EndpointResult } from '../response/endpoint-result'
import type { RequestUrl } from '../response/links'
import { createInstrumentedStore } from '../store/observed-store'
import type { ResourceStore, ResourceStoreTransaction } from '../store/store'
import type { ApiCore } from './api-core'

/** The context in which endpoints execute one request. */
export interface RequestScope {
  readonly core: ApiCore
  /** For links. */
  readonly requestUrl: RequestUrl
  /** The result of the option `context` for this request. */
  readonly context: unknown
  /** The read rules for that context. */
  readonly rules: ReadRules
  /** The store of the core, with the deadline and the observation of this request. */
  readonly store: ResourceStore
  /** `undefined` without a time limit. */
  readonly deadline: Deadline | undefined
  /** `undefined` if the request is not observed. */
  readonly observation: RequestObservation | undefined
  /** Called with every server-side error. */
  readonly onError: ApiCore['onError']
  /** The transaction that writes join; `undefined` if each write opens its own. */
  readonly openTransaction: WriteContext | undefined
  readonly beforeCommit: BeforeCommit | undefined
}

/** Runs last in the transaction of a write. Throwing rolls it back. */
type BeforeCommit = (result: EndpointResult, transaction: ResourceStoreTransaction) => Promise<void>

/** The context of the steps of a write: an open transaction, which several writes can join, and its request. */
export interface WriteContext {
  readonly scope: RequestScope
  readonly transaction: ResourceStoreTransaction
  /** Aborted when the request times out. */
  readonly signal: AbortSignal
  /** The writes so far, in order. Each write appends itself. Their `afterCommit` hooks run after the commit. */
  readonly writes: UncommittedWrite[]
}

/** A write whose statements have run, or that `beforeWrite` has accepted for later. */
export interface UncommittedWrite {
  /** The write that `afterWrite` received. `afterCommit` receives it without the transaction. */
  readonly write: ResourceWrite
  readonly definition: ResourceDefinition
  /** The resource with the status of an accepted write; `undefined` if the statements have run. */
  readonly accepted: ResourceIdentifier | undefined
}

/** Evaluates the read rules once for the request, and binds the store to its servers, deadline and observation. */
export function createRequestScope(
  { context, deadline }: Pick<HttpRequest, 'context' | 'deadline'>,
  requestUrl: RequestUrl,
  core: ApiCore,
  observation: RequestObservation | undefined,
): RequestScope {
  const readingStore = core.readFromMaster(context) ? core.store.readingFromMaster() : core.store
  const store = observation === undefined ? readingStore : createInstrumentedStore(readingStore, observation)
  return {
    core,
    requestUrl,
    context,
    rules: core.evaluateReadRules(context),
    store: deadline === undefined ? store : store.withDeadline(deadline),
    deadline,
    observation,
    onError: createErrorReporter(core, observation),
    openTransaction: undefined,
    beforeCommit: undefined,
  }
}

/** Returns the callback for server-side errors of one request, which reports them to its observation too. */
export function createErrorReporter(
  { onError }: ApiCore,
  observation: RequestObservation | undefined,
): ApiCore['onError'] {
  if (observation === undefined) return onError
  return (error) => {
    observation.fail(error)
    onError(error)
  }
}
