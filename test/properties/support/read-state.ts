import type { DataSource, EntityMetadata } from 'typeorm'
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata'
import { encodeRuntimeKeyToId } from '../../../src/graph/model/record-id'
import type { ResourceType, StoredType } from '../../../src/graph/model/resource-graph'
import { tablesOfRow } from '../../../src/store/typeorm/metadata/inheritance-strategy'
import { quoted } from '../../support/row-tables'
import { comparedAttributes, metadataOf, relationOf, type Tables } from './ends'
import { keyOf, type ModelRow, type ModelState } from './model'

type TableRow = Readonly<Record<string, unknown>>

/** Reads the rows of all tables without the library. */
export async function readState(
  dataSource: DataSource,
  types: readonly StoredType[],
  ends: Tables,
): Promise<ModelState> {
  const select = memoized((table) => dataSource.query<TableRow[]>(`select * from ${quoted(dataSource, table)}`))
  const state = new Map<string, ModelRow>()
  for (const type of types) {
    const parts = tablesOfRow(metadataOf(dataSource, type))
    const { primaryColumns } = metadataOf(dataSource, type)
    const others = await Promise.all(parts.slice(1).map(select))
    for (const first of await select(parts[0] ?? metadataOf(dataSource, type))) {
      if (!isOfType(first, type, dataSource)) continue
      const id = readId(first, type, primaryColumns) ?? ''
      const isSame = (each: TableRow) => readId(each, type, primaryColumns) === id
      const found: TableRow = Object.assign({}, first, ...others.map((part) => part.find(isSame)))
      const links: Record<string, readonly string[]> = {}
      for (const owner of ends.owners.filter((each) => type.relationships.includes(each))) {
        const relation = relationOf(dataSource, owner)
        const { joinColumns, inverseJoinColumns, junctionEntityMetadata } = relation
        const junctionRows = junctionEntityMetadata && (await select(junctionEntityMetadata))
        const relatedIds =
          junctionRows === undefined
            ? [readId(found, owner.target, joinColumns)]
            : junctionRows
                .filter((pair) => readId(pair, type, joinColumns) === id)
                .map((pair) => readId(pair, owner.target, inverseJoinColumns))
        links[owner.name] = relatedIds.filter((each) => each !== undefined).map((each) => keyOf(owner.target, each))
      }
      const values = comparedAttributes(type).map(({ name, property }) => [name, found[property]])
      state.set(keyOf(type, id), { type, id, values: Object.fromEntries(values), links })
    }
  }
  return state
}

/** Reads an id from key columns or foreign key columns. */
function readId(found: TableRow, { id, key }: ResourceType, columns: readonly ColumnMetadata[]): string | undefined {
  const parts = key.map((property) => {
    const column = columns.find((each) => (each.referencedColumn ?? each).propertyName === property)
    return found[column?.databaseName ?? '']
  })
  if (parts.includes(null)) return undefined
  return id.constraints.parts === undefined ? String(parts[0]) : encodeRuntimeKeyToId(parts, id.constraints)
}

function isOfType(found: TableRow, type: StoredType, dataSource: DataSource): boolean {
  const { discriminatorValue } = metadataOf(dataSource, type)
  const [{ discriminatorColumn, deleteDateColumn } = metadataOf(dataSource, type)] = tablesOfRow(
    metadataOf(dataSource, type),
  )
  if (discriminatorColumn && found[discriminatorColumn.databaseName] !== discriminatorValue) return false
  return !deleteDateColumn || found[deleteDateColumn.databaseName] === null
}

/** Prints a line for each row. Equal states have equal lines. */
export function printState(state: ModelState): readonly string[] {
  return [...state.entries()].map(([key, row]) => printRow(key, row)).sort()
}

const printed = new WeakMap<ModelRow, string>()

function printRow(key: string, row: ModelRow): string {
  const cached = printed.get(row)
  if (cached !== undefined) return cached
  const values = Object.entries(row.values)
    .sort()
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  const links = Object.entries(row.links)
    .filter(([, keys]) => keys.length > 0)
    .sort()
  const text = [key, row.type.name, ...values, ...links.map(([name, keys]) => `${name}=[${[...keys].sort()}]`)].join(
    ' ',
  )
  printed.set(row, text)
  return text
}

function memoized<Value>(load: (table: EntityMetadata) => Promise<Value>): (table: EntityMetadata) => Promise<Value> {
  const known = new Map<EntityMetadata, Promise<Value>>()
  return (table) => {
    const value = known.get(table) ?? load(table)
    known.set(table, value)
    return value
  }
}
