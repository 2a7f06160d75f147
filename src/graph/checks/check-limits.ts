import type { ConfigurationIssue } from '../../errors/configuration-error'
import {
  DEFAULT_LOAD_SHEDDING,
  DEFAULT_REQUEST_LIMITS,
  type LoadSheddingOptions,
  MAX_SUPPORTED_NESTING_DEPTH,
  type RequestLimits,
} from '../options/limits'
import {
  createSingleConfigurationIssueList,
  findUnknownOptionNameIssues,
  formatOptionValue,
  isPositiveInteger,
} from './option-checks'

/** Checks that each limit is a whole number in its range, or `null`. */
export function findLimitOptionIssues(limits: RequestLimits): ConfigurationIssue[] {
  return [
    ...findUnknownOptionNameIssues(
      { location: 'createJsonApi', messageStart: 'its limits have' },
      limits,
      Object.keys(DEFAULT_REQUEST_LIMITS),
    ),
    ...findCountIssues('limits', { ...limits }, DEFAULT_REQUEST_LIMITS),
  ]
}

export function findLoadSheddingOptionIssues(options: LoadSheddingOptions | false): ConfigurationIssue[] {
  if (options === false) return []
  const known = Object.keys(DEFAULT_LOAD_SHEDDING)
  const context = { location: 'createJsonApi', messageStart: 'its loadShedding has' }
  return [
    ...findUnknownOptionNameIssues(context, options, known, LOAD_SHEDDING_OPTION_REMEDY),
    ...findCountIssues('loadShedding', { ...options }, DEFAULT_LOAD_SHEDDING),
  ]
}

export const LOAD_SHEDDING_OPTION_REMEDY = 'Give maxConcurrency, queueTimeout, retryAfter, true or false.'

function findCountIssues(
  option: string,
  options: Readonly<Record<string, unknown>>,
  known: RequestLimits | LoadSheddingOptions,
): ConfigurationIssue[] {
  return Object.keys(known).flatMap((name) => {
    const [value, maximum] = [options[name], MAX_VALUES.get(name)]
    if (value === null ? !REQUIRED.has(name) : isPositiveInteger(value, maximum)) return []
    const range = maximum === undefined ? ' on' : ` to ${maximum}`
    const remedy = `Give a whole number from 1${range}${REQUIRED.has(name) ? '' : ', or null for no limit'}.`
    return createSingleConfigurationIssueList(
      'createJsonApi',
      `its ${option}.${name} is ${formatOptionValue(value)}.`,
      remedy,
    )
  })
}

/** The counts that can't be `null`. */
const REQUIRED: ReadonlySet<string> = new Set<keyof RequestLimits | keyof LoadSheddingOptions>([
  ...(['bodySize', 'bodyDepth', 'filterDepth'] as const),
  'retryAfter',
])

/** The timers of Node.js hold 31 bits. */
const MAX_VALUES: ReadonlyMap<string, number> = new Map<keyof RequestLimits, number>([
  ['bodyDepth', MAX_SUPPORTED_NESTING_DEPTH],
  ['filterDepth', MAX_SUPPORTED_NESTING_DEPTH],
  ['timeout', 2 ** 31 - 1],
])
