import type { DataSource, EntityMetadata, ObjectLiteral } from 'typeorm'

// With a table for each concrete type, the keys of a hierarchy come from one counter: a sequence, or on SQLite a function. They count as
// the key of a single table does.

const PLACE = /keys_of_\w+/

/** The default of the key column. */
export function nextKeyOf(hierarchy: string, driver: string): () => string {
  return nextOf(`keys_of_${hierarchy.toLowerCase()}`, driver)
}

function nextOf(place: string, driver: string): () => string {
  if (driver === 'postgres') return () => `nextval('${place}')`
  if (driver === 'mariadb') return () => `nextval(${place})`
  return () => `next_key('${place}')`
}

/** The methods of a better-sqlite3 connection that this uses. */
interface Connection {
  pragma(statement: string): unknown
  function(name: string, work: (place: string, key: number) => number): unknown
}

/** For TypeORM's option `prepareDatabase`. The counter belongs to the connection, since only one connection writes a file. */
export function countKeys(connection: Connection): void {
  const counts = new Map<string, number>()
  const last = (place: string) => counts.get(place) ?? 0
  connection.pragma('trusted_schema = on')
  connection.function('next_key', (place) => {
    counts.set(place, last(place) + 1)
    return last(place)
  })
  connection.function('saw_key', (place, key) => {
    counts.set(place, Math.max(last(place), key))
    return last(place)
  })
}

export function hasSharedKeys({ entityMetadatas }: DataSource): boolean {
  return entityMetadatas.some((each) => placeOf(each) !== undefined)
}

/** Statements before the tables are created. */
export async function makeSequences(dataSource: DataSource): Promise<void> {
  if (dataSource.options.type === 'better-sqlite3') return
  const places = new Set(dataSource.entityMetadatas.flatMap((each) => placeOf(each) ?? []))
  for (const place of places) await dataSource.query(`create sequence ${place}`)
}

/** Statements after the tables are created. The next key is above all others, as with SQLite's own counters. */
export async function watchKeys(dataSource: DataSource): Promise<void> {
  if (dataSource.options.type !== 'better-sqlite3') return
  for (const metadata of dataSource.entityMetadatas.filter(({ synchronize }) => synchronize)) {
    const place = placeOf(metadata)
    const key = metadata.primaryColumns[0]?.databaseName
    if (place === undefined) continue
    const { tableName } = metadata
    const saw = `select saw_key('${place}', new."${key}")`
    await dataSource.query(`create trigger "keys of ${tableName}" after insert on "${tableName}" begin ${saw}; end`)
  }
}

function placeOf({ primaryColumns }: EntityMetadata): string | undefined {
  const [text] = primaryColumns.flatMap((each) => (typeof each.default === 'function' ? [String(each.default())] : []))
  return text === undefined ? undefined : PLACE.exec(text)?.[0]
}

/** Generates keys for rows without one. The counter continues after given keys. */
export async function drawKeys(
  dataSource: DataSource,
  metadata: EntityMetadata,
  rows: readonly ObjectLiteral[],
): Promise<readonly ObjectLiteral[]> {
  const place = placeOf(metadata)
  const column = metadata.primaryColumns[0]
  if (place === undefined || column === undefined) return rows
  const given = rows.map((row) => Number(column.getEntityValue(row) ?? 0))
  if (Math.max(...given) > 0) await pass(dataSource, place, Math.max(...given))
  const keyed: ObjectLiteral[] = []
  for (const [index, row] of rows.entries()) {
    const draw = async () => await dataSource.query(`select ${nextOf(place, dataSource.options.type)()} as drawn`)
    keyed.push(given[index] ? row : { ...row, [column.propertyName]: Number((await draw())[0].drawn) })
  }
  return keyed
}

/** SQLite sees stored keys by itself, and MariaDB never counts back. */
async function pass(dataSource: DataSource, place: string, key: number): Promise<void> {
  const { type } = dataSource.options
  if (type === 'mariadb') await dataSource.query(`select setval(${place}, ${key})`)
  if (type === 'postgres')
    await dataSource.query(`select setval('${place}', ${key}) from ${place} where last_value <= ${key}`)
}
