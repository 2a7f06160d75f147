import type { Definitions } from '../definitions/definitions'
import type { ResourceGraph } from '../graph/model/resource-graph'
import type { Options } from '../graph/options/options'
import type { Observation, Observe } from '../observation/observation'
import type { ReadRules } from '../plan/read-rules'
import type { Deadline } from '../request/http/deadline'
import type { EndpointResult } from '../response/endpoint-result'
import type { Store, Transaction } from '../store/store'
import type { Validators } from '../validators/validators'
import type { Idempotency } from './idempotency'
import type { OpenTransaction } from './open-transaction'

/**
 * What every endpoint works with: made once, at start-up, but for `context`, `beforeCommit`, `open` and `deadline`, which each request has of its
 * own, and for `observation`, with what reports to it.
 */
export interface Api {
  readonly graph: ResourceGraph
  readonly options: Options
  readonly definitions: Definitions
  readonly evaluateReadRules: (context: unknown) => ReadRules
  readonly store: Store
  readonly validators: Validators
  /** Who is asking: what the application made of the request. */
  readonly context: unknown
  readonly beforeCommit: BeforeCommit | undefined
  /** The transaction that writes are a part of; `undefined`: each has its own. */
  readonly openTransaction: OpenTransaction | undefined
  /** Until when the request is to have its answer; `undefined`: as long as it takes. */
  readonly deadline: Deadline | undefined
  /** `undefined`: keys of clients mean nothing. */
  readonly idempotency: Idempotency | undefined
  /** Told of what went wrong and is not the client's fault. */
  readonly onError: (error: unknown) => void
  /** `undefined` if no logger or tracer is configured. */
  readonly observe: Observe | undefined
  /** The observation of this request; `undefined` if it is not observed. */
  readonly observation: Observation | undefined
}

/** The last thing in the transaction of a write: throwing undoes it. */
export type BeforeCommit = (reply: EndpointResult, transaction: Transaction) => Promise<void>

/** The reading rules as they are for this request. */
export function readRulesOf({ evaluateReadRules, context }: Api): ReadRules {
  return evaluateReadRules(context)
}
