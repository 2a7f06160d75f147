import type { DataSource } from 'typeorm'
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata'
import type { EntityMetadata } from 'typeorm/metadata/EntityMetadata'
import type { RelationMetadata } from 'typeorm/metadata/RelationMetadata'
import type { RelationDescription } from '../../graph/entity-description'
import type { Attribute, Relationship, ResourceType, StoredType } from '../../graph/resource-graph'
import type { Dialect } from './dialect'
import type { Listeners } from './listeners'

/** Where everything of the graph lies in the database: built once at start-up. */
export interface Mapping {
  readonly dataSource: DataSource
  readonly dialect: Dialect
  tableOf(type: ResourceType): TableMapping
  columnOf(type: ResourceType, attribute: Attribute): ColumnMapping
  relationOf(relationship: Relationship): RelationMapping
  /** Foreign keys of any mapped class, registered or not, that refer to rows of this type and may be emptied when such a row goes. */
  referencesTo(type: StoredType): readonly ForeignKey[]
  /** Tables of pairs of any mapped class that hold rows of this type, on one side or both. */
  pairsWith(type: StoredType): readonly PairTable[]
}

/** The key of a row: what its columns have, each as a parameter of a statement. Most have one. */
export type Key = readonly unknown[]

export interface TableMapping {
  /** Quoted, with its schema. */
  readonly name: string
  readonly metadata: EntityMetadata
  /** The columns of the primary key. At least one. */
  readonly key: readonly ColumnMapping[]
  /** From what the driver gives for those columns to the id that clients see. */
  readonly toId: (key: Key) => string
  /** How the stored type of a row is told; `undefined`: the table holds rows of one type only. */
  readonly discriminator: Discriminator | undefined
  readonly listeners: Listeners
  /** Rows with a value here are gone for everybody. */
  readonly deletedAt: ColumnMapping | undefined
}

export interface Discriminator {
  /** Quoted. */
  readonly column: string
  valueOf(type: StoredType): string
  typeOf(value: unknown): StoredType | undefined
}

export interface ColumnMapping {
  /** Quoted. */
  readonly column: string
  readonly metadata: ColumnMetadata
  /** Of what is no column: the expression that stands in its place, of rows under this alias. It can only be read. */
  readonly query: ((alias: string) => string) | undefined
  /** Of an embedded object: its columns, of which it is read and written. All else of this mapping is of no use to it. */
  readonly parts?: readonly ColumnPart[]
  /** From the driver's value to one as `ValueType` has it held. */
  readonly fromDatabase: (raw: unknown) => unknown
  /** And back, as a parameter. */
  readonly toDatabase: (held: unknown) => unknown
  /** Whether it is compared as a number or as text. */
  readonly comparedAs: 'number' | 'text'
  /** The expression to select: SQLite would lose digits of a bigint. `column` may be prefixed with an alias. */
  readonly selectAs: 'plain' | 'text'
  /** Whether it holds moments finer than to the millisecond, or spelled in more than one way. */
  readonly isFiner: boolean
  /** What the database calls its type, without a length: `uuid`, `character varying`. */
  readonly databaseType: string
}

/** A column of an embedded object, and the names that lead to it: `['home', 'city']`. */
export interface ColumnPart {
  readonly path: readonly string[]
  readonly column: ColumnMapping
}

/** A column that refers to one of a primary key. */
export interface ForeignColumn {
  /** Quoted. */
  readonly column: string
  /** Its place in the primary key of its own row, if it is a part of that as well: then it can't change. */
  readonly place: number | undefined
  /** Null where nothing is referred to. */
  readonly isCleared: boolean
}

/**
 * By what two rows belong together. Columns are quoted, and in the order of the key that they refer to. `metadata` are those of the
 * relation that has the key.
 */
export type RelationMapping =
  /** The left row holds the key of the right one. */
  | {
      readonly kind: 'keyOnLeft'
      readonly columns: readonly ForeignColumn[]
      readonly metadata: RelationMetadata
      readonly isUnique: boolean
    }
  /** The right row holds the key of the left one. */
  | {
      readonly kind: 'keyOnRight'
      readonly columns: readonly ForeignColumn[]
      readonly metadata: RelationMetadata
      /** What becomes of a right row that is taken out. */
      readonly removed: RelationDescription['removed']
    }
  /** A table of pairs. */
  | {
      readonly kind: 'junction'
      readonly table: string
      readonly leftColumns: readonly string[]
      readonly rightColumns: readonly string[]
    }

export interface ForeignKey {
  /** Quoted. */
  readonly table: string
  /** In the order of the key that they refer to. */
  readonly columns: readonly string[]
  /** Those of them that may be null. */
  readonly emptied: readonly string[]
  /** Of the rows that hold the key. */
  readonly metadata: EntityMetadata
}

export interface PairTable {
  /** Quoted. */
  readonly table: string
  /** Of each end that rows of the type can stand at. */
  readonly ends: readonly (readonly string[])[]
}
