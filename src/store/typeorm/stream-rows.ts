import type { DataSource, QueryRunner } from 'typeorm'
import type { Deadline } from '../../request/deadline'
import type { Cells } from './cells'
import { connectInTime, cut, giveUp } from './give-up'
import type { RunStatement } from './run-statement'
import { createQueryRunner } from './session'
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
export async function findStream(
  dataSource: DataSource,
  { run, deadline }: Streaming,
): Promise<StreamRows | undefined> {
  if (isSomebodyTold(dataSource)) return undefined
  switch (dataSource.options.type) {
    case 'better-sqlite3': {
      const isOfDriver = originalQuery(dataSource.createQueryRunner()) === SQLITE_STATEMENTS.query
      const readers = isOfDriver ? await findReaders(dataSource) : undefined
      return readers && ((statement) => iterate(readers, statement))
    }
    case 'postgres':
      return (statement) => {
        const windows = fetchFromCursor(dataSource, { run, deadline }, statement)
        return deadline === undefined ? windows : eachInTime(windows, deadline)
      }
    default:
      return undefined
  }
}

interface Streaming {
  readonly run: RunStatement
  /** By when the first rows have to be there; those that follow have as long again each time. */
  readonly deadline: Deadline | undefined
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

async function* eachInTime<Window>(windows: AsyncGenerator<Window>, deadline: Deadline): AsyncGenerator<Window> {
  try {
    let next = await deadline.race(windows.next())
    while (!next.done) {
      yield next.value
      next = await deadline.raceAgain(() => windows.next())
    }
  } finally {
    await deadline.raceAgain(() => windows.return(undefined))
  }
}

async function* fetchFromCursor(
  dataSource: DataSource,
  { run, deadline }: Streaming,
  statement: Statement,
): AsyncGenerator<readonly Cells[]> {
  const queryRunner = createQueryRunner(dataSource, dataSource.defaultReplicationModeForReads())
  try {
    await connectInTime(deadline, { queryRunner })
    const forget = deadline?.onPass(() => giveUp({ dataSource, queryRunner }))
    try {
      yield* fetchAll(queryRunner, run, statement)
    } finally {
      forget?.()
      if (deadline?.hasPassed) await cut({ queryRunner })
    }
  } finally {
    await queryRunner.release()
  }
}

/** A cursor lives as long as its transaction. */
async function* fetchAll(
  queryRunner: QueryRunner,
  run: RunStatement,
  { text, values }: Statement,
): AsyncGenerator<readonly Cells[]> {
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
    if (queryRunner.isTransactionActive) await queryRunner.rollbackTransaction().catch(() => cut({ queryRunner }))
  }
}

/** Rows that are in memory at once. 500 are no faster, and leave twice as much behind. */
const WINDOW = 100
