import type { DataSource, EntityMetadata } from 'typeorm'
import type { RelationDescription } from '../../../graph/model/entity-description'
import type { Attribute, Relationship, ResourceType, StoredType } from '../../../graph/model/resource-graph'
import type { ValueConstraints } from '../../../graph/model/value-type'
import type { Dialect } from '../dialects/dialect'
import type { ObservedEvents } from '../metadata/entity-listeners'
import type { ColumnMetadata, RelationMetadata } from '../metadata/typeorm-metadata'
import type { Sql } from '../sql/sql'

/** Where everything of the graph lies in the database: built once at start-up. */
export interface Mapping {
  readonly dataSource: DataSource
  readonly dialect: Dialect
  tableOf(type: ResourceType): TableMapping
  columnOf(attribute: Attribute): ColumnMapping
  relationOf(relationship: Relationship): RelationMapping
  /** The name by which statements know a column; quoted. */
  nameOf(column: ColumnMetadata): string
  /** Foreign keys of any mapped class, registered or not, that refer to rows of this type and may be emptied when such a row goes. */
  inboundForeignKeys(type: StoredType): readonly InboundForeignKey[]
  /** Tables of pairs of any mapped class that hold rows of this type, on one side or both. */
  junctionTablesOf(type: StoredType): readonly JunctionTable[]
}

/** The key of a row: what its columns have, each as a parameter of a statement. Most have one. */
export type Key = readonly unknown[]

export interface TableMapping {
  /** The source after `from`: the table, the root of joined tables, or a union of several tables. */
  readonly fromItem: CreateFromItem
  /** The source of each concrete type if each has a table of its own; else the one source. */
  readonly concreteTables: readonly ConcreteTable[]
  /** The stored types of the rows. */
  readonly types: readonly StoredType[]
  /** The quoted columns of the source if it lacks some of the hierarchy; `undefined`: it has all. */
  readonly columns: ReadonlySet<string> | undefined
  /** Columns that lie in tables which are joined to the source. */
  readonly joinedColumns: ReadonlyMap<string, JoinedColumn>
  /** The tables that a row lies in, the topmost first. Most lie in one. */
  readonly tables: readonly [PhysicalTable, ...PhysicalTable[]]
  /** The metadata of the class itself. */
  readonly metadata: EntityMetadata
  /** The columns of the primary key. At least one. */
  readonly key: readonly ColumnMapping[]
  /** From what the driver gives for those columns to the id that clients see. */
  readonly toId: (key: Key) => string
  /** The column that holds the stored type; `undefined`: the source has rows of one type only. */
  readonly discriminator: Discriminator | undefined
  readonly listeners: ObservedEvents
  /** The values of columns that a new row does not set, by quoted name. Without those that the database sets by itself. */
  readonly defaults: ReadonlyMap<string, Sql>
  /** The column that marks a row of this class as deleted; `undefined`: rows are deleted. */
  readonly deletedAt: ColumnMapping | undefined
  /** A row with a value in any of these columns is deleted. Subclasses may add columns. Quoted. */
  readonly deleteDateColumns: readonly string[]
}

/** A quoted table, or a select in brackets with the requested columns, by their quoted names. */
export type CreateFromItem = (asked: ReadonlySet<string>) => string

export interface ConcreteTable {
  readonly fromItem: CreateFromItem
  /** The columns that its rows can have something in; `undefined`: all. */
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

/** A column of a table that is joined to the topmost of its hierarchy by the key. */
export interface JoinedColumn {
  /** Quoted. */
  readonly table: string
  readonly key: readonly string[]
  readonly column: string
  /** The suffix of the alias of the table. */
  readonly suffix: string
}

export interface Discriminator {
  /** Quoted. */
  readonly column: string
  valueOf(type: StoredType): string
  typeOf(value: unknown): StoredType | undefined
}

export interface ColumnMapping {
  /** Quoted: unique among all tables of a hierarchy, so that it need not be the name in the one that has it. */
  readonly column: string
  readonly metadata: ColumnMetadata
  /** The expression of a read-only value that is no column, for rows under this alias. */
  readonly query: ((alias: string) => string) | undefined
  /** The columns of an embedded object, which is read and written through them alone. */
  readonly embeddedColumns?: readonly EmbeddedColumn[]
  /** From the driver's value to one as `AttributeType` has it held. */
  readonly fromDatabase: (raw: unknown) => unknown
  /** From a value that TypeORM gives an entity to one as `AttributeType` has it held. */
  readonly fromEntity: (value: unknown) => unknown
  /** To one that a document can be written of, and no more. */
  readonly toSerialized: (raw: unknown) => unknown
  /** From a held value to a parameter. */
  readonly toDatabase: (value: unknown) => unknown
  /** How the value is compared. */
  readonly comparedAs: 'number' | 'text'
  /** The expression to select: SQLite would lose digits of a bigint. `column` may be prefixed with an alias. */
  readonly selectAs: 'plain' | 'text'
  /** True if it can hold moments more precise than a millisecond, or in several spellings. */
  readonly hasSubMillisecondPrecision: boolean
  /** The name of its type in the database, without a length: `uuid`, `character varying`. */
  readonly databaseType: string
}

/** Returns true for an expression or an embedded object, which can't be written or indexed as one column. */
export function isComputedColumn({ query, embeddedColumns }: ColumnMapping): boolean {
  return query !== undefined || embeddedColumns !== undefined
}

/** A column of an embedded object, and the names that lead to it: `['home', 'city']`. */
export interface EmbeddedColumn {
  readonly path: readonly string[]
  readonly range: ValueConstraints
  readonly column: ColumnMapping
}

/** A column that refers to one of a primary key. */
export interface ForeignKeyColumn {
  /** Quoted, as that of a `ColumnMapping`. */
  readonly column: string
  /** Its place in the primary key of its own row, if it is a part of that as well: then it can't change. */
  readonly primaryKeyIndex: number | undefined
  /** Null where nothing is referred to. */
  readonly isSetNull: boolean
  /** True if its collation differs from that of the column it refers to. */
  readonly hasOtherCollation: boolean
  /** True if another foreign key of the row shares the column, but not all columns. */
  readonly isShared: boolean
}

/**
 * By what two rows belong together. Columns are quoted, and in the order of the key that they refer to. `metadata` are those of the
 * relation that has the key.
 */
export type RelationMapping =
  /** The left row holds the key of the right one. `hasForeignKeyConstraint`: a foreign key of the database sees to it that there is one. */
  | {
      readonly kind: 'owning'
      readonly columns: readonly ForeignKeyColumn[]
      readonly metadata: RelationMetadata
      readonly isUnique: boolean
      readonly hasForeignKeyConstraint: boolean
    }
  /** The right row holds the key of the left one. */
  | {
      readonly kind: 'inverse'
      readonly columns: readonly ForeignKeyColumn[]
      readonly metadata: RelationMetadata
      /** True if an index serves lookups of related rows by this key. */
      readonly isIndexed: boolean
      /** What happens to a related row that is removed from the relationship. */
      readonly orphanAction: RelationDescription['orphanAction']
    }
  /** A table of pairs. */
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
  /** The table of the rows that hold the key. */
  readonly table: Pick<PhysicalTable, 'table' | 'metadata' | 'key'>
  /** The other joined tables that keep dates or versions of such rows. */
  readonly touchedTables: readonly Pick<PhysicalTable, 'table' | 'metadata' | 'key'>[]
  /** In the order of the key that they refer to; quoted. */
  readonly columns: readonly string[]
  /** The columns that can be null. */
  readonly nullableColumns: readonly string[]
  /** The resource types of the rows; none if the class is not registered. */
  readonly types: readonly StoredType[]
  /** What the database does with the rows when the row that they refer to is deleted. */
  readonly onDelete: 'setNull' | 'cascade' | 'restrict'
}

export interface JunctionTable {
  /** Quoted. */
  readonly table: string
  /** The columns of each end that refers to rows of the type. */
  readonly ends: readonly (readonly string[])[]
}
