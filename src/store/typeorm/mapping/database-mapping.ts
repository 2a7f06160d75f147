import type { DataSource, EntityMetadata } from 'typeorm'
import type { Attribute, Relationship, ResourceType, StoredType } from '../../../graph/model/resource-graph'
import type { ValueConstraints } from '../../../graph/model/value-type'
import type { Dialect } from '../dialects/dialect'
import type { ObservedEntityEvents } from '../metadata/entity-listeners'
import type { ColumnMetadata, RelationMetadata } from '../metadata/typeorm-metadata'
import type { Sql } from '../sql/sql'

/** The mapping of the resource graph to tables and columns. It is built once at start-up. */
export interface DatabaseMapping {
  readonly dataSource: DataSource
  readonly dialect: Dialect
  tableOf(type: ResourceType): ResourceTypeMapping
  columnOf(attribute: Attribute): ColumnMapping
  relationOf(relationship: Relationship): RelationMapping
  /** Returns the quoted name of a column in statements. */
  nameOf(column: ColumnMetadata): string
  /** Returns the foreign keys of all mapped classes that refer to rows of this type. */
  inboundForeignKeys(type: StoredType): readonly InboundForeignKey[]
  /** Returns the junction tables of all mapped classes that refer to rows of this type, on one side or both. */
  inboundJunctionTablesOf(type: StoredType): readonly InboundJunctionTable[]
}

/** The key of a row: the values of its columns as parameters. Most keys have one column. */
export type Key = readonly unknown[]

export interface ResourceTypeMapping {
  /** The source after `from`: the table, the root of joined tables, or a union of several tables. */
  readonly fromItem: FromClauseItemBuilder
  /** The source of each concrete type, if each has its own table; otherwise a single source. */
  readonly tableRowSources: readonly TableRowSource[]
  /** The stored types of the rows. */
  readonly types: readonly StoredType[]
  /** The quoted columns of the source; `undefined`: all columns of the hierarchy. */
  readonly columns: ReadonlySet<string> | undefined
  /** The columns of tables that are joined to the source. */
  readonly joinedColumns: ReadonlyMap<string, JoinedTableColumn>
  /** The tables that store a row, the topmost first. Most rows are stored in one table. */
  readonly tables: readonly [PhysicalTable, ...PhysicalTable[]]
  /** The metadata of the class itself. */
  readonly metadata: EntityMetadata
  /** The columns of the primary key; at least one. */
  readonly key: readonly ColumnMapping[]
  /** Converts the values of these columns to the id that clients see. */
  readonly toId: (key: Key) => string
  /** The column that contains the stored type; `undefined`: the source has rows of one type only. */
  readonly discriminator: Discriminator | undefined
  readonly listeners: ObservedEntityEvents
  /** The defaults that an insert must contain, by quoted name. The database applies other defaults itself. */
  readonly defaults: ReadonlyMap<string, Sql>
  /** The delete date column of this class; `undefined`: rows are removed. */
  readonly deletedAt: ColumnMapping | undefined
  /** A row with a value in any of these columns is deleted. Subclasses may add columns. Quoted. */
  readonly deleteDateColumns: readonly string[]
}

/** A quoted table, or a select in brackets with the requested columns, by their quoted names. */
export type FromClauseItemBuilder = (usedColumns: ReadonlySet<string>) => string

export interface TableRowSource {
  readonly fromItem: FromClauseItemBuilder
  /** The columns that can have values in its rows; `undefined`: all columns. */
  readonly columns: ReadonlySet<string> | undefined
}

/** A table of the database, with whole rows, or, of joined tables, with the columns that one class of the hierarchy has declared. */
export interface PhysicalTable {
  /** Quoted, with its schema. */
  readonly table: string
  readonly metadata: EntityMetadata
  /** In the order of the primary key; quoted. */
  readonly key: readonly string[]
  /** The quoted names of columns in this table, by the quoted names in statements. */
  readonly columns: ReadonlyMap<string, string>
}

/** A column of a table that is joined to the topmost table of its hierarchy by the key. */
export interface JoinedTableColumn {
  /** Quoted. */
  readonly table: string
  readonly key: readonly string[]
  readonly column: string
  /** The suffix of the alias of the table; `undefined`: it is read by a subselect. */
  readonly suffix: string | undefined
}

export interface Discriminator {
  /** Quoted. */
  readonly column: string
  /** True if the source can't contain other values than those of the types, nor null. */
  readonly isExhaustive: boolean
  valueOf(type: StoredType): string
  typeOf(value: unknown): StoredType | undefined
}

export interface ColumnMapping {
  /** The quoted name in statements. It is unique in the hierarchy, so it can differ from the name in the table. */
  readonly column: string
  readonly metadata: ColumnMetadata
  /** Returns the expression of a virtual column for rows with this alias. */
  readonly query: ((alias: string) => string) | undefined
  /** The columns of an embedded object. */
  readonly embeddedColumns?: readonly EmbeddedColumn[]
  /** Converts a value of the driver to a runtime value. */
  readonly fromDatabase: (raw: unknown) => unknown
  /** Converts a value of an entity to a runtime value. */
  readonly fromEntity: (value: unknown) => unknown
  /** Converts a value of the driver to a value that is only serialized. */
  readonly toSerialized: (raw: unknown) => unknown
  /** Converts a runtime value to a parameter. */
  readonly toDatabase: (value: unknown) => unknown
  /** How the value is compared. */
  readonly comparedAs: 'number' | 'text'
  /** True if drivers return keys in another form than ids have: days and moments as a `Date`, a `char` with spaces at the end. */
  readonly isNormalizedInKeys: boolean
  /** `text`: selects the column as text, because SQLite drivers would lose digits of a bigint. */
  readonly selectAs: 'plain' | 'text'
  /** True if the column can store moments more precise than a millisecond, or one moment as different texts. */
  readonly hasSubMillisecondPrecision: boolean
  /** The name of its type in the database, without a length: `uuid`, `character varying`. */
  readonly databaseType: string
}

/** Returns true for an expression or an embedded object, which can't be written or indexed as one column. */
export function isVirtualColumnOrEmbeddedObject({ query, embeddedColumns }: ColumnMapping): boolean {
  return query !== undefined || embeddedColumns !== undefined
}

/** A column of an embedded object, and its path in the object: `['home', 'city']`. */
export interface EmbeddedColumn {
  readonly path: readonly string[]
  readonly constraints: ValueConstraints
  readonly column: ColumnMapping
}

/** A column of a foreign key. */
export interface ForeignKeyColumn {
  /** The quoted name in statements, as in `ColumnMapping`. */
  readonly column: string
  /** Its index in the primary key of its own row, if it is part of it. Such a column can't change. */
  readonly primaryKeyIndex: number | undefined
  /** True if the column is set to null when the relationship is cleared. */
  readonly isSetNull: boolean
  /** True if its collation differs from that of the column it refers to. */
  readonly hasOtherCollation: boolean
  /** True if another foreign key of the row shares the column, but not all columns. */
  readonly isShared: boolean
}

/**
 * How two rows are linked. Columns are quoted, in the order of the key that they refer to. `metadata` is that of the relation with the foreign key.
 */
export type RelationMapping =
  /**
   * The source row contains the foreign key. `isUnique`: only one row may refer to each. `hasUniqueConstraint`: the database ensures that for all rows.
   * `hasForeignKeyConstraint`: it ensures that the related row exists.
   */
  | {
      readonly kind: 'owning'
      readonly columns: readonly ForeignKeyColumn[]
      readonly metadata: RelationMetadata
      readonly isUnique: boolean
      readonly hasUniqueConstraint: boolean
      readonly hasForeignKeyConstraint: boolean
    }
  /** The related rows contain the foreign key. */
  | {
      readonly kind: 'inverse'
      readonly columns: readonly ForeignKeyColumn[]
      readonly metadata: RelationMetadata
      /** True if an index serves lookups of related rows by this key. */
      readonly isIndexed: boolean
    }
  /** A junction table contains the links. */
  | {
      readonly kind: 'junction'
      readonly table: string
      readonly sourceColumns: readonly string[]
      readonly relatedColumns: readonly string[]
      readonly hasForeignKeyConstraint: boolean
      /** True if an index lists the pairs of a source in the order of the related keys. */
      readonly hasOrderedIndex: boolean
    }

export interface InboundForeignKey {
  /** The table that contains the foreign key. */
  readonly table: Pick<PhysicalTable, 'table' | 'metadata' | 'key'>
  /** The other joined tables that have dates or versions of such rows. */
  readonly touchedTables: readonly Pick<PhysicalTable, 'table' | 'metadata' | 'key'>[]
  /** In the order of the key that they refer to; quoted. */
  readonly columns: readonly string[]
  /** The columns that can be null. */
  readonly nullableColumns: readonly string[]
  /** The resource types of the rows; none if the class is not registered. */
  readonly types: readonly StoredType[]
  /** The action on the rows before the row that they refer to is deleted. */
  readonly onDelete: 'setNull' | 'cascade' | 'restrict'
}

export interface InboundJunctionTable {
  /** Quoted. */
  readonly table: string
  /** The columns of each end that refers to rows of the type. */
  readonly ends: readonly (readonly string[])[]
}
