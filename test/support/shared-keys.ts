import type { DataSource, EntityMetadata, ObjectLiteral } from 'typeorm'

// With a table for each concrete type, one counter generates the keys of a hierarchy, so that keys are the same as with a single table. The
// counter is a sequence, or a function on SQLite.

const SEQUENCE_NAME = /keys_of_\w+/

/** Returns the default of the key column, as SQL. */
export function nextKeyOf(hierarchy: string, driver: string): () => string {
  return nextValueOf(`keys_of_${hierarchy.toLowerCase()}`, driver)
}

function nextValueOf(sequence: string, driver: string): () => string {
  if (driver === 'postgres') return () => `nextval('${sequence}')`
  if (driver === 'mariadb') return () => `nextval(${sequence})`
  return () => `next_key('${sequence}')`
}

/** The methods of a better-sqlite3 connection that this uses. */
interface Connection {
  pragma(statement: string): unknown
  function(name: string, work: (sequence: string, key: number) => number): unknown
}

/** For TypeORM's option `prepareDatabase`. The counter belongs to the connection, since only one connection writes a file. */
export function registerKeyFunctions(connection: Connection): void {
  const counts = new Map<string, number>()
  const last = (sequence: string) => counts.get(sequence) ?? 0
  connection.pragma('trusted_schema = on')
  connection.function('next_key', (sequence) => {
    counts.set(sequence, last(sequence) + 1)
    return last(sequence)
  })
  connection.function('saw_key', (sequence, key) => {
    counts.set(sequence, Math.max(last(sequence), key))
    return last(sequence)
  })
}

export function hasSharedKeys({ entityMetadatas }: DataSource): boolean {
  return entityMetadatas.some((each) => sequenceOf(each) !== undefined)
}

/** Statements before the tables are created. */
export async function createSequences(dataSource: DataSource): Promise<void> {
  if (dataSource.options.type === 'better-sqlite3') return
  const sequences = new Set(dataSource.entityMetadatas.flatMap((each) => sequenceOf(each) ?? []))
  for (const sequence of sequences) await dataSource.query(`create sequence ${sequence}`)
}

/** Statements after the tables are created. The next key is above all others, as with SQLite's own counters. */
export async function createKeyTriggers(dataSource: DataSource): Promise<void> {
  if (dataSource.options.type !== 'better-sqlite3') return
  for (const metadata of dataSource.entityMetadatas.filter(({ synchronize }) => synchronize)) {
    const sequence = sequenceOf(metadata)
    const key = metadata.primaryColumns[0]?.databaseName
    if (sequence === undefined) continue
    const { tableName } = metadata
    const saw = `select saw_key('${sequence}', new."${key}")`
    await dataSource.query(`create trigger "keys of ${tableName}" after insert on "${tableName}" begin ${saw}; end`)
  }
}

function sequenceOf({ primaryColumns }: EntityMetadata): string | undefined {
  const [text] = primaryColumns.flatMap((each) => (typeof each.default === 'function' ? [String(each.default())] : []))
  return text === undefined ? undefined : SEQUENCE_NAME.exec(text)?.[0]
}

/** Generates keys for rows without one. The counter continues after the largest explicit key. */
export async function generateKeys(
  dataSource: DataSource,
  metadata: EntityMetadata,
  rows: readonly ObjectLiteral[],
): Promise<readonly ObjectLiteral[]> {
  const sequence = sequenceOf(metadata)
  const column = metadata.primaryColumns[0]
  if (sequence === undefined || column === undefined) return rows
  const explicitKeys = rows.map((row) => Number(column.getEntityValue(row) ?? 0))
  if (Math.max(...explicitKeys) > 0) await advanceSequence(dataSource, sequence, Math.max(...explicitKeys))
  const keyed: ObjectLiteral[] = []
  for (const [index, row] of rows.entries()) {
    const generateKey = async () =>
      await dataSource.query(`select ${nextValueOf(sequence, dataSource.options.type)()} as drawn`)
    keyed.push(explicitKeys[index] ? row : { ...row, [column.propertyName]: Number((await generateKey())[0].drawn) })
  }
  return keyed
}

/** Sets the sequence to at least `key`. SQLite uses a trigger instead, and MariaDB never decreases a sequence. */
async function advanceSequence(dataSource: DataSource, sequence: string, key: number): Promise<void> {
  const { type } = dataSource.options
  if (type === 'mariadb') await dataSource.query(`select setval(${sequence}, ${key})`)
  if (type === 'postgres')
    await dataSource.query(`select setval('${sequence}', ${key}) from ${sequence} where last_value <= ${key}`)
}
