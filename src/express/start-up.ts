import type { ConfigurationProblem } from '../errors/configuration-error'
import type { ConfigurationWarning } from '../errors/configuration-warning'
import type { ApiOverview } from '../overview/overview'
import { printOverview, printProblem } from '../overview/print-overview'

export type StartUpOption = (typeof START_UP_OPTIONS)[number] | ((overview: ApiOverview) => void)
const START_UP_OPTIONS = ['printed', 'warnings', 'quiet'] as const

/** What there is to tell. An overview is made where somebody wants one. */
export interface StartUp {
  readonly warnings: readonly ConfigurationWarning[]
  readonly overview: () => ApiOverview
}

/** The one place where the library prints without having been asked to. */
export function tellStartUp({ warnings, overview }: StartUp, option: StartUpOption = usual()): void {
  if (typeof option === 'function') option(overview())
  else if (option === 'printed') console.warn(printOverview(overview()))
  else if (option === 'warnings') for (const warning of warnings) console.warn(`stemma: ${printProblem(warning)}`)
}

/** Node's own tests don't set `NODE_ENV`. */
function usual(): StartUpOption {
  const { NODE_ENV, NODE_TEST_CONTEXT } = process.env
  const isWatched = NODE_ENV !== 'production' && NODE_ENV !== 'test' && NODE_TEST_CONTEXT === undefined
  return isWatched ? 'printed' : 'warnings'
}

export function checkStartUp(option: unknown): readonly ConfigurationProblem[] {
  if (option === undefined || typeof option === 'function' || START_UP_OPTIONS.some((each) => each === option))
    return []
  const known = START_UP_OPTIONS.map((each) => `'${each}'`).join(', ')
  return [
    { at: 'createJsonApi', problem: `its startUp is '${String(option)}'.`, remedy: `Give ${known} or a function.` },
  ]
}
