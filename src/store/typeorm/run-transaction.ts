import { setTimeout as wait } from 'node:timers/promises'
import type { DataSource, EntityManager, QueryRunner } from 'typeorm'
import { InvariantError } from '../../errors/invariant'
import { JsonApiError, problem } from '../../errors/json-api-error'
import { DEFAULT_OPTIONS } from '../../graph/options'
import type { Deadline } from '../../request/deadline'
import { withWriter } from './connection-gate'
import { dialectOf } from './dialect-of'
import { isUncertain, uncertain } from './failure'
import { connectInTime, cut, giveUp } from './give-up'
import { hasIsolationLevel, isTransactionHeard } from './somebody-told'
import type { Statement } from './sql'
import { depthOf, isInTransaction, setDepth } from './transaction-depth'
import { TransactionWatch, UNFINISHED } from './transaction-watch'
import { isConflict } from './violation'
import { watchStatements } from './watch-statements'
import { closeScope, inScope, inUndoing, outsideScopes } from './write-scope'

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
    const attempt: Work<Value> = (queryRunner) => {
      isPart = isInTransaction(queryRunner)
      return transact({ dataSource, queryRunner, end }, work)
    }
    try {
      return await withWriter(dataSource, attempt, deadline)
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
  const { queryRunner, end } = transacting
  end.deadline?.check()
  await connectInTime(end.deadline, transacting)
  return isInTransaction(queryRunner) ? transactPart(transacting, work) : transactWhole(transacting, work)
}

async function transactPart<Value>({ queryRunner, end }: Transacting, work: Work<Value>): Promise<Value> {
  const depth = depthOf(queryRunner)
  try {
    await queryRunner.startTransaction()
    const value = await waitFor(end, work(queryRunner))
    if (depthOf(queryRunner) !== depth + 1) throw new InvariantError(UNFINISHED)
    await queryRunner.commitTransaction().catch((error) => {
      throw end.toProblem(error)
    })
    return value
  } catch (error) {
    await inUndoing(async () => {
      // What could not begin is not there to be undone: that would be the whole.
      if (depthOf(queryRunner) > depth) await queryRunner.rollbackTransaction().catch(() => undefined)
    })
    throw error
  }
}

async function transactWhole<Value>(transacting: Transacting, work: Work<Value>): Promise<Value> {
  const { dataSource, queryRunner, end } = transacting
  const watch = new TransactionWatch({ dataSource, queryRunner, deadline: end.deadline })
  let isGivenUp = false
  const forget = end.deadline?.onPass(() => {
    isGivenUp = watch.isBusy
    if (isGivenUp) giveUp(transacting)
  })
  try {
    return await watchStatements(queryRunner, watch.replacement, () => keepOrUndo({ ...transacting, watch }, work))
  } finally {
    forget?.()
    if (isGivenUp) await cut(transacting)
  }
}

interface Whole extends Transacting {
  readonly watch: TransactionWatch
}

async function keepOrUndo<Value>(whole: Whole, work: Work<Value>): Promise<Value> {
  const { end, watch } = whole
  try {
    const value = await waitFor(end, beginAndWork(whole, work))
    await watch.settle()
    end.deadline?.check()
    await commit(whole)
    return value
  } catch (error) {
    // What made the work fail is what matters: that undoing it fails too is not told.
    if (!watch.isKept) await inUndoing(() => undo(whole))
    throw error
  }
}

/** No longer than the request may take: rules and subscribers may never return. */
function waitFor<Value>({ deadline }: TransactionEnd, work: Promise<Value>): Promise<Value> {
  return deadline?.race(work) ?? work
}

async function beginAndWork<Value>(whole: Whole, work: Work<Value>): Promise<Value> {
  await begin(whole)
  whole.end.deadline?.check()
  return work(whole.queryRunner)
}

/**
 * Takes SQLite's write lock at the start. A transaction that reads first and writes then can be refused in the middle, when another
 * process has written in between.
 */
async function begin({ dataSource, queryRunner, end }: Transacting): Promise<void> {
  const isWriter = dialectOf(dataSource).name === 'sqlite'
  if (isTransactionHeard(dataSource) || hasIsolationLevel(dataSource))
    return isWriter ? beginAsWriter(queryRunner) : queryRunner.startTransaction()
  setDepth(queryRunner, 1)
  await end.run(queryRunner, { text: isWriter ? BEGIN_AS_WRITER : 'START TRANSACTION', values: [] })
}

/** TypeORM knows only the plain `BEGIN`; all else of its way to begin (events, depth) is kept. */
function beginAsWriter(queryRunner: QueryRunner): Promise<void> {
  return watchStatements(
    queryRunner,
    (query) =>
      (text, ...rest) =>
        query(text === 'BEGIN TRANSACTION' ? BEGIN_AS_WRITER : text, ...rest),
    () => queryRunner.startTransaction(),
  )
}

const BEGIN_AS_WRITER = 'BEGIN IMMEDIATE TRANSACTION'

/** What nobody waited for gets in no more. Subscribers that hear of the end belong to it. */
async function commit({ dataSource, queryRunner, end, watch }: Whole): Promise<void> {
  const { deadline } = end
  closeScope()
  try {
    await watch.end(() =>
      isTransactionHeard(dataSource)
        ? inScope({ dataSource, queryRunner, deadline }, () => commitHeard(queryRunner, end))
        : outsideScopes(() => commitPlain(queryRunner, end)),
    )
  } catch (error) {
    if (watch.isSent && isUncertain(error)) throw uncertain(error, end)
    if (!watch.isKept) throw end.toProblem(error)
    // What a subscriber does after the commit undoes nothing. It can have left a transaction of its own.
    if (isInTransaction(queryRunner)) await outsideScopes(() => forgetTransaction(queryRunner))
    end.report(deadline?.hasPassed === true ? new InvariantError(STUCK, { cause: error }) : error)
  }
}

const STUCK = 'A subscriber that hears of the end of a transaction has not returned in time.'

function commitHeard(queryRunner: QueryRunner, end: TransactionEnd): Promise<void> {
  // Its flag may be down: see `isInTransaction`.
  setDepth(queryRunner, 1)
  return waitFor(end, queryRunner.commitTransaction())
}

async function commitPlain(queryRunner: QueryRunner, { run }: TransactionEnd): Promise<void> {
  await run(queryRunner, { text: 'COMMIT', values: [] })
  setDepth(queryRunner, 0)
}

/** A part may be under way still, which was given up or not waited for: it is undone with the whole. */
async function undo({ queryRunner, end, watch }: Whole): Promise<void> {
  await watch.letGo()
  if (isInTransaction(queryRunner)) setDepth(queryRunner, 1)
  const undoing = queryRunner.rollbackTransaction()
  await (end.deadline === undefined ? undoing : Promise.race([undoing, tooLong()])).catch(() =>
    forgetTransaction(queryRunner),
  )
}

/** For subscribers that hear of it, whose request may have no time left. */
async function tooLong(): Promise<never> {
  await wait(TIME_TO_UNDO, undefined, { ref: false })
  throw new InvariantError(STUCK)
}

/** Milliseconds. */
const TIME_TO_UNDO = 500

/**
 * A transaction that the database has not begun, or has ended by itself, or whose parts could not be undone one by one. TypeORM's only
 * query runner for SQLite would go on believing in it, and take every later transaction for a part of it. A connection on which something
 * may still be under way is not for others.
 */
async function forgetTransaction(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query('ROLLBACK').catch(() => cut({ queryRunner }))
  setDepth(queryRunner, 0)
}
