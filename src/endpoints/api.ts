import type { Definitions } from '../definitions/definitions'
import type { Options } from '../graph/options'
import type { ResourceGraph } from '../graph/resource-graph'
import { askReadingRules, type ReadingRules } from '../plan/reading-rules'
import type { Store } from '../store/store'
import type { Validators } from '../validators/validators'

/** What every endpoint works with: made once, at start-up, but for the `context` of each request. */
export interface Api {
  readonly graph: ResourceGraph
  readonly options: Options
  readonly definitions: Definitions
  readonly store: Store
  readonly validators: Validators
  /** Who is asking: what the application made of the request. */
  readonly context: unknown
  /** Told of what went wrong and is not the client's fault. */
  readonly report: (error: unknown) => void
}

/** The reading rules as they are for this request. */
export function readingRulesOf({ definitions, graph, context }: Api): ReadingRules {
  return askReadingRules(definitions, graph, context)
}
