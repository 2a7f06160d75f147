import type { ResourceClass } from './resource-graph'
import type { Nullability, ValueConstraints } from './value-type'

/**
 * What the store says of a class that is mapped to it. The graph is built from this and from what the class said of itself with
 * decorators, and knows nothing of the store besides.
 */
export interface EntityDescription {
  readonly entityClass: ResourceClass
  /** By property; own and inherited ones, none of siblings. */
  readonly columns: ReadonlyMap<string, ColumnDescription>
  readonly relations: ReadonlyMap<string, RelationDescription>
  /** The properties of the primary key. */
  readonly primaryKey: readonly string[]
  /** Whether listeners of the store may change what is to be written. */
  readonly hasEntityListeners: boolean
  /** The kind of tree whose order the store keeps beside the relations, and not by our writes. */
  readonly tree: string | undefined
  /** What tells its rows from those of other classes in the same table; `undefined` where nothing does. */
  readonly discriminatorValue: unknown
  /** It shares no table with a class above it: what plain classes above it declare is mapped with it. */
  readonly hasOwnTable: boolean
  /** Every mapped class that derives from this one, at any depth, and whose rows are found among the rows of this one. */
  readonly descendants: readonly ResourceClass[]
}

export interface ColumnDescription extends Nullability {
  readonly property: string
  /** The class whose declaration this is. */
  readonly declaredBy: ResourceClass
  readonly range: ValueConstraints
  readonly hasDefault: boolean
  /** What the store puts where nothing is given, as far as that is known before. */
  readonly defaultValue?: unknown
  /** Who gives the value: the client, the database or library on insert, or the library on every write. */
  readonly valueOrigin: 'client' | 'generated' | 'createDate' | 'updateDate' | 'version' | 'deleteDate'
  /** It holds the key of a related row, and belongs to a relation of another property. */
  readonly isForeignKey: boolean
  /** The place in the store, `table.column`. Columns of two classes can share one. */
  readonly columnPath: string
  /** A transformer stands between the property and the column: what is read may differ from what was written. */
  readonly isTransformed: boolean
  /** The store gives it only where it is asked for by name. */
  readonly isExcludedByDefault: boolean
  /** What the store says is not done with it, though at other times it is written. */
  readonly deniedWrites: readonly ('create' | 'change')[]
}

export interface RelationDescription {
  readonly property: string
  /** The class whose declaration this is. */
  readonly declaredBy: ResourceClass
  /** A class of another branch, whose relation of this name the store would use in place of this one. */
  readonly replacedBy: ResourceClass | undefined
  readonly kind: 'toOne' | 'toMany'
  readonly target: ResourceClass
  readonly inverseProperty: string | undefined
  /** Whether what stands at the other end belongs to one resource at most: one-to-one and one-to-many. */
  readonly isExclusive: boolean
  /** Whether the row itself holds the key. */
  readonly holdsKey: boolean
  /** What its foreign keys refer to: primary keys, or something else, or there are none. */
  readonly refersTo: 'ids' | 'others' | 'nothing'
  /** Whether this side may be empty. */
  readonly isNullable: boolean
  /** What its foreign key belongs to as a whole, so that it can't change: the primary key of this class, or of the target. */
  readonly fixedBy: 'ownKey' | 'farKey' | undefined
  /** Of a foreign key that belongs to the primary key of this class: for each column that it refers to, the place in that key. */
  readonly keyPlaces: readonly number[]
  /** What becomes of a related row that is taken out of the relationship. */
  readonly removed: 'unlinked' | 'deleted' | 'refused'
}
