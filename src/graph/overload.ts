import type { ConfigurationProblem } from '../errors/configuration-error'
import { suggestName } from '../errors/nearest-name'

/**
 * How much is begun before others are sent away.
 *
 * `overload: { concurrent: 50, retryAfter: 5 }`
 */
export interface OverloadOptions {
  /** Requests that are answered at the same time, those that wait for a connection to the database among them; `null`: any number. Default: 100. */
  readonly concurrent: number | null
  /** Milliseconds that a request may wait until the process has time to begin it; `null`: any time. Default: 200. */
  readonly wait: number | null
  /** Seconds, for `Retry-After`. Default: 1. */
  readonly retryAfter: number
}

export const DEFAULT_OVERLOAD: OverloadOptions = { concurrent: 100, wait: 200, retryAfter: 1 }

/** The code may be JavaScript: any value can be here. */
export function checkOverload(overload: OverloadOptions | 'off'): ConfigurationProblem[] {
  if (overload === 'off') return []
  return Object.entries(overload).flatMap(([name, value]) => {
    if (!Object.hasOwn(DEFAULT_OVERLOAD, name)) return [unknownMember(name)]
    if (value === null ? name !== 'retryAfter' : Number.isSafeInteger(value) && value >= 1) return []
    const none = name === 'retryAfter' ? '' : ', or null for no limit'
    const remedy = `Give a whole number from 1 on${none}.`
    return [{ at: 'createJsonApi', problem: `its overload.${name} is ${String(value)}.`, remedy }]
  })
}

function unknownMember(name: string): ConfigurationProblem {
  const hint = suggestName(name, Object.keys(DEFAULT_OVERLOAD))
  return {
    at: 'createJsonApi',
    problem: `its overload has no '${name}'.${hint}`,
    remedy: OVERLOAD_REMEDY,
  }
}

export const OVERLOAD_REMEDY = "Give concurrent, wait, retryAfter, 'on' or 'off'."
