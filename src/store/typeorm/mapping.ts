import type { DataSource } from 'typeorm'
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata'
import type { EntityMetadata } from 'typeorm/metadata/EntityMetadata'
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

export interface TableMapping {
  /** Quoted, with its schema. */
  readonly name: string
  readonly metadata: EntityMetadata
  readonly id: ColumnMapping
  /** From the driver's value of a key to the id that clients see. */
  readonly toId: (raw: unknown) => string
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
  /** From the driver's value to one as `ValueType` has it held. */
  readonly fromDatabase: (raw: unknown) => unknown
  /** And back, as a parameter. */
  readonly toDatabase: (held: unknown) => unknown
  /** Whether it is compared as a number or as text. */
  readonly comparedAs: 'number' | 'text'
  /** The expression to select: SQLite would lose digits of a bigint. `column` may be prefixed with an alias. */
  readonly selectAs: 'plain' | 'text'
}

/** By what two rows belong together. Columns are quoted. */
export type RelationMapping =
  /** The left row holds the key of the right one. */
  | {
      readonly kind: 'keyOnLeft'
      readonly column: string
      readonly metadata: ColumnMetadata
      readonly isUnique: boolean
    }
  /** The right row holds the key of the left one. */
  | {
      readonly kind: 'keyOnRight'
      readonly column: string
      readonly metadata: ColumnMetadata
      readonly isNullable: boolean
    }
  /** A table of pairs. */
  | { readonly kind: 'junction'; readonly table: string; readonly leftColumn: string; readonly rightColumn: string }

export interface ForeignKey {
  /** Quoted. */
  readonly table: string
  readonly column: string
  /** Of the rows that hold the key. */
  readonly metadata: EntityMetadata
}

export interface PairTable {
  /** Quoted. */
  readonly table: string
  readonly columns: readonly string[]
}
