import type { DataSource } from 'typeorm'
import type { StoredType } from '../../../src/graph/resource-graph'
import { comparedAttributes, type Ends, metadataOf, relationOf } from './ends'
import { keyOf, type ModelRow, type ModelState } from './model'

type Found = Readonly<Record<string, unknown>>

/** What the tables hold, read past the library. */
export async function readState(dataSource: DataSource, types: readonly StoredType[], ends: Ends): Promise<ModelState> {
  const select = memoized((table: string) => dataSource.query<Found[]>(`select * from ${quoted(dataSource, table)}`))
  const state = new Map<string, ModelRow>()
  for (const type of types) {
    for (const found of await select(metadataOf(dataSource, type).tablePath)) {
      if (!isOfType(found, type, dataSource)) continue
      const id = String(found.id)
      const links: Record<string, readonly string[]> = {}
      for (const owner of ends.owners.filter((each) => type.relationships.includes(each))) {
        const { joinColumns, junctionEntityMetadata } = relationOf(dataSource, owner)
        const pairs = junctionEntityMetadata && (await select(junctionEntityMetadata.tablePath))
        const [left, right] = junctionEntityMetadata?.columns ?? []
        const rights =
          pairs === undefined
            ? [found[joinColumns[0]?.databaseName ?? '']]
            : pairs
                .filter((pair) => String(pair[left?.databaseName ?? '']) === id)
                .map((pair) => pair[right?.databaseName ?? ''])
        links[owner.name] = rights.filter((each) => each !== null).map((each) => keyOf(owner.target, String(each)))
      }
      const values = comparedAttributes(type).map(({ name, property }) => [name, found[property]])
      state.set(keyOf(type, id), { type, id, values: Object.fromEntries(values), links })
    }
  }
  return state
}

function isOfType(found: Found, type: StoredType, dataSource: DataSource): boolean {
  const { discriminatorColumn, discriminatorValue, deleteDateColumn } = metadataOf(dataSource, type)
  if (discriminatorColumn && found[discriminatorColumn.databaseName] !== discriminatorValue) return false
  return !deleteDateColumn || found[deleteDateColumn.databaseName] === null
}

/** A line for each row: the same for states that are the same. */
export function printState(state: ModelState): readonly string[] {
  return [...state.entries()].map(([key, row]) => printRow(key, row)).sort()
}

const printed = new WeakMap<ModelRow, string>()

function printRow(key: string, row: ModelRow): string {
  const known = printed.get(row)
  if (known !== undefined) return known
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

function quoted(dataSource: DataSource, tablePath: string): string {
  return tablePath
    .split('.')
    .map((name) => dataSource.driver.escape(name))
    .join('.')
}

function memoized<Value>(load: (name: string) => Promise<Value>): (name: string) => Promise<Value> {
  const known = new Map<string, Promise<Value>>()
  return (name) => {
    const value = known.get(name) ?? load(name)
    known.set(name, value)
    return value
  }
}
