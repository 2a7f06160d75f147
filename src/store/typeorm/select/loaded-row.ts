import type { Relationship } from '../../../graph/model/resource-graph'
import type { RelatedRows, ResourceRow } from '../../read-result'
import type { Key } from '../mapping/mapping'

/**
 * A row on its way to become a `ResourceRow`: its related rows are filled in layer by layer. There are many of them: they all have the same
 * members, and share what is empty.
 */
export interface LoadedRow extends ResourceRow {
  /** The key that rows of other tables refer to. */
  readonly key: Key
  /** The foreign keys of this row, in the order of the includes of its layer. */
  readonly foreignKeys: readonly (Key | undefined)[]
  /** The selected values, or those that listeners returned. */
  values: readonly unknown[]
  related: Map<Relationship, RelatedRows>
  position: readonly (string | null)[] | undefined
}

/** The member `related` of rows that have no included rows yet. */
export const NO_INCLUDED_ROWS: LoadedRow['related'] = new Map()
