import type { QueryRunner } from 'typeorm'
import type { Caches } from '../../cache/caches'
import type { Relationship, StoredType } from '../../graph/model/resource-graph'
import type { Options } from '../../graph/options/options'
import type { ObserveStatement } from '../../observation/observation'
import type { ReadPlan } from '../../plan/read-plan'
import type { CreatePlan, UpdatePlan } from '../../plan/write-plan'
import type { Deadline } from '../../request/http/deadline'
import type { ReadResult } from '../read-result'
import type { ExplainedStatement, Store, StoreFailure, Transaction } from '../store'
import { findStoreFailure } from './drivers/find-store-failure'
import { createRunStatement, type RunStatement } from './drivers/run-statement'
import type { Mapping } from './mapping/mapping'
import { explainRead } from './reading/explain'
import type { ReadContext, RunSelect } from './reading/load-includes'
import { lockPage } from './reading/lock-page'
import { read, statementCountOf } from './reading/read'
import { mayExceedMemory, readStreaming } from './reading/read-streaming'
import { findStream } from './reading/stream-rows'
import { StatementCache } from './select/statement-cache'
import { printSql } from './sql/sql'
import { runUntilDeadline } from './transactions/cancel-query'
import { runOnReadConnection } from './transactions/run-on-connection'
import { runTransaction, type TransactionOptions } from './transactions/run-transaction'
import { applyWrite } from './writing/apply-write'
import { toJsonApiErrorOfTypes } from './writing/to-json-api-error'
import { writeInOneStatement } from './writing/write-in-one-statement'

/** The state that all connections share. */
interface StoreDependencies extends Pick<ReadContext, 'mapping' | 'statementCache'> {
  readonly caches: Caches
  /** Runs statements that observers do not see. */
  readonly runUnobserved: RunStatement
}

type StoreTransactionOptions = Omit<TransactionOptions, 'toJsonApiError' | 'run' | 'deadline'>

export interface StoreOptions extends Pick<Options, 'preparedStatements'>, StoreTransactionOptions {
  readonly caches: Caches
}

/** Resources in the database of a TypeORM `DataSource`, read and written with SQL of our own. */
export function createTypeOrmStore(mapping: Mapping, { preparedStatements, caches, ...end }: StoreOptions): Store {
  const run = createRunStatement(mapping, caches, preparedStatements)
  const statementCache = new StatementCache(mapping.dialect, caches)
  const dependencies = { mapping, statementCache, caches, runUnobserved: run }
  return new TypeOrmStore({ dependencies, run, end, deadline: undefined })
}

interface StoreState extends Pick<TransactionOptions, 'deadline'> {
  readonly dependencies: StoreDependencies
  readonly run: RunStatement
  readonly end: StoreTransactionOptions
}

/** A class, since requests that may take so long and no longer have one each. */
class TypeOrmStore implements Store {
  private readonly state: StoreState

  constructor(parts: StoreState) {
    this.state = parts
  }

  read(plan: ReadPlan): Promise<ReadResult> {
    const { dependencies, run } = this.state
    const { mapping } = dependencies
    const work = (queryRunner: QueryRunner) =>
      this.runUntilDeadline(queryRunner, () =>
        read(plan, { queryRunner, run: createRunSelect(queryRunner, run), ...dependencies }, 'noLock'),
      )
    return runOnReadConnection(mapping.dataSource, work, statementCountOf(plan, mapping))
  }

  readList(plan: ReadPlan): Promise<ReadResult> {
    return mayExceedMemory(plan, this.state.dependencies.mapping) ? this.readStreaming(plan) : this.read(plan)
  }

  private async readStreaming(plan: ReadPlan): Promise<ReadResult> {
    const { dependencies, run, deadline } = this.state
    const { dataSource } = dependencies.mapping
    const stream = await findStream(dataSource, { run, deadline })
    if (stream === undefined) return this.read(plan)
    return runOnReadConnection(dataSource, (queryRunner) =>
      this.runUntilDeadline(queryRunner, () =>
        readStreaming(plan, { queryRunner, run: createRunSelect(queryRunner, run), ...dependencies }, stream),
      ),
    )
  }

  isStoredInRow(relationship: Relationship): boolean {
    return this.state.dependencies.mapping.relationOf(relationship).kind === 'owning'
  }

  writeInOneStatement(plan: CreatePlan | UpdatePlan, readPlan: ReadPlan): Promise<ReadResult | undefined> {
    const { dependencies, run, end, deadline } = this.state
    const { mapping, statementCache, caches } = dependencies
    return writeInOneStatement(plan, readPlan, {
      mapping,
      statementCache,
      caches,
      run,
      deadline,
      onError: end.onError,
    })
  }

  transaction<Value>(work: (transaction: Transaction) => Promise<Value>): Promise<Value> {
    const { dependencies, run, end, deadline } = this.state
    const { mapping } = dependencies
    const written = new Set<StoredType>()
    const toJsonApiError = (error: unknown) => toJsonApiErrorOfTypes(error, mapping, written)
    const whole = (queryRunner: QueryRunner) =>
      work(openTransaction({ queryRunner, run, ...dependencies }, (type) => written.add(type)))
    return runTransaction(mapping.dataSource, whole, {
      ...end,
      deadline,
      toJsonApiError,
      run: dependencies.runUnobserved,
    })
  }

  findStoreFailure(error: unknown): StoreFailure | undefined {
    return findStoreFailure(error)
  }

  explain(plan: ReadPlan): readonly ExplainedStatement[] {
    return explainRead(plan, this.state.dependencies)
  }

  withDeadline(deadline: Deadline): Store {
    const { dependencies, run, end } = this.state
    return new TypeOrmStore({ dependencies, run, end, deadline })
  }

  observedBy(observe: ObserveStatement): Store {
    return new TypeOrmStore({ ...this.state, run: withObserver(this.state.run, observe) })
  }

  private runUntilDeadline<Value>(queryRunner: QueryRunner, work: () => Promise<Value>): Promise<Value> {
    return runUntilDeadline(
      this.state.deadline,
      { dataSource: this.state.dependencies.mapping.dataSource, queryRunner },
      work,
    )
  }
}

function withObserver(run: RunStatement, observe: ObserveStatement): RunStatement {
  return (queryRunner, statement) => observe(statement.text, () => run(queryRunner, statement))
}

interface TransactionDependencies extends StoreDependencies {
  readonly queryRunner: QueryRunner
  readonly run: RunStatement
}

function openTransaction(
  { queryRunner, run, ...known }: TransactionDependencies,
  noteWritten: (type: StoredType) => void,
): Transaction {
  const { mapping } = known
  const select = createRunSelect(queryRunner, run)
  return {
    read: (plan, lock) => read(plan, { queryRunner, run: select, ...known }, lock),
    lockPage: (plan) => lockPage(plan, { queryRunner, run: select, ...known }),
    write(plan) {
      noteWritten(plan.type)
      return applyWrite(plan, { mapping, queryRunner, run: (sql) => run(queryRunner, printSql(sql, mapping.dialect)) })
    },
    native: queryRunner.manager,
  }
}

function createRunSelect(queryRunner: QueryRunner, run: RunStatement): RunSelect {
  return (statement) => run(queryRunner, statement)
}
