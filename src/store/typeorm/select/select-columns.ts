import { hasField } from '../../../graph/model/inheritance'
import type { Attribute, Relationship, StoredType } from '../../../graph/model/resource-graph'
import type { PlanLayer, Projection, TypeProjection } from '../../../plan/read-plan'
import type { RelationshipStep } from '../../../query/tree/ast'
import type { StoredTypeAndId } from '../../read-result'
import { compileFilter } from '../filters/compile-filter'
import { joinSteps } from '../joins/joins'
import type { KeySql } from '../joins/key-conditions'
import { columnSql, qualifiedColumn, type SqlScope } from '../joins/scope'
import { composeEmbeddedValue, leafColumns } from '../mapping/embedded-columns'
import { createKeyReader, type ReadKey } from '../mapping/keys'
import type { ColumnMapping } from '../mapping/mapping'
import type { RawRow } from '../mapping/raw-row'
import { join, rawSql, type Sql, sqlTag } from '../sql/sql'
import { type LoadedRow, NO_INCLUDED_ROWS } from './loaded-row'
import { type AddSelectColumn, createStateReader } from './select-state'

/** The columns that a layer needs of its rows, and how to read them. */
export interface SelectedColumns {
  readonly sql: Sql
  /** The number of columns; further columns of the statement come after them. */
  readonly count: number
  readRow(rawRow: RawRow): LoadedRow | undefined
}

/** The select of a layer, and how to read its rows. */
export interface LayerSelect {
  readonly sql: Sql
  /** The alias of the table of the rows. */
  readonly alias: string
  readonly columns: SelectedColumns
}

export interface IncludedSelect extends LayerSelect {
  /** Reads the key of the parent that a row belongs to. */
  readonly readParentKey: ReadKey
}

/** For each stored type that the rows may have its own shown attributes; keys of relationships that are followed from here. */
export function selectLayerColumns(layer: PlanLayer, projection: Projection, scope: SqlScope): SelectedColumns {
  const places = new Map<string, number>()
  const select: AddSelectColumn = (from, column, as) => {
    const found = typeof column === 'string' ? qualifiedColumn(from, column) : columnSql(from, column)
    const { text } = selectedAs(found, as)
    const place = places.get(text) ?? places.size
    places.set(text, place)
    return place
  }
  const { key: keyColumns, toId } = scope.mapping.tableOf(layer.type)
  const readType = createTypeReader(scope, select)
  const readKey = createKeyReader(
    keyColumns,
    keyColumns.map(({ column, selectAs }) => select(scope, column, selectAs)),
  )
  const readers = new Map(
    layer.type.concreteTypes.map((type) => [type, createFieldReader(type, layer, projection, scope, select)]),
  )

  return {
    count: places.size,
    sql: join(
      [...places].map(([text, place]) => rawSql(`${text} as c${place}`)),
      ', ',
    ),
    readRow(rawRow) {
      const type = readType(rawRow)
      const reader = type && readers.get(type)
      const key = readKey(rawRow)
      if (type === undefined || reader === undefined || key === undefined) return undefined
      return {
        type,
        id: toId(key),
        key,
        values: reader.readValues(rawRow),
        foreignKeys: reader.readKeys(rawRow),
        linked: reader.readLinked(rawRow),
        state: reader.readState(rawRow),
        related: NO_INCLUDED_ROWS,
        position: undefined,
      }
    },
  }
}

/** Returns the reader of the stored type of a row. */
function createTypeReader(scope: SqlScope, select: AddSelectColumn): (rawRow: RawRow) => StoredType | undefined {
  const { discriminator } = scope.mapping.tableOf(scope.type)
  if (discriminator !== undefined) {
    const place = select(scope, discriminator.column, 'plain')
    return (rawRow) => discriminator.typeOf(rawRow[place])
  }
  const [only] = scope.type.concreteTypes
  return () => only
}

/** Reads the fields of rows of one type. */
interface FieldReader {
  readonly readValues: (rawRow: RawRow) => LoadedRow['values']
  readonly readKeys: (rawRow: RawRow) => LoadedRow['foreignKeys']
  readonly readLinked: (rawRow: RawRow) => LoadedRow['linked']
  readonly readState: (rawRow: RawRow) => LoadedRow['state']
}

function createFieldReader(
  type: StoredType,
  layer: PlanLayer,
  projection: Projection,
  scope: SqlScope,
  select: AddSelectColumn,
): FieldReader {
  const { fetched, values, linked } = projection.of(type)
  const columns = fetched.map((attribute) => createValueReader(attribute, values, scope, select))
  return {
    readValues: (rawRow) => columns.map((read) => read(rawRow)),
    readKeys: createForeignKeysReader(type, layer, scope, select),
    readLinked: createLinkageReader(linked, scope, select),
    readState: layer.states === 'notRead' ? () => undefined : createStateReader(type, scope, select),
  }
}

function createForeignKeysReader(
  type: StoredType,
  { includes }: PlanLayer,
  scope: SqlScope,
  select: AddSelectColumn,
): FieldReader['readKeys'] {
  const { mapping } = scope
  const readers = includes.map(({ relationship }): ReadKey => {
    const link = mapping.relationOf(relationship)
    if (link.kind !== 'owning' || !hasField(type, relationship)) return () => undefined
    const { key } = mapping.tableOf(relationship.target)
    const places = link.columns.map(({ column }, index) => select(scope, column, key[index]?.selectAs ?? 'plain'))
    return createKeyReader(key, places)
  })
  return readers.length === 0 ? () => NO_FOREIGN_KEYS : (rawRow) => readers.map((read) => read(rawRow))
}

const NO_FOREIGN_KEYS: LoadedRow['foreignKeys'] = []

/** Compiles the select list of a key, and the reader of the key in a row. `of`: the columns of the key itself; `place`: the number of columns before. */
export function keySelectListWithReader(
  columns: KeySql,
  of: readonly ColumnMapping[],
  { name, place }: { readonly name: string; readonly place: number },
): { readonly sql: Sql; readonly readKey: ReadKey } {
  const selected = columns.map((column, index) => {
    return sqlTag`${selectedAs(column, of[index]?.selectAs ?? 'plain')} as ${rawSql(index === 0 ? name : `${name}${index}`)}`
  })
  const places = columns.map((_, index) => place + index)
  return { sql: join(selected, ', '), readKey: createKeyReader(of, places) }
}

/** Reads the id and stored type at the other end of to-one relationships by a join, without a read of its own. */
function createLinkageReader(
  steps: readonly RelationshipStep[],
  scope: SqlScope,
  select: AddSelectColumn,
): FieldReader['readLinked'] {
  const ends = steps.map((step) => {
    const right = joinSteps(scope, [step], compileFilter)
    const { key: columns, toId } = right.mapping.tableOf(right.type)
    const readType = createTypeReader(right, select)
    const places = columns.map(({ column, selectAs }) => select(right, column, selectAs))
    const readKey = createKeyReader(columns, places)
    return (rawRow: RawRow): readonly [Relationship, StoredTypeAndId | null] => {
      const key = readKey(rawRow)
      const type = key && readType(rawRow)
      return [step.relationship, key === undefined || type === undefined ? null : { type, id: toId(key) }]
    }
  })
  return ends.length === 0 ? () => NO_LINKAGE : (rawRow) => new Map(ends.map((read) => read(rawRow)))
}

const NO_LINKAGE: LoadedRow['linked'] = new Map()

function createValueReader(
  attribute: Attribute,
  as: TypeProjection['values'],
  scope: SqlScope,
  select: AddSelectColumn,
): (rawRow: RawRow) => unknown {
  const mapping = scope.mapping.columnOf(attribute)
  const readers = leafColumns(mapping).map((column) => {
    const place = select(scope, column, column.selectAs)
    const convert = as === 'serialized' ? column.toSerialized : column.fromDatabase
    return (rawRow: RawRow) => convert(rawRow[place])
  })
  const [only] = readers
  if (mapping.embeddedColumns === undefined && only !== undefined) return only
  return (rawRow) =>
    composeEmbeddedValue(
      mapping,
      readers.map((read) => read(rawRow)),
    )
}

/** Selected as text if the driver would lose digits. */
function selectedAs(column: Sql, as: ColumnMapping['selectAs']): Sql {
  return as === 'plain' ? column : sqlTag`cast(${column} as text)`
}
