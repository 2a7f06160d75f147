import type { DataSource } from 'typeorm'
import type { Cells } from './cells'
import type { RunStatement } from './run-statement'
import { isSomebodyTold } from './somebody-told'
import type { Statement } from './sql'
import { findReaders, type Readers } from './sqlite-readers'
import { iterateOn, SQLITE_STATEMENTS } from './sqlite-statements'
import { originalQuery } from './watch-statements'

/** Gives the rows of a statement in windows, as they are asked for: all of them as they were at one moment. */
export type StreamRows = (statement: Statement) => AsyncIterable<readonly Cells[]>

/**
 * `undefined`: this database gives all rows at once, as it does where TypeORM is to tell somebody of statements. Until its last row is asked for, or nobody
 * asks any more, a statement keeps a connection to itself.
 */
export async function findStream(dataSource: DataSource, run: RunStatement): Promise<StreamRows | undefined> {
  if (isSomebodyTold(dataSource)) return undefined
  switch (dataSource.options.type) {
    case 'better-sqlite3': {
      const isOfDriver = originalQuery(dataSource.createQueryRunner()) === SQLITE_STATEMENTS.query
      const readers = isOfDriver ? await findReaders(dataSource) : undefined
      return readers && ((statement) => iterate(readers, statement))
    }
    case 'postgres':
      return (statement) => fetchFromCursor(dataSource, run, statement)
    default:
      return undefined
  }
}

async function* iterate(readers: Readers, statement: Statement): AsyncGenerator<readonly Cells[]> {
  const reader = await readers.open()
  try {
    let window: Cells[] = []
    for (const cells of iterateOn(reader.queryRunner, statement)) {
      window.push(cells)
      if (window.length < WINDOW) continue
      yield window
      window = []
    }
    yield window
  } finally {
    await reader.close()
  }
}

/** A cursor lives as long as its transaction. */
async function* fetchFromCursor(
  dataSource: DataSource,
  run: RunStatement,
  { text, values }: Statement,
): AsyncGenerator<readonly Cells[]> {
  const queryRunner = dataSource.createQueryRunner(dataSource.defaultReplicationModeForReads())
  try {
    await queryRunner.startTransaction()
    await run(queryRunner, { text: `declare stemma_rows no scroll cursor for ${text}`, values })
    const fetch = { text: `fetch ${WINDOW} from stemma_rows`, values: [] }
    let isOver = false
    while (!isOver) {
      const { records } = await run(queryRunner, fetch)
      yield records
      isOver = records.length < WINDOW
    }
    await queryRunner.commitTransaction()
  } finally {
    if (queryRunner.isTransactionActive) await queryRunner.rollbackTransaction().catch(() => undefined)
    await queryRunner.release()
  }
}

/** Rows that are in memory at once. 500 are no faster, and leave twice as much behind. */
const WINDOW = 100
