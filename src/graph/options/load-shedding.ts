/**
 * The load above which requests are refused with 503.
 *
 * `loadShedding: { maxConcurrency: 50, retryAfter: 5 }`
 */
export interface LoadSheddingOptions {
  /** Requests in progress, including those that wait for a database connection; `null`: any number. Default: 100. */
  readonly maxConcurrency: number | null
  /** Milliseconds that a request may wait for the event loop; `null`: any time. Default: 200. */
  readonly queueTimeout: number | null
  /** The seconds in `Retry-After`. Default: 1. */
  readonly retryAfter: number
}

export const DEFAULT_LOAD_SHEDDING: LoadSheddingOptions = { maxConcurrency: 100, queueTimeout: 200, retryAfter: 1 }
