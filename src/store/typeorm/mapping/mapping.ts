import type { DataSource, EntityMetadata } from 'typeorm'
import type { RelationDescription } from '../../../graph/entity-description'
import type { Attribute, Relationship, ResourceType, StoredType } from '../../../graph/resource-graph'
import type { ValueConstraints } from '../../../graph/value-type'
import type { Dialect } from '../dialects/dialect'
import type { EntityListeners } from '../metadata/entity-listeners'
import type { ColumnMetadata, RelationMetadata } from '../metadata/typeorm-metadata'
import type { Sql } from '../sql/sql'

/** Where everything of the graph lies in the database: built once at start-up. */
export interface Mapping {
  readonly dataSource: DataSource
  readonly dialect: Dialect
  tableOf(type: ResourceType): TableMapping
  columnOf(type: ResourceType, attribute: Attribute): ColumnMapping
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
  /** What stands behind `from`: the table; of joined tables the topmost; of several tables a select of the rows of all. */
  readonly fromItem: FromItem
  /** The same for each of the concrete types, if each has a table of its own: together they are the source. Else that one. */
  readonly concreteTables: readonly ConcreteTable[]
  /** Those stored types that rows of the source can have. */
  readonly types: readonly StoredType[]
  /** The columns of the source, quoted, where it lacks some of the hierarchy; `undefined`: it has all. */
  readonly columns: ReadonlySet<string> | undefined
  /** Columns that lie in tables which are joined to the source. */
  readonly joinedColumns: ReadonlyMap<string, JoinedColumn>
  /** The tables that a row lies in, the topmost first. Most lie in one. */
  readonly tables: readonly [RowTable, ...RowTable[]]
  /** Of the class itself. */
  readonly metadata: EntityMetadata
  /** The columns of the primary key. At least one. */
  readonly key: readonly ColumnMapping[]
  /** From what the driver gives for those columns to the id that clients see. */
  readonly toId: (key: Key) => string
  /** How the stored type of a row is told; `undefined`: the source has rows of one type only. */
  readonly discriminator: Discriminator | undefined
  readonly listeners: EntityListeners
  /** What columns of a new row are given where nothing else is said of them, by their quoted names. Without those that the database's own defaults will do for. */
  readonly defaults: ReadonlyMap<string, Sql>
  /** What is set in place of deleting a row of this class; `undefined`: rows are deleted for good. */
  readonly deletedAt: ColumnMapping | undefined
  /** Rows with a value in any of these are gone for everybody. Classes below may have one where this has none. Quoted. */
  readonly deleteDateColumns: readonly string[]
}

/** A quoted table, or a select in brackets, which has those of its columns that are asked for; by their quoted names. */
export type FromItem = (asked: ReadonlySet<string>) => string

export interface ConcreteTable {
  readonly fromItem: FromItem
  /** The columns that its rows can have something in; `undefined`: all. */
  readonly columns: ReadonlySet<string> | undefined
}

/** A table with the whole of a row, or, of joined tables, with what one class of the hierarchy has declared. */
export interface RowTable {
  /** Quoted, with its schema. */
  readonly table: string
  readonly metadata: EntityMetadata
  /** In the order of the primary key; quoted. */
  readonly key: readonly string[]
  /** How the columns that statements know by these names are called in this table; both quoted. */
  readonly columns: ReadonlyMap<string, string>
}

/** A column of a table that is joined to the topmost of its hierarchy by the key. */
export interface JoinedColumn {
  /** Quoted. */
  readonly table: string
  readonly key: readonly string[]
  readonly column: string
  /** What the alias of the table ends with. */
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
  /** Of what is no column: the expression that stands in its place, of rows under this alias. It can only be read. */
  readonly query: ((alias: string) => string) | undefined
  /** Of an embedded object: its columns, of which it is read and written. All else of this mapping is of no use to it. */
  readonly embeddedColumns?: readonly EmbeddedColumn[]
  /** From the driver's value to one as `AttributeType` has it held. */
  readonly fromDatabase: (raw: unknown) => unknown
  /** From a value that TypeORM gives an entity to one as `AttributeType` has it held. */
  readonly fromEntity: (value: unknown) => unknown
  /** To one that a document can be written of, and no more. */
  readonly toSerialized: (raw: unknown) => unknown
  /** From a held value to a parameter. */
  readonly toDatabase: (held: unknown) => unknown
  /** Whether it is compared as a number or as text. */
  readonly comparedAs: 'number' | 'text'
  /** The expression to select: SQLite would lose digits of a bigint. `column` may be prefixed with an alias. */
  readonly selectAs: 'plain' | 'text'
  /** Whether it holds moments finer than to the millisecond, or spelled in more than one way. */
  readonly hasSubMillisecondPrecision: boolean
  /** What the database calls its type, without a length: `uuid`, `character varying`. */
  readonly databaseType: string
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
  /** Whether its collation is declared as another than that of the column it refers to. */
  readonly hasOtherCollation: boolean
  /** Whether another foreign key of the row has it too, and other columns besides or fewer. */
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
      /** Whether an index leads from the key to the right rows. */
      readonly isIndexed: boolean
      /** What becomes of a right row that is taken out. */
      readonly orphanAction: RelationDescription['removed']
    }
  /** A table of pairs. */
  | {
      readonly kind: 'junction'
      readonly table: string
      readonly sourceColumns: readonly string[]
      readonly relatedColumns: readonly string[]
      readonly hasForeignKeyConstraint: boolean
      /** Whether an index leads from the left key to the pairs in the order of the right keys. */
      readonly hasOrderedIndex: boolean
    }

export interface InboundForeignKey {
  /** The table of the rows that hold the key. */
  readonly table: Pick<RowTable, 'table' | 'metadata' | 'key'>
  /** Of joined tables the others that keep dates or versions of such rows. */
  readonly touchedTables: readonly Pick<RowTable, 'table' | 'metadata' | 'key'>[]
  /** In the order of the key that they refer to; quoted. */
  readonly columns: readonly string[]
  /** Those of them that may be null. */
  readonly nullableColumns: readonly string[]
  /** Those resource types that the rows can be of; none where the class is not registered. */
  readonly types: readonly StoredType[]
  /** What becomes of the rows when that which they refer to goes. */
  readonly onDelete: 'setNull' | 'cascade' | 'restrict'
}

export interface JunctionTable {
  /** Quoted. */
  readonly table: string
  /** Of each end that rows of the type can stand at. */
  readonly ends: readonly (readonly string[])[]
}
