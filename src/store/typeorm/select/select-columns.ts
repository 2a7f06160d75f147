import { InvariantError } from '../../../errors/invariant'
import { hasField } from '../../../graph/model/inheritance'
import type { ResourceType, StoredType } from '../../../graph/model/resource-graph'
import type { Layer, Projection, TypeProjection } from '../../../plan/read-plan'
import type { KeySql } from '../joins/key-conditions'
import { columnSql, qualifiedColumn, type SqlScope } from '../joins/scope'
import { composeEmbedded, leafColumns } from '../mapping/embedded-columns'
import { createKeyReader, type ReadKey } from '../mapping/keys'
import type { ColumnMapping } from '../mapping/mapping'
import type { RawRow } from '../mapping/raw-row'
import { identifier, join, type Sql, toSql } from '../sql/sql'
import { type LoadedRow, NO_FOREIGN_KEYS, NOTHING_RELATED } from './loaded-row'
import { createLinkageReader, type SelectColumnFrom } from './select-linked'
import { createStateReader, type SelectColumn } from './select-state'

/** The columns that a layer needs of its rows, and how to read them. */
export interface SelectedColumns {
  readonly sql: Sql
  /** The number of columns; further columns of the statement come after them. */
  readonly count: number
  readRow(rawRow: RawRow): LoadedRow | undefined
}

/** For each stored type that the rows may have its own shown attributes; keys of relationships that are followed from here. */
export function selectColumns(layer: Layer, projection: Projection, scope: SqlScope): SelectedColumns {
  const places = new Map<string, number>()
  const selectFrom: SelectColumnFrom = (from, column, as) => {
    const { text } = selectedAs(
      typeof column === 'string' ? qualifiedColumn(from, column) : columnSql(from, column),
      as,
    )
    const place = places.get(text) ?? places.size
    places.set(text, place)
    return place
  }
  const select: SelectColumn = (column, as) => selectFrom(scope, column, as)
  const table = scope.mapping.tableOf(layer.type)
  const kind = table.discriminator && select(table.discriminator.column, 'plain')
  const keyPlaces = table.key.map(({ column, selectAs }) => select(column, selectAs))
  const readKey = createKeyReader(table.key, keyPlaces)
  const readers = new Map(
    layer.type.concreteTypes.map((type) => [type, createTypeReader(type, layer, projection, scope, selectFrom)]),
  )

  return {
    count: places.size,
    sql: join(
      [...places].map(([text, place]) => identifier(`${text} as c${place}`)),
      ', ',
    ),
    readRow(rawRow) {
      const type = kind === undefined ? onlyType(layer.type) : table.discriminator?.typeOf(rawRow[kind])
      const reader = type && readers.get(type)
      if (type === undefined || reader === undefined) return undefined
      const key = readKey(rawRow)
      if (key === undefined) return undefined
      return {
        type,
        id: table.toId(key),
        key,
        values: reader.readValues(rawRow),
        foreignKeys: reader.readKeys(rawRow),
        linked: reader.readLinked(rawRow),
        state: reader.readState(rawRow),
        related: NOTHING_RELATED,
        position: undefined,
      }
    },
  }
}

/** Reads rows of one type. */
interface TypeReader {
  readonly readValues: (rawRow: RawRow) => LoadedRow['values']
  readonly readKeys: (rawRow: RawRow) => LoadedRow['foreignKeys']
  readonly readLinked: (rawRow: RawRow) => LoadedRow['linked']
  readonly readState: (rawRow: RawRow) => LoadedRow['state']
}

function createTypeReader(
  type: StoredType,
  layer: Layer,
  projection: Projection,
  scope: SqlScope,
  selectFrom: SelectColumnFrom,
): TypeReader {
  const select: SelectColumn = (column, as) => selectFrom(scope, column, as)
  const { fetched, values } = projection.of(type)
  const columns = fetched.map((attribute) => createValueReader(scope.mapping.columnOf(attribute), values, select))
  return {
    readValues: (rawRow) => columns.map((read) => read(rawRow)),
    readKeys: createForeignKeysReader(type, layer, scope, select),
    readLinked: createLinkageReader(projection.of(type).linked, scope, selectFrom),
    readState: layer.states === 'notRead' ? () => undefined : createStateReader(type, scope.mapping, select),
  }
}

function createForeignKeysReader(
  type: StoredType,
  { includes }: Layer,
  { mapping }: SqlScope,
  select: SelectColumn,
): TypeReader['readKeys'] {
  const readers = includes.map(({ relationship }): ReadKey => {
    const link = mapping.relationOf(relationship)
    if (link.kind !== 'owning' || !hasField(type, relationship)) return () => undefined
    const { key } = mapping.tableOf(relationship.target)
    const places = link.columns.map(({ column }, index) => select(column, key[index]?.selectAs ?? 'plain'))
    return createKeyReader(key, places)
  })
  return readers.length === 0 ? () => NO_FOREIGN_KEYS : (rawRow) => readers.map((read) => read(rawRow))
}

/** Selects the columns of a key and reads it from a row. `of`: the columns of the key itself; `place`: the number of columns before. */
export function selectKey(
  columns: KeySql,
  of: readonly ColumnMapping[],
  { name, place }: { readonly name: string; readonly place: number },
): { readonly sql: Sql; readonly readKey: ReadKey } {
  const selected = columns.map((column, index) => {
    return toSql`${selectedAs(column, of[index]?.selectAs ?? 'plain')} as ${identifier(index === 0 ? name : `${name}${index}`)}`
  })
  const places = columns.map((_, index) => place + index)
  return { sql: join(selected, ', '), readKey: createKeyReader(of, places) }
}

function createValueReader(
  mapping: ColumnMapping,
  as: TypeProjection['values'],
  select: SelectColumn,
): (rawRow: RawRow) => unknown {
  const readers = leafColumns(mapping).map((column) => {
    const place = select(column, column.selectAs)
    const convert = as === 'serialized' ? column.toSerialized : column.fromDatabase
    return (rawRow: RawRow) => convert(rawRow[place])
  })
  const [only] = readers
  if (mapping.embeddedColumns === undefined && only !== undefined) return only
  return (rawRow) => {
    const values = readers.map((read) => read(rawRow))
    return composeEmbedded(mapping, values)
  }
}

/** Selected as text if the driver would lose digits. */
function selectedAs(column: Sql, as: ColumnMapping['selectAs']): Sql {
  return as === 'plain' ? column : toSql`cast(${column} as text)`
}

function onlyType(type: ResourceType): StoredType {
  const [only] = type.concreteTypes
  if (only === undefined) throw new InvariantError(`No row can be stored as ${type.name}.`)
  return only
}
