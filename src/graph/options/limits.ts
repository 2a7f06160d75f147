/**
 * The limits of one request. `null`: no limit, where the type allows it.
 *
 * `limits: { bodySize: 64 * 1024, includes: 5, cost: 20_000 }`
 */
export interface RequestLimits {
  /** Characters of the URL from its path on; more returns 414. Default: 8192. Node.js itself allows 16 KiB with all headers. */
  readonly urlLength: number | null
  /** Bytes of a body; more returns 413. Default: 1 MiB. */
  readonly bodySize: number
  /** Nesting of arrays and objects in a body, up to 100; more returns 400. Default: 100. */
  readonly bodyDepth: number
  /** Functions and values in all filters of a request; more returns 400. Default: 500. */
  readonly filterSize: number | null
  /** Nesting of functions in a filter or a sort key, up to 100; more returns 400. Default: 20. */
  readonly filterDepth: number
  /** Paths in `include`; more returns 400. Default: 20. */
  readonly includes: number | null
  /** Relationships in one path of `include`; more returns 400. Default: 5. */
  readonly includeDepth: number | null
  /** Sort keys of one collection; more returns 400. Default: 10. */
  readonly sortKeys: number | null
  /** Resource identifiers in the data of one relationship; more returns 413. Default: 1000. */
  readonly identifiers: number | null
  /** Estimated cost of the response, in resources of a document; more returns 400. Default: 100,000. */
  readonly cost: number | null
  /** Milliseconds from the head of a request to its response; more returns 503 and rolls back. Default: 60,000. */
  readonly timeout: number | null
}

export const DEFAULT_REQUEST_LIMITS: RequestLimits = {
  urlLength: 8192,
  bodySize: 1024 * 1024,
  bodyDepth: 100,
  filterSize: 500,
  filterDepth: 20,
  includes: 20,
  includeDepth: 5,
  sortKeys: 10,
  identifiers: 1000,
  cost: 100_000,
  timeout: 60_000,
}

/** The deepest nesting that recursive functions can process. No option raises it. */
export const MAX_SUPPORTED_NESTING_DEPTH = 100

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
