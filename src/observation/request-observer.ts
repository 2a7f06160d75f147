/** The phases of a request, in order. Some occur more than once. */
export type RequestPhase = (typeof REQUEST_PHASES)[number]
export const REQUEST_PHASES = ['receive', 'parse', 'plan', 'database', 'document'] as const

/**
 * Receives the events of one request. Implement only the callbacks that you need. All times are milliseconds of
 * `performance.now()`.
 */
export interface RequestObserver {
  /** Runs the work of the request or of its latest operation, so that spans started in it become children. */
  within?<Value>(work: () => Value): Value
  /** Called when the endpoint is known. */
  matched?(endpoint: ObservedEndpoint): void
  entered?(phase: RequestPhase, at: number): void
  /** Call `print` to get the text of the plan. */
  planned?(print: () => string): void
  ran?(statement: ObservedStatement): void
  operationBegan?(name: string, at: number): void
  /** `error`: the reason, if the operation failed. */
  operationEnded?(at: number, error?: unknown): void
  /** Called for server errors. */
  failed?(error: unknown): void
  ended?(end: ObservedRequestEnd): void
}

/** The request as it came in. */
export interface ObservedRequestStart {
  readonly method: string
  /** Includes the mount path. Excludes the query string, which may contain personal data. */
  readonly path: string
}

export interface ObservedEndpoint {
  /** The route: `/humans/:id`. */
  readonly route: string
  /** The endpoint's name, as in options: `getResource`; for atomic operations `performOperations`. */
  readonly endpoint: string
  /** The resource type in the URL; `undefined` if there is none. */
  readonly type: string | undefined
}

/** A statement as text with placeholders, without its values. */
export interface ObservedStatement {
  readonly text: string
  readonly from: number
  readonly to: number
  /** The reason, if the statement failed. */
  readonly error?: unknown
}

export interface ObservedRequestEnd {
  readonly status: number
  readonly startedAt: number
  readonly at: number
  readonly statements: number
}
