import type { ResourceClass } from './resource-graph'
import type { Nullability, ValueConstraints } from './value-type'

/**
 * The store's description of a mapped class. The graph is built only from this and from the decorators.
 */
export interface EntityDescription {
  readonly entityClass: ResourceClass
  /** By property, own and inherited. */
  readonly columns: ReadonlyMap<string, ColumnDescription>
  readonly relations: ReadonlyMap<string, EntityRelationDescription>
  /** The properties of the primary key. */
  readonly primaryKey: readonly string[]
  /** True if listeners of the store may change values of new rows. */
  readonly hasInsertListeners: boolean
  /** True if listeners of the store may change values of updated rows. */
  readonly hasUpdateListeners: boolean
  /** True if the store can mark its rows as deleted. Such rows stay, and are hidden. */
  readonly isSoftDeletable: boolean
  /** The kind of TypeORM tree, if the store keeps the tree in columns or tables that our writes do not update. */
  readonly tree: string | undefined
  /** The discriminator value of its rows; `undefined` without a discriminator. */
  readonly discriminatorValue: unknown
  /** True for a view, which the database may not be able to change. */
  readonly isView: boolean
  /** True if it shares no table with a base class. Columns of unmapped base classes then belong to its own table. */
  readonly hasOwnTable: boolean
  /** Every mapped class that derives from this one, at any depth, and whose rows are also rows of this one. */
  readonly descendants: readonly ResourceClass[]
}

export interface ColumnDescription extends Nullability {
  readonly property: string
  /** The class whose declaration this is. */
  readonly declaredBy: ResourceClass
  readonly constraints: ValueConstraints
  readonly hasDefault: boolean
  /** The default of the store, if it is known before the insert. */
  readonly defaultValue?: unknown
  /** Which side sets the value: the client, the database or library on insert, or the library on every write. */
  readonly valueOrigin: 'client' | 'generated' | 'createDate' | 'updateDate' | 'version' | 'deleteDate'
  /** True if the store or the database may set a new value when the row is updated. */
  readonly mayChangeOnUpdate: boolean
  /** True if it is the foreign key of a relation on another property. */
  readonly isForeignKey: boolean
  /** Table and column: `human.name`. Two classes can share a column. */
  readonly columnPath: string
  /** True if a transformer converts its values: a value may read back differently. */
  readonly isTransformed: boolean
  /** The transformers, and the expression that computes its values. Classes that share a column need the same ones. */
  readonly conversions: readonly unknown[]
  /** True if a query of the application computes its values when they are read. */
  readonly isVirtual: boolean
  /** True if the store reads it only when it is named (`select: false`). */
  readonly isExcludedByDefault: boolean
  /** The writes that the store leaves out for this column (`insert: false`, `update: false`). */
  readonly deniedWrites: readonly ('create' | 'change')[]
}

export interface EntityRelationDescription {
  readonly property: string
  /** The class whose declaration this is. */
  readonly declaredBy: ResourceClass
  /** A class of another branch whose relation of the same name the store would use instead. */
  readonly replacedBy: ResourceClass | undefined
  readonly kind: 'toOne' | 'toMany'
  readonly target: ResourceClass
  readonly inverseProperty: string | undefined
  /** True if the inverse relation declares the columns or the table of both. */
  readonly isInverseSide: boolean
  /** True if a related resource belongs to at most one resource: one-to-one and one-to-many. */
  readonly isExclusive: boolean
  /** True if the row itself holds the foreign key. */
  readonly holdsKey: boolean
  /**
   * The table and columns of the foreign key, in the row itself or in other rows, as a text. Relations with equal texts are stored together. `undefined`
   * for the owner of a junction table.
   */
  readonly foreignKeyPath: string | undefined
  /** The columns that its foreign keys refer to: primary keys, other columns, or nothing if there is no foreign key. */
  readonly refersTo: 'ids' | 'others' | 'nothing'
  /** Whether this side may be empty. */
  readonly isNullable: boolean
  /** True if `onDelete` clears the foreign key when the related row is deleted. */
  readonly isClearedOnDelete: boolean
  /** True if the row itself has the foreign key, and a default for it. */
  readonly hasDefault: boolean
  /** The writes of the foreign key that are not possible: it is part of a primary key, or has `insert: false` or `update: false`. */
  readonly deniedWrites: readonly ('create' | 'change')[]
  /** If the foreign key is part of this primary key: for each column that it refers to, its index in this key. */
  readonly primaryKeyIndexes: readonly number[]
  /** What happens to a related row that is removed from the relationship. */
  readonly orphanAction: 'unlinked' | 'deleted' | 'refused'
}
