import { setTimeout as wait } from 'node:timers/promises'
import type { DataSource, EntityManager, QueryRunner } from 'typeorm'
import { JsonApiError, problem } from '../../errors/json-api-error'
import { DEFAULT_OPTIONS } from '../../graph/options'
import { withWriter } from './connection-gate'
import { dialectOf } from './dialect-of'
import { hasIsolationLevel, isTransactionHeard } from './somebody-told'
import type { Statement } from './sql'
import { isConflict } from './violation'
import { watchStatements, withQuery } from './watch-statements'

type Work<Value> = (queryRunner: QueryRunner) => Promise<Value>

export interface TransactionEnd {
  readonly maximumRetries: number
  /** What to throw when the database refuses the whole at its end: constraints that are deferred are looked at then. */
  readonly toProblem: (error: unknown) => unknown
  /** Is told of what goes wrong when all is kept already. */
  readonly report: (error: unknown) => void
  /** For what begins and ends a transaction of which nobody is told. */
  readonly run: (queryRunner: QueryRunner, statement: Statement) => Promise<unknown>
}

/**
 * Runs work in one transaction: what it wrote is kept when it ends well, and undone when it throws. Work that got into the way of
 * another transaction runs again from its start, as often as it may. Within a transaction of the same flow of calls it becomes a
 * part of that one that can be undone alone.
 */
export async function runTransaction<Value>(
  dataSource: DataSource,
  work: Work<Value>,
  end = PLAIN_END,
): Promise<Value> {
  for (let retries = 0; ; retries += 1) {
    let isPart = false
    try {
      return await withWriter(dataSource, (queryRunner) => {
        isPart = queryRunner.isTransactionActive
        return transact({ dataSource, queryRunner, end }, work)
      })
    } catch (error) {
      // Only the whole can run again: the database has given up all of it.
      if (isPart || !isConflict(error)) throw error
      if (retries === end.maximumRetries) throw new JsonApiError([problem('write.conflict', 'Try again later.')])
    }
    await wait(Math.random() * Math.min(FIRST_DELAY * 2 ** retries, LONGEST_DELAY))
  }
}

/**
 * A transaction for an application's own statements. On SQLite all transactions share one connection, and TypeORM lets those that
 * overlap run into each other: everything that writes to such a DataSource beside the API should do so through this. On other
 * databases it is a plain transaction. In a rule, it is a part of the transaction of the write that can be undone alone.
 *
 * ```ts
 * await withTransaction(dataSource, async (manager) => {
 *   await manager.save(eve)
 *   await manager.save(adam)
 * })
 * ```
 *
 * -> both are stored, or, when one fails, neither
 */
export function withTransaction<Value>(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<Value>,
): Promise<Value> {
  return withWriter(dataSource, (queryRunner) => {
    return transact({ dataSource, queryRunner, end: PLAIN_END }, () => work(queryRunner.manager))
  })
}

/** Milliseconds, at most: each retry waits up to twice as long as the one before, so that those who met do not meet again. */
const FIRST_DELAY = 40
const LONGEST_DELAY = 1_000

const PLAIN_END: TransactionEnd = {
  maximumRetries: DEFAULT_OPTIONS.maximumRetries,
  toProblem: (error) => error,
  report: (error) => {
    throw error
  },
  run: (queryRunner, { text }) => queryRunner.query(text),
}

interface Transacting {
  readonly dataSource: DataSource
  readonly queryRunner: QueryRunner
  readonly end: TransactionEnd
}

async function transact<Value>({ dataSource, queryRunner, end }: Transacting, work: Work<Value>): Promise<Value> {
  const isWhole = !queryRunner.isTransactionActive
  try {
    await begin({ dataSource, queryRunner, end }, isWhole)
    const value = isWhole ? await watchStatements(queryRunner, () => work(queryRunner)) : await work(queryRunner)
    await commit({ dataSource, queryRunner, end }, isWhole)
    return value
  } catch (error) {
    await rollBack(queryRunner, isWhole)
    throw error
  }
}

/**
 * Takes SQLite's write lock at the start. A transaction that reads first and writes then can be refused in the middle, when another
 * process has written in between.
 */
async function begin({ dataSource, queryRunner, end }: Transacting, isWhole: boolean): Promise<void> {
  const isWriter = isWhole && dialectOf(dataSource).name === 'sqlite'
  if (!isWhole || !isPlain(dataSource)) return isWriter ? beginAsWriter(queryRunner) : queryRunner.startTransaction()
  Object.assign(queryRunner, { isTransactionActive: true, transactionDepth: 1 })
  await end.run(queryRunner, { text: isWriter ? BEGIN_AS_WRITER : 'START TRANSACTION', values: [] })
}

/** TypeORM knows only the plain `BEGIN`; all else of its way to begin (events, depth) is kept. */
function beginAsWriter(queryRunner: QueryRunner): Promise<void> {
  return withQuery(
    queryRunner,
    (query) =>
      (text, ...rest) =>
        query(text === 'BEGIN TRANSACTION' ? BEGIN_AS_WRITER : text, ...rest),
    () => queryRunner.startTransaction(),
  )
}

const BEGIN_AS_WRITER = 'BEGIN IMMEDIATE TRANSACTION'

/** TypeORM tells its subscribers of the end of a transaction after it, too: what they throw then undoes nothing. */
async function commit({ dataSource, queryRunner, end }: Transacting, isWhole: boolean): Promise<void> {
  try {
    if (!isWhole || !isPlain(dataSource)) await queryRunner.commitTransaction()
    else await commitPlain(queryRunner, end)
  } catch (error) {
    if (queryRunner.isTransactionActive) throw end.toProblem(error)
    end.report(error)
  }
}

async function commitPlain(queryRunner: QueryRunner, { run }: TransactionEnd): Promise<void> {
  await run(queryRunner, { text: 'COMMIT', values: [] })
  Object.assign(queryRunner, { isTransactionActive: false, transactionDepth: 0 })
}

/** Whether TypeORM's way to begin and end would add nothing to the statements. */
function isPlain(dataSource: DataSource): boolean {
  return !hasIsolationLevel(dataSource) && !isTransactionHeard(dataSource)
}

/** What made the work fail is what matters: that rolling back fails too is not told. */
async function rollBack(queryRunner: QueryRunner, isWhole: boolean): Promise<void> {
  try {
    await queryRunner.rollbackTransaction()
  } catch {
    if (isWhole) await forgetTransaction(queryRunner)
  }
}

/**
 * A transaction that the database has not begun, or has ended by itself, or whose parts could not be undone one by one. TypeORM's only
 * query runner for SQLite would go on believing in it, and take every later transaction for a part of it.
 */
async function forgetTransaction(queryRunner: QueryRunner): Promise<void> {
  Object.assign(queryRunner, { isTransactionActive: false, transactionDepth: 0 })
  await queryRunner.query('ROLLBACK').catch(() => undefined)
}
