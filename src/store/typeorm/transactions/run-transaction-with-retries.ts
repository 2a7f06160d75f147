import { setTimeout as wait } from 'node:timers/promises'
import { type DataSource, EntityManager, type QueryRunner } from 'typeorm'
import type { ResourceWrite } from '../../../definitions/resource-write'
import { InvariantError } from '../../../errors/invariant'
import { createJsonApiError } from '../../../errors/json-api-error'
import type { Deadline } from '../../../request/http/deadline'
import { dialectOf } from '../dialects/dialect-of'
import { isOutcomeUnknown, reportAndCreateOutcomeUnknownError } from '../drivers/find-timeout-or-outage'
import { isRetryableError } from '../drivers/find-violation'
import { cacheWhetherGaleraNode, isGaleraCheckPending, isKnownGaleraNode } from '../drivers/galera-node'
import { runWithStatementInterceptor } from '../drivers/intercept-queries'
import { hasTransactionSubscribers, isIsolationLevelConfigured } from '../drivers/query-listeners'
import {
  markTransactionContextClosed,
  rollBackInNewContext,
  runInTransactionContext,
  runOutsideTransactionContext,
} from '../drivers/transaction-context'
import { isInTransaction, setTransactionDepth, transactionDepthOf } from '../drivers/typeorm-internals'
import { takeUnreplicatedCommitError } from '../drivers/unreplicated-commits'
import type { Statement } from '../sql/sql'
import { cancelQuery, connectThenCheckDeadline, discardConnection } from './cancel-query'
import { runOnWriteConnection } from './run-on-connection'
import { TransactionGuard, UNAWAITED_STATEMENT_MESSAGE } from './transaction-guard'

type TransactionWork<Value> = (queryRunner: QueryRunner) => Promise<Value>

export interface CommitAndRetryOptions {
  /** `undefined`: the default of the database. */
  readonly maxRetries: number | undefined
  /** Converts the error of a commit: the database checks deferred constraints then. */
  readonly toJsonApiError: (error: unknown) => unknown
  /** Called with errors after the commit. */
  readonly onError: (error: unknown) => void
  /** Runs the statements that begin and end a transaction if no subscriber observes them. */
  readonly run: (queryRunner: QueryRunner, statement: Statement) => Promise<unknown>
  /** The deadline. Work that takes longer is rolled back, and its later statements are rejected. */
  readonly deadline: Deadline | undefined
}

/**
 * Runs work in one transaction, which commits if it succeeds and rolls back if it throws. After a conflict with another transaction it is repeated,
 * up to a limit. In a transaction of the same call chain it is a savepoint.
 */
export async function runTransactionWithRetries<Value>(
  dataSource: DataSource,
  work: TransactionWork<Value>,
  end = DEFAULT_TRANSACTION,
): Promise<Value> {
  const { deadline } = end
  for (let retries = 0; ; retries += 1) {
    let isNested = false
    deadline?.setMayTakeEffect('no')
    deadline?.check()
    const attempt: TransactionWork<Value> = (queryRunner) => {
      isNested = isInTransaction(queryRunner)
      return runInTransaction({ dataSource, queryRunner, end }, work)
    }
    try {
      return await runOnWriteConnection(dataSource, attempt, deadline)
    } catch (error) {
      // Only the outermost transaction can be repeated: the database rolled back all of it.
      if (isNested || !isRetryableError(error)) throw error
      if (retries >= (end.maxRetries ?? defaultRetriesOf(dataSource)))
        throw createJsonApiError('write.serialization-failure', 'Try again later.')
    }
    await wait(Math.random() * Math.min(FIRST_DELAY * 2 ** retries, LONGEST_DELAY))
  }
}

/**
 * Runs an application's own statements in a transaction. On SQLite all transactions share one connection, and TypeORM mixes those that overlap:
 * run every write to such a `DataSource` through this function. On other databases it is a plain transaction. In a hook it is a savepoint of
 * the write.
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
  return runOnWriteConnection(dataSource, (queryRunner) => {
    return runInTransaction({ dataSource, queryRunner, end: DEFAULT_TRANSACTION }, () => work(queryRunner.manager))
  })
}

/** The longest first delay in milliseconds. Each retry doubles it, and a random share keeps the same requests apart. */
const FIRST_DELAY = 40
const LONGEST_DELAY = 1_000

/** On Galera, a write does not wait for writes at other nodes, but is aborted and repeated. */
function defaultRetriesOf(dataSource: DataSource): number {
  return isKnownGaleraNode(dataSource) ? 20 : 3
}

const DEFAULT_TRANSACTION: CommitAndRetryOptions = {
  maxRetries: undefined,
  toJsonApiError: (error) => error,
  onError: (error) => {
    throw error
  },
  run: (queryRunner, { text }) => queryRunner.query(text),
  deadline: undefined,
}

interface ConnectionTransaction {
  readonly dataSource: DataSource
  readonly queryRunner: QueryRunner
  readonly end: CommitAndRetryOptions
}

async function runInTransaction<Value>(
  transaction: ConnectionTransaction,
  work: TransactionWork<Value>,
): Promise<Value> {
  const { queryRunner, end } = transaction
  end.deadline?.check()
  await connectThenCheckDeadline(end.deadline, queryRunner)
  return isInTransaction(queryRunner) ? runInSavepoint(transaction, work) : runOutermost(transaction, work)
}

async function runInSavepoint<Value>(
  { queryRunner, end }: ConnectionTransaction,
  work: TransactionWork<Value>,
): Promise<Value> {
  const depth = transactionDepthOf(queryRunner)
  try {
    await queryRunner.startTransaction()
    const value = await untilDeadline(end, work(queryRunner))
    if (transactionDepthOf(queryRunner) !== depth + 1) throw new InvariantError(UNAWAITED_STATEMENT_MESSAGE)
    await queryRunner.commitTransaction().catch((error) => {
      throw end.toJsonApiError(error)
    })
    return value
  } catch (error) {
    await rollBackInNewContext(async () => {
      // A savepoint that did not begin must not be rolled back: that would roll back the whole transaction.
      if (transactionDepthOf(queryRunner) > depth) await queryRunner.rollbackTransaction().catch(() => undefined)
    })
    throw error
  }
}

async function runOutermost<Value>(transaction: ConnectionTransaction, work: TransactionWork<Value>): Promise<Value> {
  const { dataSource, queryRunner, end } = transaction
  const guard = new TransactionGuard({ dataSource, queryRunner, deadline: end.deadline })
  let isCancelled = false
  const removeListener = end.deadline?.onExpire(() => {
    isCancelled = guard.isBusy
    if (isCancelled) cancelQuery(transaction)
  })
  try {
    return await runWithStatementInterceptor(queryRunner, guard.interceptor, () =>
      commitOrRollBack({ ...transaction, guard }, work),
    )
  } finally {
    removeListener?.()
    if (isCancelled) await discardConnection(queryRunner)
  }
}

interface GuardedTransaction extends ConnectionTransaction {
  readonly guard: TransactionGuard
}

async function commitOrRollBack<Value>(transaction: GuardedTransaction, work: TransactionWork<Value>): Promise<Value> {
  const { end, guard } = transaction
  try {
    const value = await untilDeadline(end, beginAndRun(transaction, work))
    await guard.settle()
    end.deadline?.check()
    await commit(transaction)
    return value
  } catch (error) {
    // The first error is thrown; an error of the rollback is not.
    if (!guard.isCommitted) await rollBackInNewContext(() => rollBack(transaction))
    throw error
  }
}

/** Stops waiting for work at the deadline, because rules and subscribers may never return. */
function untilDeadline<Value>({ deadline }: CommitAndRetryOptions, work: Promise<Value>): Promise<Value> {
  return deadline?.race(work) ?? work
}

async function beginAndRun<Value>(transaction: GuardedTransaction, work: TransactionWork<Value>): Promise<Value> {
  const { dataSource, queryRunner } = transaction
  if (isGaleraCheckPending(dataSource)) await cacheWhetherGaleraNode(dataSource, queryRunner)
  await begin(transaction)
  transaction.end.deadline?.check()
  return work(transaction.queryRunner)
}

/**
 * Begins a transaction. On SQLite it takes the write lock at once: if a transaction reads first, a later write fails if another process has written
 * meanwhile.
 */
async function begin({ dataSource, queryRunner, end }: ConnectionTransaction): Promise<void> {
  const isWriter = dialectOf(dataSource).name === 'sqlite'
  if (hasTransactionSubscribers(dataSource) || isIsolationLevelConfigured(dataSource))
    return isWriter ? beginAsWriter(queryRunner) : queryRunner.startTransaction()
  setTransactionDepth(queryRunner, 1)
  await end.run(queryRunner, { text: isWriter ? BEGIN_AS_WRITER : 'START TRANSACTION', values: [] })
}

/** Begins a transaction through TypeORM, with its events and its depth, but replaces its plain `BEGIN`. */
function beginAsWriter(queryRunner: QueryRunner): Promise<void> {
  return runWithStatementInterceptor(
    queryRunner,
    (query) =>
      (text, ...rest) =>
        query(text === 'BEGIN TRANSACTION' ? BEGIN_AS_WRITER : text, ...rest),
    () => queryRunner.startTransaction(),
  )
}

const BEGIN_AS_WRITER = 'BEGIN IMMEDIATE TRANSACTION'

/** Commits. Rejects later statements that were not awaited; statements of subscribers to the commit still run. */
async function commit({ dataSource, queryRunner, end, guard }: GuardedTransaction): Promise<void> {
  const { deadline } = end
  markTransactionContextClosed()
  try {
    await guard.end(() =>
      hasTransactionSubscribers(dataSource)
        ? runInTransactionContext({ dataSource, queryRunner, deadline }, () => commitWithSubscribers(queryRunner, end))
        : runOutsideTransactionContext(() => commitDirectly(queryRunner, end)),
    )
  } catch (error) {
    if (guard.isCommitSent && isOutcomeUnknown(error)) throw reportAndCreateOutcomeUnknownError(error, end)
    if (!guard.isCommitted) throw end.toJsonApiError(error)
    // An error of a subscriber after the commit undoes nothing. The subscriber can have left a transaction open.
    if (isInTransaction(queryRunner)) await runOutsideTransactionContext(() => resetTransaction(queryRunner))
    end.onError(deadline?.hasExpired === true ? new InvariantError(SUBSCRIBER_TIMEOUT, { cause: error }) : error)
  }
  const unreplicated = takeUnreplicatedCommitError(queryRunner)
  if (unreplicated !== undefined) throw reportAndCreateOutcomeUnknownError(unreplicated, end)
}

const SUBSCRIBER_TIMEOUT = 'A subscriber that hears of the end of a transaction has not returned in time.'

function commitWithSubscribers(queryRunner: QueryRunner, end: CommitAndRetryOptions): Promise<void> {
  // The flag can be wrong: see `isInTransaction`.
  setTransactionDepth(queryRunner, 1)
  return untilDeadline(end, queryRunner.commitTransaction())
}

async function commitDirectly(queryRunner: QueryRunner, { run }: CommitAndRetryOptions): Promise<void> {
  await run(queryRunner, { text: 'COMMIT', values: [] })
  setTransactionDepth(queryRunner, 0)
}

/** Rolls back the whole transaction, with savepoints that are still open because they were cancelled or not awaited. */
async function rollBack({ queryRunner, end, guard }: GuardedTransaction): Promise<void> {
  await guard.waitAndRelease()
  if (isInTransaction(queryRunner)) setTransactionDepth(queryRunner, 1)
  const rollback = queryRunner.rollbackTransaction()
  await (end.deadline === undefined ? rollback : Promise.race([rollback, rejectAfterTimeout()])).catch(() =>
    resetTransaction(queryRunner),
  )
}

/** Limits the time of a rollback, because its subscribers can run after the deadline. */
async function rejectAfterTimeout(): Promise<never> {
  await wait(ROLLBACK_TIMEOUT, undefined, { ref: false })
  throw new InvariantError(SUBSCRIBER_TIMEOUT)
}

/** The time limit of a rollback in milliseconds. */
const ROLLBACK_TIMEOUT = 500

/**
 * Resets a transaction that the database did not begin, ended by itself, or could not roll back to a savepoint. TypeORM's only query runner for
 * SQLite would count later transactions as parts of it. A connection that may still run a statement is discarded.
 */
async function resetTransaction(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query('ROLLBACK').catch(() => discardConnection(queryRunner))
  setTransactionDepth(queryRunner, 0)
}

const TRANSACTION_HAS_ENDED =
  'afterCommit runs after the transaction of the write, so getEntityManager has none to return. Use withTransaction or withReadConnection there.'

/**
 * Returns TypeORM's `EntityManager` for the transaction of a write. Everything that a rule reads or writes through it is part of the write.
 *
 * `await getEntityManager(write).countBy(Man, { hasBeard: true })`
 */
export function getEntityManager({ transaction }: Pick<ResourceWrite, 'transaction'>): EntityManager {
  if (transaction instanceof EntityManager) return transaction
  if (transaction === undefined) throw new InvariantError(TRANSACTION_HAS_ENDED)
  throw new InvariantError('The write does not run on TypeORM.')
}
