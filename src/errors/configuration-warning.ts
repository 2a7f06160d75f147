import type { ConfigurationIssue } from './configuration-error'

/** Something that works, and can be slow or go wrong one day: told at start-up. */
export interface ConfigurationWarning extends ConfigurationIssue {
  /**
   * `missing-index`: rows are looked for by columns without an index. `missing-etag-secret`: what other processes share is this one's own.
   * `unsatisfiable-not-null`: a table demands values that rows of some types don't have. The others: columns of which the database makes something else than others do.
   */
  readonly kind:
    | 'missing-index'
    | 'missing-etag-secret'
    | 'collation-dependent-order'
    | 'uuid-group-order'
    | 'inexact-decimal'
    | 'second-precision'
    | 'timezone-dependent-datetime'
    | 'unsatisfiable-not-null'
}
