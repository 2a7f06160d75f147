import { InvariantError } from '../../../errors/invariant'
import type { Deadline } from '../../../request/http/deadline'
import { dialectOf } from '../dialects/dialect-of'
import { didDatabaseRollBack, isAbortedTransactionError } from '../drivers/find-violation'
import type { StatementInterceptor } from '../drivers/intercept-queries'
import { isCallInWorkOfQueryRunner } from '../drivers/transaction-context'
import { transactionDepthOf } from '../drivers/typeorm-internals'
import type { ActiveDatabaseConnection } from './cancel-query'

/**
 * Observes all statements of a transaction, so that a swallowed error fails the transaction and only its owner ends it. PostgreSQL turns the `COMMIT`
 * of a failed transaction into a `ROLLBACK` silently. MySQL rolls back at a deadlock and commits each later statement on its own.
 */
export class TransactionGuard {
  private readonly connection: GuardedConnection
  private readonly running = new Set<Promise<unknown>>()
  private phase: TransactionPhase = 'working'
  private failed: { readonly error: unknown } | undefined
  private ended: { readonly error: unknown } | undefined
  private committing: Promise<never> | undefined

  constructor(connection: GuardedConnection) {
    this.connection = connection
  }

  /** Returns true while a statement runs. */
  get isBusy(): boolean {
    return this.running.size > 0
  }

  /** Returns true while the outcome of a sent `COMMIT` is unknown. */
  get isCommitSent(): boolean {
    return this.phase === 'commitSent'
  }

  get isCommitted(): boolean {
    return this.phase === 'committed'
  }

  /** Intercepts all statements of the connection. */
  readonly interceptor: StatementInterceptor =
    (query) =>
    (text, ...rest) => {
      const run = () => query(text, ...rest)
      if (this.phase === 'committed' || this.phase === 'rolledBack') return this.track(run())
      if (text === 'COMMIT' && this.phase === 'ending') {
        this.committing = this.settleAndCommit(run)
        return this.committing
      }
      const statement = this.runWithin(text, run)
      // Statements from outside the transaction are not awaited, because many of them would delay its end.
      return this.isFromOutside() ? statement : this.track(statement)
    }

  /** Waits for statements that were not awaited, and throws if the transaction can't be committed as a whole. */
  async settle(): Promise<void> {
    while (this.isBusy) await Promise.allSettled(this.running)
    if (this.ended !== undefined) throw this.ended.error
    // In an aborted transaction no later statement succeeds, so only the last one has to be checked.
    if (this.failed !== undefined) await this.throwIfAborted(this.failed.error)
    // TypeORM would commit an open savepoint in place of the transaction.
    if (transactionDepthOf(this.connection.queryRunner) !== 1) throw new InvariantError(UNAWAITED_STATEMENT_MESSAGE)
  }

  /** Runs the work that commits. If it fails, waits for a `COMMIT` that is still running, whose result decides. */
  async end(work: () => Promise<void>): Promise<void> {
    this.phase = 'ending'
    try {
      await work()
    } catch (error) {
      await this.committing
      throw error
    }
    if (!this.isCommitted) throw new InvariantError(UNAWAITED_STATEMENT_MESSAGE)
  }

  /** Waits for running statements, then lets all statements pass, because the owner rolls back. */
  async waitAndRelease(): Promise<void> {
    while (this.isBusy) await Promise.allSettled(this.running)
    this.phase = 'rolledBack'
  }

  private async settleAndCommit(send: () => Promise<never>): Promise<never> {
    this.phase = 'settling'
    // A statement that fails during the commit would roll everything back without an error of the commit.
    do await this.settle()
    while (this.isBusy)
    const { deadline } = this.connection
    deadline?.check()
    deadline?.setMayTakeEffect('yes')
    this.phase = 'commitSent'
    const result = await this.track(send())
    this.phase = 'committed'
    return result
  }

  private async runWithin(text: string, run: () => Promise<never>): Promise<never> {
    if (this.phase === 'commitSent' && !this.isFromOutside()) throw new InvariantError(UNAWAITED_STATEMENT_MESSAGE)
    if (TRANSACTION_END.test(text)) throw new InvariantError(FOREIGN_TRANSACTION_END)
    if (this.ended !== undefined) throw this.ended.error
    try {
      const result = await run()
      this.failed = undefined
      return result
    } catch (error) {
      if (this.failed !== undefined && isAbortedTransactionError(error)) throw this.failed.error
      this.failed = { error }
      if (didDatabaseRollBack(error)) this.ended = this.failed
      throw error
    }
  }

  /** Returns true for the application's own queries on SQLite, which share the connection and are intercepted too. */
  private isFromOutside(): boolean {
    const { dataSource, queryRunner } = this.connection
    return dialectOf(dataSource).name === 'sqlite' && !isCallInWorkOfQueryRunner(queryRunner)
  }

  private track(statement: Promise<never>): Promise<never> {
    this.running.add(statement)
    const remove = () => void this.running.delete(statement)
    statement.then(remove, remove)
    return statement
  }

  private async throwIfAborted(failure: unknown): Promise<void> {
    try {
      await this.connection.queryRunner.query('SELECT 1')
    } catch {
      throw failure
    }
  }
}

interface GuardedConnection extends ActiveDatabaseConnection {
  readonly deadline: Deadline | undefined
}

/** `ending`: the next `COMMIT` is that of the owner. `settling`: the `COMMIT` waits for running statements. */
type TransactionPhase = 'working' | 'ending' | 'settling' | 'commitSent' | 'committed' | 'rolledBack'

const TRANSACTION_END = /^\s*(commit|rollback|end|abort)(\s+(work|transaction))?[\s;]*$/i

export const UNAWAITED_STATEMENT_MESSAGE =
  'A rule has not waited for a part of its transaction, or for a statement in it.'
const FOREIGN_TRANSACTION_END =
  'Only the library may end the transaction of a write. To undo a part of it, run that part in manager.transaction() or withTransaction().'
