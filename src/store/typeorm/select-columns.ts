import { InvariantError } from '../../errors/invariant'
import { hasField } from '../../graph/inheritance'
import type { ResourceType, StoredType } from '../../graph/resource-graph'
import type { Layer, ShownFields, ShownResource } from '../../plan/read-plan'
import { assemble, columnsBehind } from './column-parts'
import type { KeySql } from './key-sql'
import { keyReader, type ReadKey } from './keys'
import { type LoadedRow, NO_KEYS, NO_TOTALS, NOTHING_RELATED } from './loaded-row'
import type { ColumnMapping } from './mapping'
import { columnIn, qualified, type Scope } from './scope'
import { linkedReaderOf, type SelectFrom } from './select-linked'
import { type Select, stateReaderOf } from './select-state'
import { identifier, join, type Sql, toSql } from './sql'

/** The columns that a layer needs of its rows, and how to read them. */
export interface SelectedColumns {
  readonly sql: Sql
  readRow(record: RawRow): LoadedRow | undefined
}

/** For each stored type that the rows may have its own shown attributes; keys of relationships that are followed from here. */
export function selectColumns(layer: Layer, shown: ShownFields, scope: Scope): SelectedColumns {
  const aliases = new Map<string, string>()
  const selectFrom: SelectFrom = (from, column, as) => {
    const place = typeof column === 'string' ? qualified(from, column) : columnIn(from, column)
    const sql = selectedAs(place, as).text
    const alias = aliases.get(sql) ?? `c${aliases.size}`
    aliases.set(sql, alias)
    return alias
  }
  const select: Select = (column, as) => selectFrom(scope, column, as)
  const table = scope.mapping.tableOf(layer.type)
  const kind = table.discriminator && select(table.discriminator.column, 'plain')
  const names = table.key.map(({ column, selectAs }) => select(column, selectAs))
  const readKey = keyReader(table.key, names)
  const readers = new Map(
    layer.type.concreteTypes.map((type) => [type, readerOf(type, layer, shown, scope, selectFrom)]),
  )

  return {
    sql: join(
      [...aliases].map(([sql, alias]) => identifier(`${sql} as ${alias}`)),
      ', ',
    ),
    readRow(record) {
      const type = kind === undefined ? onlyType(layer.type) : table.discriminator?.typeOf(record[kind])
      const reader = type && readers.get(type)
      if (type === undefined || reader === undefined) return undefined
      const key = readKey(record)
      if (key === undefined) return undefined
      return {
        type,
        id: table.toId(key),
        key,
        values: reader.readValues(record),
        keys: reader.readKeys(record),
        linked: reader.readLinked(record),
        state: reader.readState(record),
        related: NOTHING_RELATED,
        totals: NO_TOTALS,
        position: undefined,
      }
    },
  }
}

type RawRow = Record<string, unknown>

/** How rows of one type are read. */
interface Reader {
  readonly readValues: (record: RawRow) => LoadedRow['values']
  readonly readKeys: (record: RawRow) => LoadedRow['keys']
  readonly readLinked: (record: RawRow) => LoadedRow['linked']
  readonly readState: (record: RawRow) => LoadedRow['state']
}

function readerOf(type: StoredType, layer: Layer, shown: ShownFields, scope: Scope, selectFrom: SelectFrom): Reader {
  const select: Select = (column, as) => selectFrom(scope, column, as)
  const { fetched, values } = shown.of(type)
  const columns = fetched.map((attribute) => valueReader(scope.mapping.columnOf(type, attribute), values, select))
  return {
    readValues: (record) => columns.map((read) => read(record)),
    readKeys: keysReaderOf(type, layer, scope, select),
    readLinked: linkedReaderOf(shown.of(type).linked, scope, selectFrom),
    readState: layer.states === 'notRead' ? () => undefined : stateReaderOf(type, scope.mapping, select),
  }
}

function keysReaderOf(type: StoredType, { includes }: Layer, { mapping }: Scope, select: Select): Reader['readKeys'] {
  const readers = includes.map(({ relationship }): ReadKey => {
    const link = mapping.relationOf(relationship)
    if (link.kind !== 'keyOnLeft' || !hasField(type, relationship)) return () => undefined
    const { key } = mapping.tableOf(relationship.target)
    const names = link.columns.map(({ column }, place) => select(column, key[place]?.selectAs ?? 'plain'))
    return keyReader(key, names)
  })
  return readers.length === 0 ? () => NO_KEYS : (record) => readers.map((read) => read(record))
}

/** Columns that hold a key, and how a record tells it. `of`: those of the key itself. */
export function selectKey(
  columns: KeySql,
  of: readonly ColumnMapping[],
  name: string,
): { readonly sql: Sql; readonly readKey: ReadKey } {
  const named = columns.map((column, place) => {
    return { sql: selectedAs(column, of[place]?.selectAs ?? 'plain'), name: place === 0 ? name : `${name}${place}` }
  })
  return {
    sql: join(
      named.map((each) => toSql`${each.sql} as ${identifier(each.name)}`),
      ', ',
    ),
    readKey: keyReader(
      of,
      named.map((each) => each.name),
    ),
  }
}

function valueReader(mapping: ColumnMapping, as: ShownResource['values'], select: Select): (record: RawRow) => unknown {
  const readers = columnsBehind(mapping).map((column) => {
    const alias = select(column, column.selectAs)
    const convert = as === 'written' ? column.toWritten : column.fromDatabase
    return (record: RawRow) => convert(record[alias])
  })
  const [only] = readers
  if (mapping.parts === undefined && only !== undefined) return only
  return (record) => {
    const values = readers.map((read) => read(record))
    return assemble(mapping, values)
  }
}

/** As text where the driver would lose digits. */
function selectedAs(column: Sql, as: ColumnMapping['selectAs']): Sql {
  return as === 'plain' ? column : toSql`cast(${column} as text)`
}

function onlyType(type: ResourceType): StoredType {
  const [only] = type.concreteTypes
  if (only === undefined) throw new InvariantError(`Nothing can be stored as ${type.name}.`)
  return only
}
