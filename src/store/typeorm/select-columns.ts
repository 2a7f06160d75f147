import { InvariantError } from '../../errors/invariant'
import { hasField } from '../../graph/inheritance'
import type { ResourceType, StoredType } from '../../graph/resource-graph'
import type { Layer, ShownFields, ShownResource } from '../../plan/read-plan'
import type { Cells } from './cells'
import { assemble, columnsBehind } from './column-parts'
import type { KeySql } from './key-sql'
import { keyReader, type ReadKey } from './keys'
import { type LoadedRow, NO_KEYS, NOTHING_RELATED } from './loaded-row'
import type { ColumnMapping } from './mapping'
import { columnIn, qualified, type Scope } from './scope'
import { linkedReaderOf, type SelectFrom } from './select-linked'
import { type Select, stateReaderOf } from './select-state'
import { identifier, join, type Sql, toSql } from './sql'

/** The columns that a layer needs of its rows, and how to read them. */
export interface SelectedColumns {
  readonly sql: Sql
  /** How many there are: others of the statement come behind them. */
  readonly count: number
  readRow(cells: Cells): LoadedRow | undefined
}

/** For each stored type that the rows may have its own shown attributes; keys of relationships that are followed from here. */
export function selectColumns(layer: Layer, shown: ShownFields, scope: Scope): SelectedColumns {
  const places = new Map<string, number>()
  const selectFrom: SelectFrom = (from, column, as) => {
    const { text } = selectedAs(typeof column === 'string' ? qualified(from, column) : columnIn(from, column), as)
    const place = places.get(text) ?? places.size
    places.set(text, place)
    return place
  }
  const select: Select = (column, as) => selectFrom(scope, column, as)
  const table = scope.mapping.tableOf(layer.type)
  const kind = table.discriminator && select(table.discriminator.column, 'plain')
  const keyPlaces = table.key.map(({ column, selectAs }) => select(column, selectAs))
  const readKey = keyReader(table.key, keyPlaces)
  const readers = new Map(
    layer.type.concreteTypes.map((type) => [type, readerOf(type, layer, shown, scope, selectFrom)]),
  )

  return {
    count: places.size,
    sql: join(
      [...places].map(([text, place]) => identifier(`${text} as c${place}`)),
      ', ',
    ),
    readRow(cells) {
      const type = kind === undefined ? onlyType(layer.type) : table.discriminator?.typeOf(cells[kind])
      const reader = type && readers.get(type)
      if (type === undefined || reader === undefined) return undefined
      const key = readKey(cells)
      if (key === undefined) return undefined
      return {
        type,
        id: table.toId(key),
        key,
        values: reader.readValues(cells),
        keys: reader.readKeys(cells),
        linked: reader.readLinked(cells),
        state: reader.readState(cells),
        related: NOTHING_RELATED,
        position: undefined,
      }
    },
  }
}

/** How rows of one type are read. */
interface Reader {
  readonly readValues: (cells: Cells) => LoadedRow['values']
  readonly readKeys: (cells: Cells) => LoadedRow['keys']
  readonly readLinked: (cells: Cells) => LoadedRow['linked']
  readonly readState: (cells: Cells) => LoadedRow['state']
}

function readerOf(type: StoredType, layer: Layer, shown: ShownFields, scope: Scope, selectFrom: SelectFrom): Reader {
  const select: Select = (column, as) => selectFrom(scope, column, as)
  const { fetched, values } = shown.of(type)
  const columns = fetched.map((attribute) => valueReader(scope.mapping.columnOf(type, attribute), values, select))
  return {
    readValues: (cells) => columns.map((read) => read(cells)),
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
    const places = link.columns.map(({ column }, index) => select(column, key[index]?.selectAs ?? 'plain'))
    return keyReader(key, places)
  })
  return readers.length === 0 ? () => NO_KEYS : (cells) => readers.map((read) => read(cells))
}

/** Columns that hold a key, and how a row tells it. `of`: those of the key itself; `place`: how many columns come before. */
export function selectKey(
  columns: KeySql,
  of: readonly ColumnMapping[],
  { name, place }: { readonly name: string; readonly place: number },
): { readonly sql: Sql; readonly readKey: ReadKey } {
  const selected = columns.map((column, index) => {
    return toSql`${selectedAs(column, of[index]?.selectAs ?? 'plain')} as ${identifier(index === 0 ? name : `${name}${index}`)}`
  })
  const places = columns.map((_, index) => place + index)
  return { sql: join(selected, ', '), readKey: keyReader(of, places) }
}

function valueReader(mapping: ColumnMapping, as: ShownResource['values'], select: Select): (cells: Cells) => unknown {
  const readers = columnsBehind(mapping).map((column) => {
    const place = select(column, column.selectAs)
    const convert = as === 'written' ? column.toWritten : column.fromDatabase
    return (cells: Cells) => convert(cells[place])
  })
  const [only] = readers
  if (mapping.parts === undefined && only !== undefined) return only
  return (cells) => {
    const values = readers.map((read) => read(cells))
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
