import type { ConfigurationIssue } from '../../errors/configuration-error'
import { suggestName } from '../../errors/nearest-name'

/**
 * How much one request may ask for. `null`: any number, where it can be said.
 *
 * `limits: { bodySize: 64 * 1024, includes: 5, cost: 20_000 }`
 */
export interface Limits {
  /** Characters of the URL as it was sent, from its path on; more answers 414. Default: 8192. Node.js itself ends at 16 KiB with all headers. */
  readonly urlLength: number | null
  /** Bytes of a body; more answers 413. Default: 1 MiB. */
  readonly bodySize: number
  /** Arrays and objects within each other in a body, up to 100; more answers 400. Default: 100. */
  readonly bodyDepth: number
  /** Functions and values in all filters of a request together; more answers 400. Default: 500. */
  readonly filterSize: number | null
  /** Functions within each other in a filter or a sort key, up to 100; more answers 400. Default: 20. */
  readonly filterDepth: number
  /** Paths that are to be included; more answers 400. Default: 20. */
  readonly includes: number | null
  /** Relationships in a row in a path of `include`; more answers 400. Default: 5. */
  readonly includeDepth: number | null
  /** Sort keys of one collection; more answers 400. Default: 10. */
  readonly sortKeys: number | null
  /** Resource identifiers in the data of one relationship; more answers 413. Default: 1000. */
  readonly identifiers: number | null
  /** Work that an answer could be, as far as the request tells, in resources of a document; more answers 400. Default: 100,000. */
  readonly cost: number | null
  /** Milliseconds from the head of a request to its answer; more answers 503, and undoes what was written. Default: 60,000. */
  readonly timeout: number | null
}

export const DEFAULT_LIMITS: Limits = {
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

/** What recursion can bear, whatever the options say. */
export const MAX_DEPTH = 100

/** Those that nothing can be without. */
const REQUIRED_LIMITS: ReadonlySet<string> = new Set<keyof Limits>(['bodySize', 'bodyDepth', 'filterDepth'])
/** `timeout`: as long as Node.js can wait. */
const MAX_VALUES: ReadonlyMap<string, number> = new Map<keyof Limits, number>([
  ['bodyDepth', MAX_DEPTH],
  ['filterDepth', MAX_DEPTH],
  ['timeout', 2 ** 31 - 1],
])

/** Whether each limit is one. The code may be JavaScript: any value can be here. */
export function checkLimits(limits: Limits): ConfigurationIssue[] {
  return Object.entries(limits).flatMap(([name, value]) => {
    if (!Object.hasOwn(DEFAULT_LIMITS, name)) return [unknownLimit(name)]
    if (value === null ? !REQUIRED_LIMITS.has(name) : isLimit(name, value)) return []
    const most = MAX_VALUES.has(name) ? ` to ${MAX_VALUES.get(name)}` : ' on'
    const none = REQUIRED_LIMITS.has(name) ? '' : ', or null for no limit'
    const remedy = `Give a whole number from 1${most}${none}.`
    return [{ location: 'createJsonApi', message: `its limits.${name} is ${String(value)}.`, remedy }]
  })
}

function isLimit(name: string, value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= (MAX_VALUES.get(name) ?? Infinity)
}

function unknownLimit(name: string): ConfigurationIssue {
  const hint = suggestName(name, Object.keys(DEFAULT_LIMITS))
  return {
    location: 'createJsonApi',
    message: `its limits have no '${name}'.${hint}`,
    remedy: 'Correct the name, or leave it out.',
  }
}
