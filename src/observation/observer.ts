/** What a request spends its time on, one after the other; some of them more than once. */
export type RequestPhase = (typeof PHASES)[number]
export const PHASES = ['receive', 'parse', 'plan', 'database', 'document'] as const

/**
 * Receives the events of one request. Implement only the callbacks that you need. All times are milliseconds of
 * `performance.now()`.
 */
export interface Observer {
  /** Runs the work of the request, or of the operation that began last: what it starts itself belongs to it. */
  within?<Value>(work: () => Value): Value
  /** What is asked for is known. */
  matched?(endpoint: ObservedEndpoint): void
  entered?(phase: RequestPhase, at: number): void
  /** `print` is for those who want to see it. */
  planned?(print: () => string): void
  ran?(statement: ObservedStatement): void
  operationBegan?(name: string, at: number): void
  /** `error`: what it failed with, if it did. */
  operationEnded?(at: number, error?: unknown): void
  /** Something went wrong that is not the client's fault. */
  failed?(error: unknown): void
  ended?(end: ObservedEnd): void
}

/** What is known of a request when it comes in. */
export interface ObservedHead {
  readonly method: string
  /** With the path under which the API is mounted; without the query string, which may hold anything. */
  readonly path: string
}

export interface ObservedEndpoint {
  /** Of the routing table: `/humans/:id`. */
  readonly route: string
  /** The name of an endpoint, as options have it: `getResource`; of several writes `performOperations`. */
  readonly endpoint: string
  /** Of the URL; `undefined`: it belongs to none. */
  readonly type: string | undefined
}

/** Its text has no values: they travel beside it, and are nobody's business here. */
export interface ObservedStatement {
  readonly text: string
  readonly from: number
  readonly to: number
  /** What it failed with, if it did. */
  readonly error?: unknown
}

export interface ObservedEnd {
  readonly status: number
  readonly startedAt: number
  readonly at: number
  readonly statements: number
}
