import { setTimeout as wait } from 'node:timers/promises'
import type { DataSource, EntityManager, QueryRunner } from 'typeorm'
import { JsonApiError, problem } from '../../errors/json-api-error'
import { DEFAULT_OPTIONS } from '../../graph/options'
import type { Deadline } from '../../request/deadline'
import { withWriter } from './connection-gate'
import { dialectOf } from './dialect-of'
import { isUncertain, uncertain } from './failure'
import { cut, giveUp } from './give-up'
import { hasIsolationLevel, isTransactionHeard } from './somebody-told'
import type { Statement } from './sql'
import { isConflict } from './violation'
import { type Busy, watchStatements, withQuery } from './watch-statements'
import { closeScope, outsideScopes } from './write-scope'

type Work<Value> = (queryRunner: QueryRunner) => Promise<Value>

export interface TransactionEnd {
  readonly maximumRetries: number
  /** What to throw when the database refuses the whole at its end: constraints that are deferred are looked at then. */
  readonly toProblem: (error: unknown) => unknown
  /** Is told of what goes wrong when all is kept already. */
  readonly report: (error: unknown) => void
  /** For what begins and ends a transaction of which nobody is told. */
  readonly run: (queryRunner: QueryRunner, statement: Statement) => Promise<unknown>
  /** Until when. Work that takes longer is undone, whatever it waits for, and what it still does is refused. */
  readonly deadline: Deadline | undefined
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
  const { deadline } = end
  for (let retries = 0; ; retries += 1) {
    let isPart = false
    deadline?.decide('no')
    deadline?.check()
    const whole: Work<Value> = (queryRunner) => {
      isPart = queryRunner.isTransactionActive
      return transact({ dataSource, queryRunner, end }, work)
    }
    try {
      return await withWriter(dataSource, whole, deadline)
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
  deadline: undefined,
}

interface Transacting {
  readonly dataSource: DataSource
  readonly queryRunner: QueryRunner
  readonly end: TransactionEnd
}

async function transact<Value>(transacting: Transacting, work: Work<Value>): Promise<Value> {
  const { dataSource, queryRunner, end } = transacting
  const { deadline } = end
  const isWhole = !queryRunner.isTransactionActive
  const busy: Busy = { statements: 1 }
  deadline?.check()
  const forget = deadline?.onPass(() => {
    busy.isGivenUp = busy.statements > 0
    if (busy.isGivenUp) giveUp(transacting)
  })
  try {
    await begin(transacting, isWhole)
    busy.statements = 0
    const working = () => deadline?.race(work(queryRunner)) ?? work(queryRunner)
    const value = isWhole ? await watchStatements(queryRunner, busy, working) : await working()
    // What nobody waited for could still get into the transaction while it ends. Subscribers that hear of the end belong to it.
    if (isWhole && isPlain(dataSource)) closeScope()
    busy.statements = 1
    deadline?.check()
    deadline?.decide('yes')
    await commit(transacting, isWhole)
    return value
  } catch (error) {
    await rollBack(transacting, isWhole)
    throw error
  } finally {
    forget?.()
    if (busy.isGivenUp) await cut(transacting)
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
    if (isWhole && isUncertain(error)) throw uncertain(error, end)
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
async function rollBack({ queryRunner, end }: Transacting, isWhole: boolean): Promise<void> {
  if (isWhole && end.deadline?.hasPassed) return outsideScopes(() => undo(queryRunner))
  try {
    await queryRunner.rollbackTransaction()
  } catch {
    if (isWhole) await forgetTransaction(queryRunner)
  }
}

/** Work that was given up may be in a part of it: that part is undone with the whole. */
async function undo(queryRunner: QueryRunner): Promise<void> {
  if (queryRunner.isTransactionActive) Object.assign(queryRunner, { transactionDepth: 1 })
  await queryRunner.rollbackTransaction().catch(() => forgetTransaction(queryRunner))
}

/**
 * A transaction that the database has not begun, or has ended by itself, or whose parts could not be undone one by one. TypeORM's only
 * query runner for SQLite would go on believing in it, and take every later transaction for a part of it.
 */
async function forgetTransaction(queryRunner: QueryRunner): Promise<void> {
  Object.assign(queryRunner, { isTransactionActive: false, transactionDepth: 0 })
  await queryRunner.query('ROLLBACK').catch(() => undefined)
}
