import type { ConfigurationIssue } from './configuration-error'

/** A configuration that works but may be slow or cause errors later. Logged at startup. */
export interface ConfigurationWarning extends ConfigurationIssue {
  /**
   * The kind of problem. `missing-index`: statements search columns without an index. `missing-etag-secret`: processes don't share the
   * secret of ETags. `unsatisfiable-not-null`: a NOT NULL column that rows of some types can't fill.
   * `unwritable-required-relationship`: a relationship without which no resource can be created, and that nothing can set. All others: columns that behave
   * differently on other databases.
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
    | 'unwritable-required-relationship'
}
