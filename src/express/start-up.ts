import type { ApiSummary } from '../api-summary/api-summary'
import { printIssue, printSummary } from '../api-summary/print-summary'
import type { ConfigurationIssue } from '../errors/configuration-error'
import type { ConfigurationWarning } from '../errors/configuration-warning'

export type StartUpOption = (typeof START_UP_OPTIONS)[number] | ((overview: ApiSummary) => void)
const START_UP_OPTIONS = ['printed', 'warnings', 'quiet'] as const

/** What there is to tell. An overview is made where somebody wants one. */
export interface StartupLog {
  readonly warnings: readonly ConfigurationWarning[]
  readonly overview: () => ApiSummary
}

/** The one place where the library prints without having been asked to. */
export function logStartup({ warnings, overview }: StartupLog, option: StartUpOption = defaultOption()): void {
  if (typeof option === 'function') option(overview())
  else if (option === 'printed') console.warn(printSummary(overview()))
  else if (option === 'warnings') for (const warning of warnings) console.warn(`stemma: ${printIssue(warning)}`)
}

/** Node's own tests don't set `NODE_ENV`. */
function defaultOption(): StartUpOption {
  const { NODE_ENV, NODE_TEST_CONTEXT } = process.env
  const isWatched = NODE_ENV !== 'production' && NODE_ENV !== 'test' && NODE_TEST_CONTEXT === undefined
  return isWatched ? 'printed' : 'warnings'
}

export function checkStartUp(option: unknown): readonly ConfigurationIssue[] {
  if (option === undefined || typeof option === 'function' || START_UP_OPTIONS.some((each) => each === option))
    return []
  const known = START_UP_OPTIONS.map((each) => `'${each}'`).join(', ')
  return [
    {
      location: 'createJsonApi',
      message: `its startupLog is '${String(option)}'.`,
      remedy: `Give ${known} or a function.`,
    },
  ]
}
