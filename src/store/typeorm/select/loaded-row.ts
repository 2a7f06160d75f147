import type { Relationship } from '../../../graph/model/resource-graph'
import type { RelatedRows, ResultRow } from '../../read-result'
import type { Key } from '../mapping/mapping'

/**
 * A row on its way to become a `ResultRow`: its related rows are filled in layer by layer. There are many of them: they all have the same
 * members, and share what is empty.
 */
export interface LoadedRow extends ResultRow {
  /** By which rows of other tables refer to this one. */
  readonly key: Key
  /** In the order of the includes of its layer: the keys of relationships that lie in this row. */
  readonly foreignKeys: readonly (Key | undefined)[]
  /** Those that were selected, unless listeners had something to say of them. */
  values: readonly unknown[]
  related: Map<Relationship, RelatedRows>
  position: readonly (string | null)[] | undefined
}

/** What a row has whose relationships are not read. */
export const NO_FOREIGN_KEYS: LoadedRow['foreignKeys'] = []
export const NOTHING_LINKED: LoadedRow['linked'] = new Map()
export const NOTHING_RELATED: LoadedRow['related'] = new Map()
