import type { RelatedRowsPage, ResourceRow } from '../../read-result'
import type { Key } from '../mapping/database-mapping'

/**
 * A row that is being completed to a `ResourceRow`; its related rows are added layer by layer. There are many such objects, so all have the same members
 * and share empty values.
 */
export interface MutableResourceRow extends ResourceRow {
  /** The key that rows of other tables refer to. */
  readonly key: Key
  /** The foreign keys of this row, in the order of the includes of its layer. */
  readonly foreignKeys: readonly (Key | undefined)[]
  /** The selected values, or those that listeners returned. */
  values: readonly unknown[]
  related: readonly RelatedRowsPage[]
  position: readonly (string | null)[] | undefined
}

/** Shared value of rows that have no included rows yet. */
export const NO_INCLUDED_ROWS: MutableResourceRow['related'] = []
