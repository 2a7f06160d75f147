import type { QueryRunner, ReplicationMode } from 'typeorm'
import type { Caches } from '../../cache/caches'
import type { IsFieldHidden } from '../../graph/model/capabilities'
import type { Relationship, StoredType } from '../../graph/model/resource-graph'
import type { ResolvedApiOptions } from '../../graph/options/options'
import type { RunObservedStatement } from '../../observation/observation'
import type { ReadPlan } from '../../plan/read-plan'
import type { CreatePlan, UpdatePlan } from '../../plan/write-plan'
import type { Deadline } from '../../request/http/deadline'
import type { ReadResult } from '../read-result'
import type { ListedReadStatement, ResourceStore, ResourceStoreTransaction, TimeoutOrOutage } from '../store'
import { findGaleraRowCertifier } from './cluster/certify-rows'
import { findTimeoutOrOutage } from './drivers/find-timeout-or-outage'
import { createRunStatement, type RunStatement } from './drivers/run-statement'
import type { DatabaseMapping } from './mapping/database-mapping'
import { executeReadPlan, predictOneOrSeveralStatements } from './reading/execute-read-plan'
import { listStatementsOfReadPlan } from './reading/list-statements-of-read-plan'
import type { ReadExecutionContext } from './reading/load-includes'
import { readAndLockInGaleraCluster } from './reading/read-and-certify'
import { mayNeedStreaming, readAtOnceOrStreaming } from './reading/read-at-once-or-streaming'
import { readPageAndLockLinks } from './reading/read-page-and-lock-links'
import { findRowStreamer } from './reading/stream-rows'
import { CompiledQueryCache } from './select/compiled-query-cache'
import { type Sql, toSqlStatement } from './sql/sql'
import { runWithQueryCancelledAtDeadline } from './transactions/cancel-query'
import { runOnReadConnection } from './transactions/run-on-connection'
import { type CommitAndRetryOptions, runTransactionWithRetries } from './transactions/run-transaction-with-retries'
import type { OneOrSeveralReadStatements } from './transactions/sqlite-read-pool'
import { executeWritePlan } from './writing/apply-write'
import { convertConstraintViolationOfTypes } from './writing/convert-constraint-violation'
import { tryWriteInOneStatement } from './writing/write-in-one-statement'
import {
  hasDatabaseTriggersOnLinks,
  tryCreateRowsTogether,
  tryInSavepoint,
  tryUpdateRowsTogether,
} from './writing/write-together'

export interface TypeOrmStoreOptions
  extends Pick<ResolvedApiOptions, 'preparedStatements' | 'maxRetries'>,
    Pick<CommitAndRetryOptions, 'onError'> {
  readonly caches: Caches
}

/** Reads and writes resources in the database of a TypeORM `DataSource`, with its own SQL. */
export function createTypeOrmStore(
  mapping: DatabaseMapping,
  { preparedStatements, ...options }: TypeOrmStoreOptions,
): ResourceStore {
  const run = createRunStatement(mapping, options.caches, preparedStatements)
  const queryCache = new CompiledQueryCache(mapping.dialect, options.caches)
  const readMode = mapping.dataSource.defaultReplicationModeForReads()
  return new TypeOrmStore({ ...options, mapping, queryCache, run, runUnobserved: run, readMode, deadline: undefined })
}

/** The context that all requests share, and the deadline and the observer of one request. */
interface StoreState
  extends Pick<ReadExecutionContext, 'mapping' | 'queryCache'>,
    Pick<ResolvedApiOptions, 'maxRetries'>,
    Pick<CommitAndRetryOptions, 'onError' | 'deadline'> {
  readonly caches: Caches
  readonly run: RunStatement
  /** Runs statements that observers do not see. */
  readonly runUnobserved: RunStatement
  readonly readMode: ReplicationMode
}

/** The store. It is a class, because each request with a deadline or an observer creates one. */
class TypeOrmStore implements ResourceStore {
  private readonly state: StoreState

  constructor(state: StoreState) {
    this.state = state
  }

  read(plan: ReadPlan): Promise<ReadResult> {
    const statements = predictOneOrSeveralStatements(plan, this.state.mapping)
    return this.runOnReadConnection((context) => executeReadPlan(plan, context, 'noLock'), statements)
  }

  readList(plan: ReadPlan): Promise<ReadResult> {
    return mayNeedStreaming(plan, this.state.mapping) ? this.readStreaming(plan) : this.read(plan)
  }

  private async readStreaming(plan: ReadPlan): Promise<ReadResult> {
    const { mapping, run, readMode, deadline } = this.state
    const stream = await findRowStreamer(mapping.dataSource, { run, mode: readMode, deadline })
    if (stream === undefined) return this.read(plan)
    return this.runOnReadConnection((context) => readAtOnceOrStreaming(plan, context, stream))
  }

  isStoredInRow(relationship: Relationship): boolean {
    return this.state.mapping.relationOf(relationship).kind === 'owning'
  }

  writeInOneStatement(plan: CreatePlan | UpdatePlan, readPlan: ReadPlan): Promise<ReadResult | undefined> {
    return tryWriteInOneStatement(plan, readPlan, this.state)
  }

  transaction<Value>(
    work: (transaction: ResourceStoreTransaction) => Promise<Value>,
    isHidden: IsFieldHidden,
  ): Promise<Value> {
    const { mapping, maxRetries, onError, deadline, runUnobserved: run } = this.state
    const written = new Set<StoredType>()
    const toJsonApiError = (error: unknown) => convertConstraintViolationOfTypes(error, mapping, written, isHidden)
    const runWork = (queryRunner: QueryRunner) => work(this.openTransaction(queryRunner, written, isHidden))
    return runTransactionWithRetries(mapping.dataSource, runWork, {
      maxRetries,
      onError,
      deadline,
      toJsonApiError,
      run,
    })
  }

  classifyDatabaseFailure(error: unknown): TimeoutOrOutage | undefined {
    return findTimeoutOrOutage(error)
  }

  explain(plan: ReadPlan): readonly ListedReadStatement[] {
    return listStatementsOfReadPlan(plan, this.state)
  }

  readingFromMaster(): ResourceStore {
    return new TypeOrmStore({ ...this.state, readMode: 'master' })
  }

  withDeadline(deadline: Deadline): ResourceStore {
    return new TypeOrmStore({ ...this.state, deadline })
  }

  observedBy(observe: RunObservedStatement): ResourceStore {
    const { run } = this.state
    const observed: RunStatement = (queryRunner, statement) =>
      observe(statement.text, () => run(queryRunner, statement))
    return new TypeOrmStore({ ...this.state, run: observed })
  }

  private runOnReadConnection<Value>(
    work: (context: ReadExecutionContext) => Promise<Value>,
    statements?: OneOrSeveralReadStatements,
  ): Promise<Value> {
    const { deadline, mapping, readMode } = this.state
    const { dataSource } = mapping
    const workInTime = (queryRunner: QueryRunner) =>
      runWithQueryCancelledAtDeadline(deadline, { dataSource, queryRunner }, () =>
        work(this.readContextOn(queryRunner)),
      )
    return runOnReadConnection(dataSource, workInTime, { statements, mode: readMode })
  }

  /** Adds the types that the transaction writes to `written`. */
  private openTransaction(
    queryRunner: QueryRunner,
    written: Set<StoredType>,
    isHidden: IsFieldHidden,
  ): ResourceStoreTransaction {
    const { mapping, caches, run, onError } = this.state
    const context = this.readContextOn(queryRunner)
    const runSql = (sql: Sql) => run(queryRunner, toSqlStatement(sql, mapping.dialect))
    const certify = findGaleraRowCertifier({ mapping, run: runSql, onError })
    const together = { mapping, caches, queryRunner, run, certify }
    // In MariaDB and MySQL a plain select reads the snapshot of the transaction, and a locking select reads the current rows.
    const lockForLatest = mapping.dialect.name === 'mysql' ? 'lock' : 'noLock'
    return {
      read: (plan, lock) =>
        certify === undefined || lock !== 'lock'
          ? executeReadPlan(plan, context, lock === 'latest' ? lockForLatest : lock)
          : readAndLockInGaleraCluster(plan, context, certify),
      lockPage: (plan) => readPageAndLockLinks(plan, context),
      write(plan) {
        written.add(plan.type)
        return executeWritePlan(plan, { mapping, queryRunner, run: runSql, certify, isHidden })
      },
      tryInSavepoint: (work) => tryInSavepoint(work, together),
      createTogether(plans, readPlan) {
        written.add(plans[0].type)
        return tryCreateRowsTogether(plans, readPlan, together)
      },
      updateTogether(plans) {
        written.add(plans[0].type)
        return tryUpdateRowsTogether(plans, together)
      },
      hasTriggers: (relationship) => hasDatabaseTriggersOnLinks(relationship, together),
      native: queryRunner.manager,
    }
  }

  private readContextOn(queryRunner: QueryRunner): ReadExecutionContext {
    const { mapping, queryCache, run } = this.state
    return { mapping, queryCache, queryRunner, run: (statement) => run(queryRunner, statement) }
  }
}
