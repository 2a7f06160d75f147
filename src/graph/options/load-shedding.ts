import type { ConfigurationIssue } from '../../errors/configuration-error'
import { suggestName } from '../../errors/nearest-name'

/**
 * How much is begun before others are sent away.
 *
 * `loadShedding: { maxConcurrency: 50, retryAfter: 5 }`
 */
export interface LoadSheddingOptions {
  /** Requests that are answered at the same time, those that wait for a connection to the database among them; `null`: any number. Default: 100. */
  readonly maxConcurrency: number | null
  /** Milliseconds that a request may wait until the process has time to begin it; `null`: any time. Default: 200. */
  readonly queueTimeout: number | null
  /** Seconds, for `Retry-After`. Default: 1. */
  readonly retryAfter: number
}

export const DEFAULT_LOAD_SHEDDING: LoadSheddingOptions = { maxConcurrency: 100, queueTimeout: 200, retryAfter: 1 }

/** The code may be JavaScript: any value can be here. */
export function checkLoadShedding(options: LoadSheddingOptions | false): ConfigurationIssue[] {
  if (options === false) return []
  return Object.entries(options).flatMap(([name, value]) => {
    if (!Object.hasOwn(DEFAULT_LOAD_SHEDDING, name)) return [unknownMember(name)]
    if (value === null ? name !== 'retryAfter' : Number.isSafeInteger(value) && value >= 1) return []
    const none = name === 'retryAfter' ? '' : ', or null for no limit'
    const remedy = `Give a whole number from 1 on${none}.`
    return [{ location: 'createJsonApi', message: `its loadShedding.${name} is ${String(value)}.`, remedy }]
  })
}

function unknownMember(name: string): ConfigurationIssue {
  const hint = suggestName(name, Object.keys(DEFAULT_LOAD_SHEDDING))
  return {
    location: 'createJsonApi',
    message: `its loadShedding has no '${name}'.${hint}`,
    remedy: LOAD_SHEDDING_REMEDY,
  }
}

export const LOAD_SHEDDING_REMEDY = 'Give maxConcurrency, queueTimeout, retryAfter, true or false.'
