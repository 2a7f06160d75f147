import type { DataSource, QueryRunner, ReplicationMode } from 'typeorm'
import type { Deadline } from '../../../request/http/deadline'
import { createSettingsCheckingQueryRunner } from '../drivers/create-settings-checking-query-runner'
import { iterateSqliteRows, TYPEORM_QUERY_OF_BETTER_SQLITE3 } from '../drivers/direct-sqlite-driver'
import { originalQueryMethodOf } from '../drivers/intercept-queries'
import { hasQueryLoggerOrSubscriber } from '../drivers/query-listeners'
import type { RunStatement } from '../drivers/run-statement'
import type { ColumnValuesInSelectOrder } from '../mapping/column-values-in-select-order'
import type { Statement } from '../sql/sql'
import { cancelQuery, connectThenCheckDeadline, discardConnection } from '../transactions/cancel-query'
import { findOrOpenSqliteReadPool, type SqliteReadPool } from '../transactions/sqlite-read-pool'

/** Reads the rows of a statement in windows on demand, all from one snapshot. */
export type StreamRows = (statement: Statement) => AsyncIterable<readonly ColumnValuesInSelectOrder[]>

/**
 * Returns a function that streams rows; `undefined` if the driver returns all rows at once or a logger observes statements. A stream keeps its
 * connection until the last row is read or the stream is closed.
 */
export async function findRowStreamer(dataSource: DataSource, options: StreamOptions): Promise<StreamRows | undefined> {
  const { deadline } = options
  if (hasQueryLoggerOrSubscriber(dataSource)) return undefined
  switch (dataSource.options.type) {
    case 'better-sqlite3': {
      const isOriginalDriver = originalQueryMethodOf(dataSource.createQueryRunner()) === TYPEORM_QUERY_OF_BETTER_SQLITE3
      const readers = isOriginalDriver ? await findOrOpenSqliteReadPool(dataSource) : undefined
      return readers && ((statement) => iterate(readers, statement))
    }
    case 'postgres':
      return (statement) => {
        const windows = fetchFromCursor(dataSource, options, statement)
        return deadline === undefined ? windows : eachBeforeDeadline(windows, deadline)
      }
    default:
      return undefined
  }
}

interface StreamOptions {
  readonly run: RunStatement
  readonly mode: ReplicationMode
  /** The deadline for the first rows. It restarts for each further window. */
  readonly deadline: Deadline | undefined
}

async function* iterate(
  readers: SqliteReadPool,
  statement: Statement,
): AsyncGenerator<readonly ColumnValuesInSelectOrder[]> {
  const reader = await readers.open()
  try {
    let window: ColumnValuesInSelectOrder[] = []
    for (const rawRow of iterateSqliteRows(reader.queryRunner, statement)) {
      window.push(rawRow)
      if (window.length < WINDOW_SIZE) continue
      yield window
      window = []
    }
    yield window
  } finally {
    await reader.close()
  }
}

async function* eachBeforeDeadline<Window>(
  windows: AsyncGenerator<Window>,
  deadline: Deadline,
): AsyncGenerator<Window> {
  try {
    let next = await deadline.race(windows.next())
    while (!next.done) {
      yield next.value
      next = await deadline.raceRestarted(() => windows.next())
    }
  } finally {
    await deadline.raceRestarted(() => windows.return(undefined))
  }
}

async function* fetchFromCursor(
  dataSource: DataSource,
  { run, mode, deadline }: StreamOptions,
  statement: Statement,
): AsyncGenerator<readonly ColumnValuesInSelectOrder[]> {
  const queryRunner = createSettingsCheckingQueryRunner(dataSource, mode)
  try {
    await connectThenCheckDeadline(deadline, queryRunner)
    const removeListener = deadline?.onExpire(() => cancelQuery({ dataSource, queryRunner }))
    try {
      yield* fetchAll(queryRunner, run, statement)
    } finally {
      removeListener?.()
      if (deadline?.hasExpired) await discardConnection(queryRunner)
    }
  } finally {
    await queryRunner.release()
  }
}

/** Fetches all rows from a cursor, which exists until its transaction ends. */
async function* fetchAll(
  queryRunner: QueryRunner,
  run: RunStatement,
  { text, values }: Statement,
): AsyncGenerator<readonly ColumnValuesInSelectOrder[]> {
  try {
    await queryRunner.startTransaction()
    await run(queryRunner, { text: `declare stemma_rows no scroll cursor for ${text}`, values })
    const fetch = { text: `fetch ${WINDOW_SIZE} from stemma_rows`, values: [] }
    let isOver = false
    while (!isOver) {
      const { records } = await run(queryRunner, fetch)
      yield records
      isOver = records.length < WINDOW_SIZE
    }
    await queryRunner.commitTransaction()
  } finally {
    if (queryRunner.isTransactionActive)
      await queryRunner.rollbackTransaction().catch(() => discardConnection(queryRunner))
  }
}

/** The number of rows in memory at once. 500 are not faster and use twice the memory. */
const WINDOW_SIZE = 100
