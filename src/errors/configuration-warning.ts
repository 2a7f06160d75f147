import type { ConfigurationProblem } from './configuration-error'

/** Something that works, and can be slow or go wrong one day: told at start-up. */
export interface ConfigurationWarning extends ConfigurationProblem {
  /**
   * `missingIndex`: rows are looked for by columns without an index. `ownEtagKey`: what other processes share is this one's own.
   * `barredRows`: a table demands values that rows of some types don't have. The others: columns of which the database makes something else than others do.
   */
  readonly kind:
    | 'missingIndex'
    | 'ownEtagKey'
    | 'textOrder'
    | 'uuidOrder'
    | 'inexactDecimals'
    | 'wholeSeconds'
    | 'localTime'
    | 'barredRows'
}
